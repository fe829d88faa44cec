/** The strike room on the stage: the figure, where its examples hit, the region between them, and the target as a ring before it. */

import { effect } from "@preact/signals";
import type { Body } from "../../stage/body";
import { settled } from "../../stage/settled";
import type { Stage } from "../../stage/stage";
import { resultBody } from "../../state/motions";
import * as playback from "../../state/playback";
import { complain, dark, figure } from "../../state/store";
import { setLanes } from "../../timeline/timeline";
import { capital } from "../../ui";
import { jointSpeed, ring } from "./measure";
import { rgb } from "./colour";
import { aim, box, depths, detail, dragging, extent, hits, joint, made, outline, place, played, settings, tip, trust } from "./model";
import { onClick, Sheet } from "./sheet";

const FIGURE = "strike.figure";
const RING = 0.055;
/** Over the shoulder, so that left and right are those of the target plane beside the stage. */
const SIDE = [2.43, 0.72, -2.33] as const;
/** Seconds before the hit at which a strike begins to play. */
const LEAD = 0.6;

/** Draw all of it and keep it up to date; returns what ends it and clears the stage. */
export function draw(stage: Stage): () => void {
  const actor = stage.actor(FIGURE);
  const sheet = new Sheet(stage);
  // the plane is as far ahead as the target, or as the examples hit on the whole
  const depth = () => (settings.value.deep ? (place.value?.[2] ?? depths.value.mean) : depths.value.mean);
  let shown: string | null = null;
  let walked = false;

  function placeSheet(): void {
    if (extent.value) sheet.place(extent.value, depth(), settings.value.mirror);
  }

  const ends = [
    effect(() => actor.setStyle({ figure: figure.value })),
    effect(() => {
      const now = made.value;
      if (!now) {
        actor.setMotion(null);
        setLanes([]);
        return;
      }
      const dress = (body: Body | null) => {
        if (made.peek() === now) actor.setMotion(now.motion, body);
      };
      resultBody(now.facts.id, now.motion).then(dress, (failure) => {
        dress(null);
        complain(failure);
      });
      const first = shown !== detail.peek()?.id;
      shown = detail.peek()?.id ?? null;
      playback.setLength(now.motion.seconds, now.motion.fps, true);
      // between two walks it is turned and moved so that it hits where the target is shown
      actor.offset = now.facts.placement ?? { angle: 0, x: 0, z: 0 };
      const { hit_frame: hit } = now.strike;
      const striking = now.motion.roles[joint.peek()];
      const values =
        striking === undefined
          ? new Float32Array(now.motion.frames)
          : jointSpeed((frame) => now.motion.positions(frame), striking, now.motion.frames, now.motion.fps);
      const label = `${capital(tip.peek())} speed`;
      setLanes([{ id: "speed", label, values, unit: "m/s", colour: "c-walked", marks: [{ first: hit, last: hit + 1, colour: "c-target", text: "hit" }] }]);
      const walks = now.facts.placement != null;
      // a walk takes room, and a strike alone none
      if (walks && walks !== walked) settled(() => stage.camera.look("fit"));
      else if (first || walks !== walked) settled(() => stage.camera.seeFrom([SIDE]));
      walked = walks;
    }),
    effect(() => {
      if (played.value === 0) return;
      const now = made.peek();
      if (!now) return;
      // the effect above may come after this one: what is not there yet cannot be played
      playback.setLength(now.motion.seconds, now.motion.fps, true);
      const hit = now.strike.hit_frame / now.motion.fps;
      // while the target is dragged the hit itself follows the hand; after that every strike is seen to hit
      if (dragging.peek()) {
        playback.pause();
        playback.seek(hit);
      } else {
        playback.seek(now.facts.placement ? 0 : Math.max(0, hit - LEAD));
        playback.playNew();
      }
    }),
    effect(() => {
      // read again when the theme has changed: the token has another colour then
      void dark.value;
      sheet.shade(trust.value, rgb("accent"));
      placeSheet();
    }),
    effect(placeSheet),
    onClick(stage, () => (extent.peek() ? { extent: extent.peek()!, ahead: depth() } : null), aim),
    effect(() => {
      const z = depth();
      const around = outline.value;
      const edges = box.value;
      stage.line("strike.region", around.length ? [...around, around[0]!] : null, { colour: "c-transition", width: 2 });
      const frame = edges && [
        [edges.low[0], edges.low[1], z],
        [edges.high[0], edges.low[1], z],
        [edges.high[0], edges.high[1], z],
        [edges.low[0], edges.high[1], z],
        [edges.low[0], edges.low[1], z],
      ];
      stage.line("strike.box", frame, { colour: "text-3", width: 1, dashed: true });
    }),
    effect(() => {
      const points = hits.value.map(({ at }) => at);
      stage.dots("strike.hits", points.length ? points : null, { colour: "c-transition", size: 0.022, shape: "ball" });
    }),
    effect(() => {
      const at = place.value;
      const missed = made.value !== null && !made.value.strike.reached;
      stage.line("strike.target", at && ring(at, RING), { colour: "c-target", width: 4, through: true, dashed: missed });
      stage.dots("strike.centre", at && [at], { colour: "c-target", size: 0.018, shape: "ball" });
    }),
  ];

  return () => {
    for (const end of ends) end();
    sheet.dispose();
    stage.drop(FIGURE);
    for (const id of ["region", "box", "target"]) stage.line(`strike.${id}`, null, { colour: "c-target" });
    for (const id of ["hits", "centre"]) stage.dots(`strike.${id}`, null, { colour: "c-target" });
    setLanes([]);
  };
}

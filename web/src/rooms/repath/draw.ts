/** The repath room on the stage: the clip as a ghost, the motion on the new path, both paths, the controls, trackers and footprints. */

import { computed, effect } from "@preact/signals";
import { nearest } from "../../motion/spline";
import type { Body } from "../../stage/body";
import type { Stage } from "../../stage/stage";
import { clipBody } from "../../state/motions";
import * as playback from "../../state/playback";
import { complain, figure } from "../../state/store";
import { footprints } from "../follow/footprints";
import { type Control, deleted, insertedAt, moved } from "./curve";
import { groundText } from "./ground";
import { chosen, ground, history, layers, line, made, type Opened, opened } from "./model";

const OWN = "repath.own";
const NEW = "repath.new";
/** Metres above the ground at which lines lie, so that it does not swallow them. */
const ABOVE = 0.006;
/** Metres: a control nearer to the floor than this is on it. */
const LEVEL = 0.02;

/** The ground's height under a place, from the grid that came with the result: 0 where it is flat. */
const terrain = computed(() => {
  const now = made.value;
  const facts = now?.facts["ground"] as { x0: number; z0: number; step: number; rows: number; columns: number } | null | undefined;
  const heights = now?.pack.arrays["ground"];
  return facts && heights ? { ...facts, heights } : null;
});

/** Whether a ground is set, which then says how high the path is. */
const grounded = computed(() => groundText(ground.value) !== null);

function heightAt(x: number, z: number): number {
  const grid = terrain.value;
  if (!grid) return 0;
  const clamp = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  const column = clamp((x - grid.x0) / grid.step, grid.columns - 1);
  const row = clamp((z - grid.z0) / grid.step, grid.rows - 1);
  const [c, r] = [Math.min(Math.floor(column), grid.columns - 2), Math.min(Math.floor(row), grid.rows - 2)];
  const at = (i: number, j: number) => grid.heights[i * grid.columns + j]!;
  const near = at(r, c) + (column - c) * (at(r, c + 1) - at(r, c));
  const far = at(r + 1, c) + (column - c) * (at(r + 1, c + 1) - at(r + 1, c));
  return near + (row - r) * (far - near);
}

/** Points of a flat line laid on the ground. */
function onGround(points: readonly number[][]): number[][] {
  return points.map(([x, z]) => [x!, heightAt(x!, z!) + ABOVE, z!]);
}

/** The steadied way of the new motion over the floor, as pairs. */
const track = computed(() => {
  const flat = made.value?.pack.arrays["track"];
  return flat ? Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!]) : [];
});

/** Draw all of it and keep it up to date; returns what ends it and clears the stage. */
export function draw(stage: Stage): () => void {
  const own = stage.actor(OWN);
  const fresh = stage.actor(NEW);
  let shown: string | null = null;

  const ends = [
    effect(() => {
      own.setStyle({ figure: figure.value, tint: "c-original", opacity: 0.35, visible: layers.value.original });
      fresh.setStyle({ figure: figure.value, tint: null, opacity: 1, visible: layers.value.made });
    }),
    effect(() => {
      const clip = opened.value;
      if (!clip) return;
      dressed(clip, (body) => {
        if (opened.peek() === clip) own.setMotion(clip.motion, body);
      });
    }),
    effect(() => {
      const now = made.value;
      const clip = opened.peek();
      if (!now || !clip) return fresh.setMotion(null);
      const first = shown !== clip.id;
      shown = clip.id;
      playback.setLength(now.motion.seconds, now.motion.fps, !first);
      dressed(clip, (body) => {
        if (made.peek() === now) fresh.setMotion(now.motion, body);
      });
      if (first) {
        stage.camera.look("fit");
        playback.play();
      }
    }),
    effect(() => {
      const { ownPath, path, walked } = layers.value;
      const points = opened.value?.own.points;
      stage.line("repath.own-path", ownPath && points ? onGround(points) : null, { colour: "c-original", width: 2.5, dashed: true });
      const curve = opened.value ? line.value : [];
      // a path with heights of its own is drawn where it is, any other on the ground
      const tall = !grounded.value && curve.some(([, y]) => Math.abs(y!) > 0.005);
      const laid = tall ? curve.map(([x, y, z]) => [x!, y! + ABOVE, z!]) : onGround(curve.map(([x, , z]) => [x!, z!]));
      stage.line("repath.path", path && curve.length ? laid : null, { colour: "c-path", width: 3.5 });
      stage.line("repath.walked", walked && track.value.length ? onGround(track.value) : null, { colour: "c-walked", width: 2 });
    }),
    effect(() => {
      const controls = history.value.value.controls;
      const show = layers.value.controls && opened.value !== null;
      const places = controls.map(([x, y, z]) => ({ x, y: grounded.value ? heightAt(x, z) : y, z }));
      stage.line("repath.polygon", show ? places.map(({ x, y, z }) => [x, y + ABOVE, z]) : null, { colour: "c-path", width: 1, opacity: 0.5 });
      stage.handles("repath.controls", show ? places : null, handling, { height: !grounded.value, colour: "c-path" });
    }),
    effect(() => stage.selectHandle("repath.controls", chosen.value ?? -1)),
    effect(() => {
      const prints = layers.value.footprints && layers.value.made ? footprints(made.value?.facts.plants ?? []) : [];
      const points = prints.map(({ x, y, z }) => [x, Math.max(y, heightAt(x, z)) + ABOVE, z]);
      stage.dots("repath.feet", points.length ? points : null, {
        colour: prints.map(({ foot }) => (foot === "left" ? "c-left" : "c-right")),
        shape: "foot",
        headings: prints.map(({ heading }) => heading),
        feet: prints.map(({ foot }) => foot),
        opacity: 0.55,
      });
    }),
    effect(() => {
      const now = playback.time.value;
      const clip = opened.value;
      const result = made.value;
      const show = layers.value.trackers && clip !== null && result !== null;
      const points: number[][] = [];
      const colours: string[] = [];
      if (show && layers.value.ownPath) {
        const [x, , z] = clip.motion.root(now * clip.motion.fps);
        points.push(...onGround([nearest(clip.own.points, [x, z]).point]));
        colours.push("c-original");
      }
      if (show && layers.value.path && track.value.length) {
        const at = track.value[Math.min(Math.floor(now * result.motion.fps + 1e-6), track.value.length - 1)]!;
        points.push(...onGround([at]));
        colours.push("c-path");
      }
      stage.dots("repath.trackers", points.length ? points.map(([x, y, z]) => [x!, y! + ABOVE, z!]) : null, { colour: colours, size: 0.16 });
    }),
    effect(() => stage.ground("repath.ground", terrain.value)),
  ];

  return () => {
    for (const end of ends) end();
    stage.drop(OWN);
    stage.drop(NEW);
    for (const id of ["own-path", "path", "walked", "polygon"]) stage.line(`repath.${id}`, null, { colour: "c-path" });
    for (const id of ["feet", "trackers"]) stage.dots(`repath.${id}`, null, { colour: "c-path" });
    stage.handles("repath.controls", null, handling);
    stage.ground("repath.ground", null);
  };
}

/** Give a clip's body, or none where there is none: then it is a stick figure. */
function dressed(clip: Opened, put: (body: Body | null) => void): void {
  clipBody(clip.id, clip.motion).then(put, (failure) => {
    put(null);
    complain(failure);
  });
}

/** What the hand does to the controls: the motion is laid anew while it drags. */
const handling = {
  move(index: number, to: { x: number; y: number; z: number }, phase: "start" | "move" | "end") {
    if (phase === "start") {
      chosen.value = index;
      return;
    }
    const before = history.value.peek();
    // on hills the ground says how high the path is
    const y = grounded.peek() ? before.controls[index]![1] : Math.abs(to.y) < LEVEL ? 0 : to.y;
    const next = moved(before, index, [to.x, y, to.z] satisfies Control);
    if (phase === "move") history.preview(next);
    else history.commit(next);
  },
  select(index: number) {
    chosen.value = index;
  },
  remove(index: number) {
    history.commit(deleted(history.value.peek(), index));
    chosen.value = null;
  },
  insert(at: { x: number; z: number }) {
    const made = insertedAt(history.value.peek(), at.x, at.z);
    history.commit(made.curve);
    chosen.value = made.index;
  },
};

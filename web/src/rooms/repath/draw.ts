/** The repath room on the stage: the clip as a ghost, the motion on the new path, both paths, the controls, trackers and footprints. */

import { batch, computed, effect, untracked } from "@preact/signals";
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, MeshBasicMaterial } from "three";
import { footprints } from "../../motion/footprints";
import { nearest, type Point } from "../../motion/spline";
import { justAdded, pen, placer } from "../../path/hands";
import type { Body } from "../../stage/body";
import { settled } from "../../stage/settled";
import type { Stage, Tool as Hand } from "../../stage/stage";
import { clipBody } from "../../state/motions";
import * as playback from "../../state/playback";
import { complain, figure } from "../../state/store";
import { type Control, deleted, extended, insertedAt, moved, pointsOf } from "./curve";
import { chosen, drawLine, drawn, framed, groundAsked, history, layers, line, made, type Opened, opened, stroke, tool, type Tool } from "./model";
import { followGround, heightAt, strip, terrain } from "./terrain";

const OWN = "repath.own";
const NEW = "repath.new";
/** Metres above the ground at which lines lie, so that it does not swallow them. */
const ABOVE = 0.006;
/** Metres: a control nearer to the floor than this is on it. */
const LEVEL = 0.02;
/** Metres across a tracker, and across the road that a path with heights is. */
const TRACKER = 0.11;
const ROAD = 0.7;

/** Whether a ground is set, which then says how high the path is. */
const grounded = computed(() => groundAsked.value !== null);

/** Points of a flat line laid on the ground. */
function onGround(points: readonly (readonly number[])[]): number[][] {
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
  let framing = framed.peek();
  let watched = drawn.peek();
  let way: Mesh<BufferGeometry, MeshBasicMaterial> | null = null;

  /** A path with heights is a road, so that feet are seen to stand on something. */
  function road(points: number[][] | null): void {
    stage.mesh("repath.road", null);
    way?.geometry.dispose();
    way?.material.dispose();
    way = null;
    if (!points) return;
    const { vertices, faces } = strip(points, ROAD);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(vertices, 3));
    geometry.setIndex(new BufferAttribute(faces, 1));
    way = new Mesh(geometry, new MeshBasicMaterial({ color: stage.palette.colour("c-path"), transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false }));
    stage.mesh("repath.road", way);
  }

  const ends = [
    followGround(),
    effect(() => {
      own.setStyle({ figure: figure.value, tint: "c-original", opacity: 0.35, visible: layers.value.original });
      fresh.setStyle({ figure: figure.value, tint: null, opacity: 1, visible: layers.value.character });
    }),
    effect(() => {
      const clip = opened.value;
      if (!clip) return own.setMotion(null);
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
      if (first || framing !== framed.peek())
        settled(() => {
          if (shown === clip.id) stage.camera.look("fit");
        });
      framing = framed.peek();
      if (watched !== drawn.peek()) playback.seek(0);
      if (first || watched !== drawn.peek()) playback.playNew();
      watched = drawn.peek();
    }),
    effect(() => {
      const { original, path, walked } = layers.value;
      const points = opened.value?.own.points;
      stage.line("repath.own-path", original && points ? onGround(points) : null, { colour: "c-original", width: 2.5, dashed: true });
      const inHand = stroke.value?.map(([x, z]) => [x!, 0, z!]);
      const curve = inHand ?? (opened.value ? line.value : []);
      // a path with heights of its own is drawn where it is, any other on the ground
      const tall = !grounded.value && curve.some(([, y]) => Math.abs(y!) > 0.005);
      const laid = tall ? curve.map(([x, y, z]) => [x!, y! + ABOVE, z!]) : onGround(curve.map(([x, , z]) => [x!, z!]));
      stage.line("repath.path", path && curve.length ? laid : null, { colour: "c-path", width: inHand ? 6 : 3.5 });
      road(path && tall ? laid : null);
      stage.line("repath.walked", walked && track.value.length ? onGround(track.value) : null, { colour: "c-walked", width: 2 });
    }),
    effect(() => {
      const points = pointsOf(history.value.value);
      const show = tool.value === "points" && layers.value.path && opened.value !== null && !stroke.value;
      const places = points.map(([x, y, z]) => ({ x, y: grounded.value ? heightAt(x, z) : y, z }));
      stage.handles("repath.controls", show ? places : null, handling, { height: !grounded.value, colour: "c-path" });
    }),
    effect(() => stage.selectHandle("repath.controls", chosen.value ?? -1)),
    effect(() => {
      const prints = layers.value.feet ? footprints(made.value?.facts.plants ?? []) : [];
      const points = prints.map(({ x, y, z }) => [x, y + ABOVE, z]);
      stage.dots("repath.feet", points.length ? points : null, {
        colour: prints.map(({ foot }) => (foot === "left" ? "c-left" : "c-right")),
        shape: "foot",
        headings: prints.map(({ heading }) => heading),
        feet: prints.map(({ foot }) => foot),
        opacity: 0.75,
      });
    }),
    effect(() => {
      const now = playback.time.value;
      const clip = opened.value;
      const result = made.value;
      if (clip) {
        // it was captured on a floor: on hills it walks over them, not through them
        const [x, , z] = clip.motion.root(now * clip.motion.fps);
        own.group.position.y = heightAt(x, z);
      }
      const show = clip !== null && result !== null;
      const points: number[][] = [];
      const colours: string[] = [];
      if (show && layers.value.original) {
        const [x, , z] = clip.motion.root(now * clip.motion.fps);
        points.push(...onGround([nearest(clip.own.points, [x, z]).point]));
        colours.push("c-original");
      }
      if (show && layers.value.path && track.value.length) {
        const frame = Math.min(Math.floor(now * result.motion.fps + 1e-6), track.value.length - 1);
        const [x, z] = track.value[frame]!;
        points.push([x!, (result.pack.arrays["altitude"]?.[frame] ?? 0) + ABOVE, z!]);
        colours.push("c-path");
      }
      stage.dots("repath.trackers", points.length ? points : null, { colour: colours, size: TRACKER, shape: "ball" });
    }),
    effect(() => stage.ground("repath.ground", terrain.value)),
    effect(() => {
      const now = opened.value ? tool.value : "look";
      untracked(() => stage.tool(handOf(now, stage)));
    }),
  ];

  return () => {
    shown = null;
    for (const end of ends) end();
    road(null);
    stage.drop(OWN);
    stage.drop(NEW);
    stage.tool(null);
    for (const id of ["own-path", "path", "walked"]) stage.line(`repath.${id}`, null, { colour: "c-path" });
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

/** Metres from the line at which a double click on it is meant to insert a point. */
const ON_LINE = 0.2;

/** What the pointer does on the floor; null: it turns the view. */
function handOf(now: Tool, stage: Stage): Hand | null {
  if (now === "draw")
    return pen(stage, {
      began: (points) => (stroke.value = points),
      shown: (points) => stroke.value && (stroke.value = points),
      ended(points) {
        const kept = stroke.value !== null;
        batch(() => {
          stroke.value = null;
          if (kept) drawLine(points);
        });
      },
    });
  if (now === "points")
    return placer(
      (at) => nearest(line.value.map(([x, , z]) => [x!, z!]), at).distance < ON_LINE,
      ([x, z]: Point) => {
        const next = extended(history.value.peek(), x!, z!);
        batch(() => {
          history.commit(next);
          chosen.value = next.controls.length - 1;
        });
      },
    );
  return null;
}

/** What the hand does to the points: the motion is laid anew while it drags. */
const handling = {
  move(index: number, to: { x: number; y: number; z: number }, phase: "start" | "move" | "end", event: Event) {
    if (phase === "start") {
      chosen.value = index;
      return;
    }
    const before = history.value.peek();
    // on hills the ground says how high the path is
    const y = grounded.peek() ? pointsOf(before)[index]![1] : Math.abs(to.y) < LEVEL ? 0 : to.y;
    const next = moved(before, index, [to.x, y, to.z] satisfies Control);
    if (event instanceof KeyboardEvent) history.nudge(next);
    else if (phase === "move") history.preview(next);
    else history.commit(next);
  },
  select(index: number) {
    chosen.value = index;
  },
  remove(index: number) {
    if (justAdded()) return;
    history.commit(deleted(history.value.peek(), index));
    chosen.value = null;
  },
  insert(at: { x: number; z: number }) {
    const made = insertedAt(history.value.peek(), at.x, at.z);
    history.commit(made.curve);
    chosen.value = made.index;
  },
};

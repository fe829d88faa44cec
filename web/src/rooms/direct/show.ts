/** The stage as the room shows it: keys with their headings and ghosts, obstacles, the way that is gone, and who goes it. */

import { batch, effect, untracked } from "@preact/signals";
import { floats } from "../../api/pack";
import { footprints } from "../../motion/footprints";
import type { Motion } from "../../motion/motion";
import type { Body } from "../../stage/body";
import { settled } from "../../stage/settled";
import type { Stage } from "../../stage/stage";
import { resultBody } from "../../state/motions";
import { complain, figure } from "../../state/store";
import { change, choose, remove, type How } from "./actions";
import { ghosts, type Ghost } from "./ghosts";
import { degrees, entryOf, neat, type Key, type Obstacle } from "./scene";
import { answer, chosen, drawing, layers, missed, placed, scene, tool, wrongOf } from "./state";
import { dropGesture, handOf, obstacleOf } from "./tools";

const ACTOR = "direct";
/** Metres above the floor: what lies on what. */
const HEIGHT = { obstacle: 0.006, feet: 0.009, way: 0.011, arrow: 0.014, key: 0.016 };
/** Metres from a key to the handle of its heading. */
const ARM = 0.75;

type Spot = [number, number, number];
const isMet = (key: Key): boolean => wrongOf("key", key.id) === null && (missed.value.get(key.id)?.met ?? true);

/** Show everything for as long as the room is open; returns a function that ends it and clears the stage. */
export function startShowing(stage: Stage): () => void {
  const drawn = new Set<string>();
  const line = (id: string, points: Spot[] | null, style?: Parameters<Stage["line"]>[2]): void => {
    stage.line(id, points, style);
    if (points) drawn.add(id);
    else drawn.delete(id);
  };
  const ghostly = new Set<string>();
  let isOpen = true;
  const ends = [
    effect(() => showWay(stage, line)),
    effect(() => showKeys(stage)),
    effect(() => showHeadings(stage, line, drawn)),
    effect(() => showTargets(stage)),
    effect(() => showObstacles(stage, line, drawn)),
    effect(() => showActor(stage)),
    effect(() => showGhosts(stage, ghosts.value, ghostly)),
    effect(() => {
      // once the effects beside this one have laid it on the floor, and words have taken their place over it
      if (placed.value > 0) settled(() => isOpen && seeAll(stage));
    }),
    effect(() => {
      const hand = handOf(tool.value);
      untracked(() => stage.tool(hand));
    }),
  ];
  return () => {
    isOpen = false;
    for (const end of ends) end();
    dropGesture();
    stage.tool(null);
    for (const id of ["direct.keys", "direct.headings", "direct.targets", "direct.obstacles"]) stage.handles(id, null);
    for (const id of [...drawn]) stage.line(id, null);
    for (const id of ["direct.feet", "direct.missed"]) stage.dots(id, null);
    for (const id of ghostly) stage.drop(id);
    stage.drop(ACTOR);
  };
}

/** Metres: who stands at a key is seen up to the eyes. */
const EYES = 1.6;

/** Step back where the way, or who stands at a key, lies outside the picture or under words. */
function seeAll(stage: Stage): void {
  const track = answer.value ? floats(answer.value.pack, "track") : [];
  const places = scene.value.key.flatMap(({ at: [x, z] }) => [[x, 0, z], [x, EYES, z]]);
  for (let i = 0; i + 1 < track.length; i += 30) places.push([track[i]!, 0, track[i + 1]!]);
  if (!places.every((place) => stage.sees(place))) stage.camera.look("fit");
}

type Lines = (id: string, points: Spot[] | null, style?: Parameters<Stage["line"]>[2]) => void;

function showWay(stage: Stage, line: Lines): void {
  const now = answer.value;
  const { way, feet } = layers.value;
  const track = now ? floats(now.pack, "track") : new Float32Array(0);
  const points: Spot[] = [];
  for (let i = 0; i + 1 < track.length; i += 2) points.push([track[i]!, HEIGHT.way, track[i + 1]!]);
  line("direct.way", way && points.length > 1 ? points : null, { colour: "c-walked", width: 2 });
  const prints = feet && now ? footprints(now.facts.plants) : [];
  stage.dots("direct.feet", prints.length ? prints.map(({ x, z }) => [x, HEIGHT.feet, z]) : null, {
    colour: prints.map(({ foot }) => (foot === "left" ? "c-left" : "c-right")),
    shape: "foot",
    headings: prints.map(({ heading }) => heading),
    feet: prints.map(({ foot }) => foot),
    opacity: 0.75,
  });
}

const howOf = (phase: string, event: PointerEvent | KeyboardEvent): How => (event instanceof KeyboardEvent ? "key" : phase === "end" ? "end" : "drag");

function showKeys(stage: Stage): void {
  const keys = scene.value.key;
  stage.handles(
    "direct.keys",
    keys.length ? keys.map(({ at }) => ({ x: at[0], y: HEIGHT.key, z: at[1] })) : null,
    {
      move(index, place, phase, event) {
        const key = keys[index];
        // a key that passes no other keeps its number: times do not change here
        if (key) change("key", key.id, { at: [neat(place.x), neat(place.z)] }, howOf(phase, event));
      },
      select: (index) => keys[index] && choose("key", keys[index]!.id),
      remove: (index) => keys[index] && remove({ kind: "key", id: keys[index]!.id }),
    },
    { colour: "c-path" },
  );
  const now = chosen.value;
  stage.selectHandle("direct.keys", now?.kind === "key" ? keys.findIndex((key) => key.id === now.id) : -1);
  const bad = keys.filter((key) => !isMet(key));
  stage.dots("direct.missed", bad.length ? bad.map(({ at }) => [at[0], HEIGHT.arrow, at[1]]) : null, { colour: "danger", shape: "ring", size: 0.5 });
}

/** What is to be hit: moved over the floor, and lifted. */
function showTargets(stage: Stage): void {
  const list = scene.value.strike;
  stage.handles(
    "direct.targets",
    list.length ? list.map(({ target: [x, y, z] }) => ({ x, y, z })) : null,
    {
      move(index, place, phase, event) {
        if (list[index]) change("strike", list[index]!.id, { target: [neat(place.x), neat(place.y), neat(place.z)] }, howOf(phase, event));
      },
      select: (index) => list[index] && choose("strike", list[index]!.id),
      remove: (index) => list[index] && remove({ kind: "strike", id: list[index]!.id }),
    },
    { colour: "c-target", height: true },
  );
  const now = chosen.value;
  stage.selectHandle("direct.targets", now?.kind === "strike" ? list.findIndex((one) => one.id === now.id) : -1);
}

/** An arrow for each key that has a heading, and for the one that is chosen a handle to turn it by. */
function showHeadings(stage: Stage, line: Lines, drawn: Set<string>): void {
  const wanted = new Set<string>();
  const keys = scene.value.key;
  for (const key of keys) {
    if (key.heading === null) continue;
    const id = `direct.arrow.${key.id}`;
    wanted.add(id);
    line(id, arrow(key.at, key.heading), { colour: isMet(key) ? "c-path" : "danger", width: 3 });
  }
  for (const id of [...drawn]) if (id.startsWith("direct.arrow.") && !wanted.has(id)) line(id, null);
  const now = chosen.value;
  const key = now?.kind === "key" ? entryOf(scene.value, "key", now.id) : undefined;
  if (!key) return stage.handles("direct.headings", null);
  const [x, z] = tip(key.at, key.heading ?? facing(key));
  stage.handles(
    "direct.headings",
    [{ x, y: HEIGHT.key, z }],
    {
      move(_, place, phase, event) {
        const angle = (Math.atan2(place.x - key.at[0], place.z - key.at[1]) * 180) / Math.PI;
        change("key", key.id, { heading: Math.round(degrees(angle)) }, howOf(phase, event));
      },
      remove: () => change("key", key.id, { heading: null }),
    },
    { colour: key.heading === null ? "c-original" : "c-path" },
  );
}

/** Where somebody faces at a key that does not say it, in degrees. */
function facing(key: Key): number {
  const now = answer.value;
  const time = missed.value.get(key.id)?.time ?? key.time;
  return now && time !== null ? (now.motion.heading(time * now.motion.fps) * 180) / Math.PI : 0;
}

function tip(at: readonly [number, number], heading: number, length = ARM): [number, number] {
  const angle = (heading * Math.PI) / 180;
  return [at[0] + length * Math.sin(angle), at[1] + length * Math.cos(angle)];
}

/** A line with a head, in one stroke. */
function arrow(at: readonly [number, number], heading: number): Spot[] {
  const end = tip(at, heading);
  const sides = [150, -150].map((turn) => tip(end, heading + turn, 0.18));
  return [at, end, sides[0]!, end, sides[1]!].map(([x, z]) => [x!, HEIGHT.arrow, z!]);
}

function showObstacles(stage: Stage, line: Lines, drawn: Set<string>): void {
  const { obstacle, clearance } = scene.value;
  const now = drawing.value;
  const made = now && obstacleOf(now.tool, now.from, now.to);
  const wanted = new Set<string>();
  for (const one of made ? [...obstacle, { ...made, id: 0 }] : obstacle) {
    const isWrong = wrongOf("obstacle", one.id) !== null;
    const isChosen = chosen.value?.kind === "obstacle" && chosen.value.id === one.id;
    for (const [name, more] of [["edge", 0], ["near", clearance ?? 0.3]] as const) {
      const id = `direct.obstacle.${one.id}.${name}`;
      wanted.add(id);
      const colour = isWrong ? "danger" : isChosen ? "accent" : "text-2";
      line(id, outline(one, more), { colour, width: more ? 1 : 4, opacity: more ? 0.5 : 1, dashed: more > 0 });
    }
  }
  for (const id of [...drawn]) if (id.startsWith("direct.obstacle.") && !wanted.has(id)) line(id, null);
  stage.handles(
    "direct.obstacles",
    obstacle.length ? obstacle.map((one) => ({ ...middle(one), y: HEIGHT.key })) : null,
    {
      move(index, place, phase, event) {
        const one = obstacle[index];
        if (one) change("obstacle", one.id, movedTo(one, place), howOf(phase, event));
      },
      select: (index) => obstacle[index] && choose("obstacle", obstacle[index]!.id),
      remove: (index) => obstacle[index] && remove({ kind: "obstacle", id: obstacle[index]!.id }),
    },
    { colour: "text-2" },
  );
  const picked = chosen.value;
  stage.selectHandle("direct.obstacles", picked?.kind === "obstacle" ? obstacle.findIndex((one) => one.id === picked.id) : -1);
}

function middle({ disc, box }: Obstacle): { x: number; z: number } {
  return disc ? { x: disc[0], z: disc[1] } : { x: box![0] + box![2] / 2, z: box![1] + box![3] / 2 };
}

function movedTo({ disc, box }: Obstacle, { x, z }: { x: number; z: number }): Partial<Obstacle> {
  if (disc) return { disc: [neat(x), neat(z), disc[2]] };
  return { box: [neat(x - box![2] / 2), neat(z - box![3] / 2), box![2], box![3]] };
}

/** The edge of an obstacle on the floor, or of what is kept clear about it. */
function outline({ disc, box }: Obstacle, more: number): Spot[] {
  if (disc) {
    const [x, z, radius] = disc;
    return Array.from({ length: 49 }, (_, i): Spot => {
      const angle = (i / 48) * 2 * Math.PI;
      return [x + (radius + more) * Math.sin(angle), HEIGHT.obstacle, z + (radius + more) * Math.cos(angle)];
    });
  }
  const [x, z, width, depth] = box!;
  const corners = [[x - more, z - more], [x + width + more, z - more], [x + width + more, z + depth + more], [x - more, z + depth + more], [x - more, z - more]]; // prettier-ignore
  return corners.map(([cx, cz]) => [cx!, HEIGHT.obstacle, cz!]);
}

/** bodies that have come, by the skeleton they are for */
const bodies = new Map<string, Body>();

function showActor(stage: Stage): void {
  const now = answer.value;
  const actor = stage.actor(ACTOR);
  const style = { figure: figure.value, visible: now !== null };
  if (!now) return actor.setStyle(style);
  actor.setMotion(now.motion, bodies.get(now.motion.body) ?? null);
  actor.setStyle(style);
  if (!bodies.has(now.motion.body)) void dress(stage, now.facts.id, now.motion);
}

async function dress(stage: Stage, id: string, motion: Motion): Promise<void> {
  try {
    bodies.set(motion.body, await resultBody(id, motion));
    if (answer.value?.motion.body !== motion.body) return;
    stage.actor(ACTOR).setBody(bodies.get(motion.body)!);
    // who stands at the keys wears the same
    batch(() => (answer.value = { ...answer.value! }));
  } catch (error) {
    complain(error);
  }
}

function showGhosts(stage: Stage, list: readonly Ghost[], shown: Set<string>): void {
  const wanted = new Set<string>();
  for (const one of list) {
    const id = `direct.ghost.${one.id}`;
    wanted.add(id);
    shown.add(id);
    const actor = stage.actor(id);
    actor.setMotion(one.motion, bodies.get(one.motion.body) ?? null);
    const pose = one.motion.newPose();
    one.motion.pose(one.time, pose);
    actor.setPose(pose);
    actor.offset = one.place;
    actor.setStyle({ figure: figure.value, tint: one.colour, opacity: 0.42, visible: true });
    actor.setTime(stage.time);
  }
  for (const id of [...shown]) {
    if (wanted.has(id)) continue;
    shown.delete(id);
    stage.drop(id);
  }
}

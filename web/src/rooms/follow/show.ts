/** The stage as the room shows it: what was drawn, what was walked, where feet stood, and who walks. */

import { batch, effect, untracked } from "@preact/signals";
import { floats } from "../../api/pack";
import { footprints } from "../../motion/footprints";
import type { Motion } from "../../motion/motion";
import { length, type Point } from "../../motion/spline";
import { settled } from "../../stage/settled";
import type { Stage } from "../../stage/stage";
import { resultBody } from "../../state/motions";
import { complain, figure } from "../../state/store";
import { labelColour } from "../../ui";
import { piece } from "./along";
import { chooseAt, moveControl } from "./actions";
import { pointsOf, lineOf } from "./drawing";
import { given } from "./figures";
import { gather, ghosts, shown } from "./kept";
import { aroundSomething, missed, type Missed } from "./missed";
import { hideObstacles, showObstacles } from "./obstacles";
import { hidePauses, showPauses } from "./pauses";
import { within } from "./sections";
import { showStarter } from "./starter";
import { answer, chosen, course, dragging, layers, mode, others, painting, placed, problem, shownLine, stroke, tool, type Answer } from "./state";
import { dropGesture, handOf, insert, paintLabel, removeClicked } from "./tools";

const ACTOR = "follow";
/** Metres above the floor: what lies on what. */
const HEIGHT = { band: 0.003, ghost: 0.005, path: 0.007, feet: 0.009, walked: 0.011, missed: 0.012, transition: 0.013 };

type Spot = [number, number, number];
const lifted = (points: readonly Point[], height: number): Spot[] => points.map(([x, z]) => [x!, height, z!]);

/** The steadied way of the root, over the floor. */
function track(motion: Motion, height: number): Spot[] {
  const values = floats(motion.pack, "track");
  const points: Spot[] = [];
  for (let i = 0; i + 1 < values.length; i += 2) points.push([values[i]!, height, values[i + 1]!]);
  return points.length ? points : (motion.track(height) as Spot[]);
}

/** Show everything for as long as the room is open; returns a function that ends it and clears the stage. */
export function startShowing(stage: Stage): () => void {
  let isOpen = true;
  const ends = [
    effect(() => showPath(stage)),
    effect(() => showBands(stage)),
    effect(() => showControls(stage)),
    effect(() => showPauses(stage)),
    effect(() => showObstacles(stage)),
    effect(() => showWalk(stage, answer.value)),
    effect(() => showActor(stage, answer.value)),
    showStarter(stage),
    effect(() => {
      // whichever are shown, their motions are fetched
      void shown.value;
      void untracked(gather);
    }),
    effect(() => showGhosts(stage)),
    effect(() => {
      // once the effects beside this one have laid it on the floor, and words have taken their place over it
      if (placed.value > 0) settled(() => isOpen && seeAll(stage));
    }),
    effect(() => {
      const hand = mode.value === "path" ? handOf(tool.value, stage) : null;
      untracked(() => stage.tool(hand));
    }),
  ];
  return () => {
    isOpen = false;
    for (const end of ends) end();
    dropGesture();
    stage.tool(null);
    stage.handles("follow.controls", null);
    for (const id of ["follow.path", "follow.walked"]) stage.line(id, null);
    for (const id of ["follow.ends", "follow.feet", "follow.transitions"]) stage.dots(id, null);
    dropBands(stage, 0);
    hidePauses(stage);
    hideObstacles(stage);
    showMissed(stage, [], []);
    for (const id of [...ghostIds]) dropGhost(stage, id);
    stage.drop(ACTOR);
  };
}

/** Step back where a part of the path, or of a walk without one, lies outside the picture or under words. */
function seeAll(stage: Stage): void {
  const walk = mode.value === "path" ? null : answer.value;
  const line = walk ? track(walk.motion, 0).map(([x, , z]): Point => [x, z]) : lineOf(course.value.drawing);
  const outside = line.some((point, i) => (i % 10 === 0 || i === line.length - 1) && !stage.sees([point[0]!, 0, point[1]!]));
  if (outside) stage.camera.look("fit");
}

function showPath(stage: Stage): void {
  const line = shownLine.value;
  const visible = layers.value.path && mode.value === "path";
  const points = visible && line.length > 1 ? lifted(line, HEIGHT.path) : null;
  // under a walk it is thin: what is shown then are the footprints
  const walked = answer.value !== null && !stroke.value;
  stage.line("follow.path", points, { colour: "c-path", width: walked ? 3 : 6, opacity: walked ? 0.8 : 1 });
  const first = points?.[0];
  const last = points?.at(-1);
  stage.dots("follow.ends", first && last && !stroke.value ? [first, last] : null, { colour: "c-path", shape: "ring", size: 0.22 });
}

let bands = 0;

function showBands(stage: Stage): void {
  const visible = layers.value.path && mode.value === "path" && !stroke.value;
  const line = lineOf(course.value.drawing);
  const stretches = visible ? within(course.value.stretches, length(line)) : [];
  let count = 0;
  const show = (from: number, to: number, colour: string, opacity: number, width = 14): void => {
    stage.line(`follow.band.${count}`, lifted(piece(line, from, to), HEIGHT.band + 0.0005 * count), { colour, width, opacity });
    count += 1;
  };
  for (const one of stretches) show(one.first, one.last, labelColour(one.label), 0.4, 16);
  const now = painting.value;
  // within it, narrower, what came of it
  const found = stretches.length && !now && !problem.value ? given(answer.value?.facts.quality) : [];
  for (const one of found) show(one.first, one.last, labelColour(one.label), 1, 6);
  if (now && visible) {
    const label = paintLabel();
    show(Math.min(now.from, now.to), Math.max(now.from, now.to), label ? labelColour(label) : "--text-3", 0.85);
  }
  dropBands(stage, count);
  bands = count;
}

function dropBands(stage: Stage, from: number): void {
  for (let i = from; i < bands; i++) stage.line(`follow.band.${i}`, null);
}

function showControls(stage: Stage): void {
  const visible = mode.value === "path" && tool.value === "points" && layers.value.path && !stroke.value;
  const controls = visible ? pointsOf(course.value.drawing) : [];
  const places = controls.map(([x, z]) => ({ x: x!, y: HEIGHT.transition, z: z! }));
  stage.handles(
    "follow.controls",
    places.length ? places : null,
    {
      move(index, place, phase, event) {
        batch(() => {
          dragging.value = phase !== "end";
          moveControl(index, [place.x, place.z], event instanceof KeyboardEvent ? "key" : phase === "end" ? "end" : "drag");
        });
      },
      select: (index, event) => chooseAt(index, event instanceof PointerEvent && event.shiftKey),
      remove: removeClicked,
      insert: (place) => insert([place.x, place.z]),
    },
    { colour: "c-path" },
  );
  stage.selectHandle("follow.controls", chosen.value ?? -1, others.value);
}

function showWalk(stage: Stage, now: Answer | null): void {
  const { walked, feet, transitions } = layers.value;
  const way = now ? track(now.motion, HEIGHT.walked) : [];
  stage.line("follow.walked", walked && way.length ? way : null, { colour: "c-walked", width: 2 });
  showMissed(stage, now && mode.value === "path" && !aroundSomething(now.question.body) ? missed(floats(now.pack, "deviation_cm")) : [], way);
  const marks = (now?.facts.transitions ?? []).flatMap(({ first, length: frames }) => {
    const spot = way[Math.min(way.length - 1, Math.round(first + frames / 2))];
    return spot ? [[spot[0], HEIGHT.transition, spot[2]]] : [];
  });
  stage.dots("follow.transitions", transitions && marks.length ? marks : null, { colour: "c-transition", size: 0.1 });
  const prints = feet && now ? footprints(now.facts.plants) : [];
  stage.dots("follow.feet", prints.length ? prints.map(({ x, z }) => [x, HEIGHT.feet, z]) : null, {
    colour: prints.map(({ foot }) => (foot === "left" ? "c-left" : "c-right")),
    shape: "foot",
    headings: prints.map(({ heading }) => heading),
    feet: prints.map(({ foot }) => foot),
    opacity: 0.75,
  });
}

let misses = 0;

/** Where the walk is off its path it is red, whatever else is shown. */
function showMissed(stage: Stage, stretches: readonly Missed[], way: readonly Spot[]): void {
  stretches.forEach(({ first, last }, index) => {
    const part = way.slice(Math.max(first - 1, 0), last + 1).map(([x, , z]): Spot => [x, HEIGHT.missed, z]);
    stage.line(`follow.missed.${index}`, part.length > 1 ? part : null, { colour: "danger", width: 5 });
  });
  for (let index = stretches.length; index < misses; index++) stage.line(`follow.missed.${index}`, null);
  misses = stretches.length;
}

function showActor(stage: Stage, now: Answer | null): void {
  const actor = stage.actor(ACTOR);
  const style = { figure: figure.value, visible: layers.value.character && now !== null };
  if (!now) return actor.setStyle(style);
  actor.setMotion(now.motion, bodies.get(now.motion.body) ?? null);
  actor.setStyle(style);
  if (bodies.has(now.motion.body)) return;
  void dress(now.facts.id, now.motion, (body) => answer.value?.motion.body === now.motion.body && actor.setBody(body));
}

type AnyBody = Awaited<ReturnType<typeof resultBody>>;
/** bodies that have come: an actor that is shown anew wears its own at once */
const bodies = new Map<string, AnyBody>();

async function dress(id: string, motion: Motion, put: (body: AnyBody) => void): Promise<void> {
  try {
    const body = await resultBody(id, motion);
    bodies.set(motion.body, body);
    put(body);
  } catch (error) {
    complain(error);
  }
}

const ghostIds = new Set<string>();

function showGhosts(stage: Stage): void {
  const wanted = new Set<string>();
  for (const one of shown.value) {
    const motion = ghosts.value.get(one.id);
    if (!motion) continue;
    wanted.add(one.id);
    ghostIds.add(one.id);
    const actor = stage.actor(`follow.kept.${one.id}`);
    actor.setMotion(motion, bodies.get(motion.body) ?? null);
    actor.setStyle({ figure: figure.value, tint: one.colour, opacity: 0.4, visible: layers.value.character });
    if (!bodies.has(motion.body)) void dress(one.id, motion, (body) => ghostIds.has(one.id) && actor.setBody(body));
    const way = layers.value.walked ? track(motion, HEIGHT.ghost) : null;
    stage.line(`follow.kept.${one.id}`, way, { colour: one.colour, width: 2, opacity: 0.9 });
  }
  for (const id of [...ghostIds]) if (!wanted.has(id)) dropGhost(stage, id);
}

function dropGhost(stage: Stage, id: string): void {
  ghostIds.delete(id);
  stage.line(`follow.kept.${id}`, null);
  stage.drop(`follow.kept.${id}`);
}

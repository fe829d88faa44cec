/** What the room puts on the stage: two poses laid on each other, a transition, a clip of the graph, or a walk. */

import { batch, effect, untracked } from "@preact/signals";
import { get, postPack } from "../../api/client";
import { latest } from "../../api/latest";
import type { Pack } from "../../api/pack";
import type { Alignment, Blend, ResultFacts, ResultPack, TransitionPack, TransitionRequest } from "../../api/types";
import { Motion } from "../../motion/motion";
import type { Body } from "../../stage/body";
import type { Stage } from "../../stage/stage";
import { body, clipBody, clipMotion, motionAt, resultBody } from "../../state/motions";
import * as playback from "../../state/playback";
import { clips, complain, figure, server } from "../../state/store";
import { type Lane, type Mark, setLanes } from "../../timeline/lanes";
import type { Matrix } from "./matrix-data";
import { blend, chosen, clipName, detail, drawing, matrix, scene, view, walk } from "./model";

const A = "graph.a";
const B = "graph.b";
const PLAY = "graph.play";
/** seconds of each clip before and after a transition */
const LEAD = 1.2;

let stage: Stage | null = null;
let ends: (() => void)[] = [];
/** what the camera was last set up for: how the user has turned it since then stays */
let framed: "pair" | "play" | null = null;

/** Take the stage: show again what was shown, and a walk as soon as its graph is looked at. */
export function enter(taken: Stage): void {
  stage = taken;
  framed = null;
  let seen: Pack<ResultPack> | null = null;
  again();
  ends = [
    effect(() => {
      for (const id of taken.actors) taken.actor(id).setStyle({ figure: figure.value });
    }),
    effect(() => {
      const pack = view.value === "graph" ? walk.value?.pack : null;
      if (!pack || pack === seen) return;
      seen = pack;
      untracked(showWalk);
    }),
    effect(() => {
      // an empty stage says nothing: somebody stands ready
      if (view.value === "graph" && drawing.value && scene.value.kind === "none" && !walk.value) {
        const first = drawing.value.tracks.findIndex((track) => track.row === 0);
        untracked(() => playClip(Math.max(first, 0), 0, false));
      }
    }),
  ];
}

/** Give the stage back, empty. */
export function leave(taken: Stage): void {
  aligning.cancel();
  for (const end of ends) end();
  for (const id of [A, B, PLAY]) taken.drop(id);
  taken.camera.follow(null);
  setLanes([]);
  stage = null;
}

function again(): void {
  const now = scene.value;
  const minima = matrix.value?.minima;
  if (now.kind === "pair") showPair(now.i, now.j);
  else if (now.kind === "transition") playTransition(now.i, now.j);
  else if (view.value === "graph" && now.kind === "clip") playClip(now.clip, 0, false);
  else if (view.value === "matrix" && minima && chosen.value >= 0) showPair(minima.first[chosen.value]!, minima.second[chosen.value]!);
  else scene.value = { kind: "none" };
}

interface Place {
  pair: Matrix;
  i: number;
  j: number;
}

/** Lay window j of B on window i of A and show both, in the middle of the windows; the timeline runs through them. */
export function showPair(i: number, j: number): void {
  const pair = matrix.value;
  if (pair && stage) aligning.request({ pair, i, j });
}

const aligning = latest(
  async ({ pair, i, j }: Place, signal) => {
    const query = new URLSearchParams({ a: pair.a, b: pair.b, i: `${i}`, j: `${j}`, fps: `${pair.fps}`, window: `${pair.window / pair.fps}` });
    const [alignment, a, b] = await Promise.all([get<Alignment>(`/api/align?${query}`, signal), dressed(pair.a), dressed(pair.b)]);
    return { alignment, a, b };
  },
  ({ alignment, a, b }, { pair, i, j }) => {
    if (!stage || matrix.value !== pair) return;
    const middle = (pair.window - 1) / 2;
    playback.pause();
    batch(() => {
      scene.value = { kind: "pair", i, j };
      playback.setLength(pair.window / pair.fps, pair.fps);
      playback.seek(middle / pair.fps);
    });
    // A's pose stands on the middle of the floor, wherever it was captured: the camera need not move
    const [x, , z] = a.motion.root(((i + middle) / pair.fps) * a.motion.fps);
    const laid = a.motion.body === b.motion.body ? alignment : onRoot([x, z], b.motion, (j + middle) / pair.fps, alignment.angle);
    put(A, a, { angle: 0, x: -x, z: -z }, i / pair.fps, null, 1);
    put(B, b, { angle: laid.angle, x: laid.x - x, z: laid.z - z }, j / pair.fps, "c-transition", 0.45);
    stage.drop(PLAY);
    if (framed === "pair") return;
    setLanes([]);
    frame("pair", A);
    stage.camera.follow(null);
  },
  (problem) => complain(problem),
);

/**
 * The place that turns a motion by an angle and sets its root, at a time, on a point.
 *
 * Clips of unlike bodies are compared on one skeleton, but each is shown on its own: there the alignment holds for the turn alone.
 */
function onRoot([x, z]: [number, number], motion: Motion, time: number, angle: number): { angle: number; x: number; z: number } {
  const [px, , pz] = motion.root(time * motion.fps);
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  return { angle, x: x - cosine * px - sine * pz, z: z - cosine * pz + sine * px };
}

interface Dressed {
  motion: Motion;
  body: Body | null;
}

/** A clip of the workspace with its body. */
async function dressed(id: string): Promise<Dressed> {
  const motion = await clipMotion(id);
  return { motion, body: await clipBody(id, motion) };
}

function put(id: string, { motion, body }: Dressed, place: { angle: number; x: number; z: number }, shift: number, tint: string | null, opacity: number): void {
  if (!stage) return;
  const actor = stage.actor(id);
  actor.setStyle({ figure: figure.value, tint, opacity, visible: true });
  actor.setMotion(motion, body);
  actor.offset = place;
  actor.timeShift = shift;
  actor.setTime(playback.time.value);
}

/** Play the transition from window i of A to window j of B with the chosen blend. */
export function playTransition(i: number, j: number): void {
  const pair = matrix.value;
  if (!pair || !stage) return;
  aligning.cancel();
  transitions.request({ pair, i, j, blend: blend.value });
}

const transitions = latest(
  async ({ pair, i, j, blend }: Place & { blend: Blend }, signal) => {
    const request: TransitionRequest = { a: pair.a, b: pair.b, i, j, fps: pair.fps, window: pair.window / pair.fps, blend, lead: LEAD };
    const pack = await postPack<TransitionPack, TransitionRequest>("/api/transition", request, signal);
    const motion = Motion.of(pack);
    return { motion, body: await body(motion.body, `/api/clips/${pair.a}/body`), ...pack.facts.transition };
  },
  ({ motion, body, first, length }, { pair, i, j }) => {
    if (!stage || matrix.value !== pair) return;
    const [x, , z] = motion.root(first);
    perform({ motion, body }, { angle: 0, x: -x, z: -z });
    scene.value = { kind: "transition", i, j, first, length };
    setLanes([blendLane(pair, motion.frames, first, length)]);
  },
  (problem) => complain(problem),
  { abort: true },
);

/** Whether a transition is being made. */
export const making = transitions.busy;

/** The lane of one transition: A, the blend, B. */
function blendLane(pair: Matrix, frames: number, first: number, length: number): Lane {
  const last = first + length;
  const marks: Mark[] = [
    { first: 0, last: first, colour: "c-original", text: clipName(pair.a) },
    { first, last, colour: "c-transition", text: blend.value },
    { first: last, last: frames, colour: "c-original", text: clipName(pair.b) },
  ];
  return { id: "graph.transition", label: "Transition", marks: marks.filter((mark) => mark.last > mark.first) };
}

/** The lane of a walk: its transitions. */
function walkLane(transitions: ResultFacts["transitions"]): Lane {
  const marks = transitions.map(({ first, length }) => ({ first, last: first + length, colour: "c-transition" }));
  return { id: "graph.transitions", label: "Transitions", marks, onMark: (n) => playback.seekFrame(marks[n]!.first) };
}

/** One motion alone on the stage, at its beginning. */
function perform(who: Dressed, place: { angle: number; x: number; z: number }, play = true): void {
  if (!stage) return;
  stage.drop(A);
  stage.drop(B);
  playback.pause();
  playback.setLength(who.motion.seconds, who.motion.fps);
  put(PLAY, who, place, 0, null, 1);
  frame("play", PLAY);
  if (play) playback.play();
}

/** Turn the camera to an actor and let it follow; from the front and above, unless it has seen such a thing before. */
function frame(what: "pair" | "play", id: string): void {
  if (!stage) return;
  stage.camera.follow(id);
  if (framed !== what) stage.camera.look("three-quarter");
  framed = what;
}

/** Play a clip of the open graph from a second on, or show it there. */
export function playClip(clip: number, from: number, play = true): void {
  const graph = detail.value;
  if (graph && stage) clipping.request({ graph: graph.id, clip, from, play });
}

const clipping = latest(
  async ({ graph, clip }: { graph: string; clip: number; from: number; play: boolean }) => {
    const file = server.value?.graphs.find((one) => one.id === graph);
    const url = `/api/graphs/${graph}/clips/${clip}/motion`;
    const motion = await motionAt(url, `${url} ${file?.modified ?? ""} ${file?.size ?? ""}`);
    return { motion, body: await bodyLike(motion) };
  },
  (who, { graph, clip, from, play }) => {
    if (!stage || detail.value?.id !== graph) return;
    aligning.cancel();
    perform(who, { angle: 0, x: 0, z: 0 }, play);
    playback.seek(from);
    scene.value = { kind: "clip", clip };
    setLanes([]);
  },
  (problem) => complain(problem),
  { abort: true },
);

/** The body of a clip that has the same skeleton; none where no clip has it any more. */
async function bodyLike(motion: Motion): Promise<Body | null> {
  const same = clips.value.find((clip) => clip.info?.skeleton === motion.body);
  return same ? body(motion.body, `/api/clips/${same.id}/body`) : null;
}

/** Show the walk that was made last, on its own ground. */
export function showWalk(): void {
  const now = walk.value;
  if (!now || !stage) return;
  aligning.cancel();
  const { pack } = now;
  const motion = Motion.of(pack);
  const { id, transitions } = pack.facts.result;
  perform({ motion, body: null }, { angle: 0, x: 0, z: 0 });
  scene.value = { kind: "walk" };
  setLanes([walkLane(transitions)]);
  resultBody(id, motion)
    .then((body) => scene.value.kind === "walk" && stage?.actor(PLAY).setMotion(motion, body))
    .catch(complain);
}

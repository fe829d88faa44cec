/** What is set in the room, and what came of it. */

import { batch, computed, effect, signal } from "@preact/signals";
import type { Pack } from "../../api/pack";
import type { GraphDetail, ResultFacts, ResultPack, Turns } from "../../api/types";
import type { Motion } from "../../motion/motion";
import { length, type Point } from "../../motion/spline";
import { History, keepSteps } from "../../state/history";
import { keep, recall } from "../../state/persist";
import { persisted, selection, server } from "../../state/store";
import { EMPTY, lineOf, stroke as strokeOf, USUAL_SMOOTHING, type Drawing } from "./drawing";
import {
  followQuestion, orderQuestion, wanderQuestion,
  type Course, type Following, type Making, type Mode, type Ordering, type Question, type Wandering,
} from "./request"; // prettier-ignore
import type { Stretch } from "./sections";
import { offered } from "./several";

export type Tool = "draw" | "points" | "paint" | "pause" | "obstacle" | "look";

/** What is shown on the stage. */
export interface Layers {
  readonly path: boolean;
  readonly walked: boolean;
  readonly feet: boolean;
  readonly transitions: boolean;
  readonly character: boolean;
}

/** What the server answered, with the motion of it. */
export interface Answer {
  readonly question: Question;
  readonly facts: ResultFacts;
  readonly pack: Pack<ResultPack>;
  readonly motion: Motion;
}

/** A newcomer expects a walk; without a label the search may run. */
const FIRST_LABEL = "walk";
const COURSE = "follow.course";
/** Milliseconds for which a path must rest before it is kept: a drag is not written at every move. */
const REST = 300;

const isRecord = (value: unknown): boolean => typeof value === "object" && value !== null;
const oneOf = (...names: string[]) => (value: unknown) => names.includes(value as string);

export const mode = persisted<Mode>("follow.mode", "path", oneOf("path", "random", "sequence"));
export const tool = persisted<Tool>("follow.tool", "draw", oneOf("draw", "points", "paint", "pause", "obstacle", "look"));
export const making = persisted<Making>("follow.making", { blend: "anticipation", clean: true }, isRecord);
export const following = persisted<Following>(
  "follow.following",
  { search: "fast", warp: true, start: "", speed: 0, prefer: {} },
  (value) => isRecord(value) && isRecord((value as Following).prefer),
);
export const wandering = persisted<Wandering>("follow.wandering", { seconds: 20, seed: 1, label: "", pool: 0 }, isRecord);
export const ordering = persisted<Ordering>(
  "follow.ordering",
  { steps: [], stay: 1 },
  (value) => isRecord(value) && Array.isArray((value as Ordering).steps),
);
export const layers = persisted<Layers>(
  "follow.layers",
  { path: true, walked: true, feet: true, transitions: true, character: true },
  isRecord,
);
/** whether a line was ever drawn by hand here: who has done so needs no invitation */
export const hasDrawn = persisted<boolean>("follow.drawn", false, (value) => typeof value === "boolean");
/** label that is painted; "" wipes */
export const brush = persisted<string>("follow.brush", "walk", (value) => typeof value === "string");
/** metres over which the next stroke is smoothed */
export const smoothing = persisted<number>("follow.smoothing", USUAL_SMOOTHING, (value) => typeof value === "number");

/** The path with its labels, and how it became what it is. */
export const history = new History<Course>(mended(recall<Course | null>(COURSE, null)) ?? { drawing: EMPTY, label: FIRST_LABEL, stretches: [] });
keepSteps("follow.steps", history, mended);
export const course = history.value;

/** the stroke under the pen, whole; null between strokes */
export const stroke = signal<readonly Point[] | null>(null);
/** the stroke as far as it was last asked for */
export const strokeSoFar = signal<readonly Point[] | null>(null);
/** counts the paths that were not drawn by hand: they may lie outside the picture */
export const placed = signal(0);
/** whether something is being dragged: answers are then wanted as it goes */
export const dragging = signal(false);
/** the control that keys move */
export const chosen = signal<number | null>(null);
/** controls that are moved and removed along with it */
export const others = signal<ReadonlySet<number>>(new Set());
/** the stretch that is being painted, in metres */
export const painting = signal<{ readonly from: number; readonly to: number } | null>(null);

export const searching = signal(false);
export const problem = signal<{ readonly sentence: string; readonly status: number } | null>(null);
export const answer = signal<Answer | null>(null);
export const graphDetail = signal<GraphDetail | null>(null);
/** how tightly people turn in the graph; null until that has been tried out */
export const turns = signal<Turns | null>(null);

/** graphs that can be used */
export const graphs = computed(() => (server.value?.graphs ?? []).filter((graph) => graph.error === null && graph.clips !== 0));
/** the one that is used: the chosen one, else the first */
export const graph = computed(() => graphs.value.find((one) => one.id === selection.value.graph) ?? graphs.value[0] ?? null);
/** labels that frames of the graph bear; those that a walk can keep to come first */
export const ownLabels = computed(() => graphDetail.value?.labels ?? []);
/** what was said of several labels at once, the newest last */
export const several = persisted<readonly string[]>("follow.several", [], Array.isArray);
/** what can be asked for: labels of the graph, and several of them at once */
export const labels = computed(() => offered(ownLabels.value, several.value));
/** names of the graph's clips */
export const clipNames = computed(() => (graphDetail.value?.clips ?? []).map((clip) => clip.name));

/** the path on the floor: the stroke as it is drawn, else the path as it is */
export const shownLine = computed<readonly Point[]>(() => stroke.value ?? lineOf(course.value.drawing));
/** its length in metres */
export const shownLength = computed(() => length(shownLine.value));

/** The course that is asked for: with the stroke so far, while one is drawn. */
const askedCourse = computed<Course>(() => {
  const drawn = strokeSoFar.value && strokeOf(strokeSoFar.value, smoothing.value);
  return drawn ? { ...course.value, drawing: drawn } : course.value;
});

/** What is to be asked of the server as things are; null where something is missing. */
export const question = computed<Question | null>(() => {
  const id = graph.value?.id;
  if (!id || graphDetail.value?.id !== id) return null;
  if (mode.value === "random") return wanderQuestion(id, wandering.value, making.value, labels.value);
  if (mode.value === "sequence") return orderQuestion(id, ordering.value, making.value);
  return followQuestion(id, askedCourse.value, following.value, making.value, labels.value, clipNames.value);
});

/** Make an edit of the path or its labels a step that can be undone. */
export function edit(part: Partial<Course>): void {
  history.commit({ ...history.value.value, ...part });
}

/** Show an edit that is not finished, as while a point is dragged. */
export function preview(part: Partial<Course>): void {
  history.preview({ ...history.value.value, ...part });
}

/** Show an edit by a key; those in quick succession are one step. */
export function nudged(part: Partial<Course>): void {
  history.nudge({ ...history.value.value, ...part });
}

/** Make a new drawing the path: the chosen control belongs to the old one. */
export function draw(drawing: Drawing): void {
  batch(() => {
    chosen.value = null;
    edit({ drawing });
  });
}

/** One step back. */
export function undo(): void {
  batch(() => {
    chosen.value = null;
    history.undo();
  });
}

/** One step forward again. */
export function redo(): void {
  batch(() => {
    chosen.value = null;
    history.redo();
  });
}

/** A course that was kept; null where it is something else. JSON has no Infinity: an open end comes back as null. */
function mended(kept: Course | null): Course | null {
  if (!kept || !Array.isArray(kept.stretches) || !isRecord(kept.drawing)) return null;
  const stretches = kept.stretches.map((one: Stretch) => ({ ...one, last: one.last ?? Infinity }));
  const obstacles = Array.isArray(kept.obstacles) ? kept.obstacles : [];
  const pauses = Array.isArray(kept.pauses) ? kept.pauses : [];
  return { drawing: kept.drawing, label: kept.label ?? "", stretches, ...(obstacles.length ? { obstacles } : {}), ...(pauses.length ? { pauses } : {}) };
}

let resting: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const now = course.value;
  clearTimeout(resting);
  // for tabs to come; this one has its own steps
  resting = setTimeout(() => keep(COURSE, now), REST);
});

// who chooses none has chosen no others
effect(() => {
  if (chosen.value === null && others.peek().size) others.value = new Set();
});

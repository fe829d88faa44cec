/** What would mend a walk: changes of what is asked, of which only those are offered that were tried and help. */

import { batch, effect, signal } from "@preact/signals";
import { floats, type Pack } from "../../api/pack";
import { isAborted, postPack } from "../../api/client";
import type { FollowRequest, ResultPack } from "../../api/types";
import { MOST_SMOOTHING, smoothed } from "./drawing";
import { aroundSomething, missed } from "./missed";
import { followQuestion, wanderQuestion, type Course, type Following, type Question, type Wandering } from "./request";
import { answer, chosen, clipNames, course, dragging, edit, following, graph, labels, making, mode, problem, searching, stroke, wandering } from "./state";

/** All that can be changed. */
export interface Asked {
  readonly course: Course;
  readonly following: Following;
  readonly wandering: Wandering;
}

/** A change that may mend a walk. changed: null where there is nothing to change. */
export interface Remedy {
  readonly words: string;
  changed(now: Asked): Asked | null;
}

const without = (words: string, part: Partial<Following>, is: (now: Following) => boolean): Remedy => ({
  words,
  changed: (now) => (is(now.following) ? { ...now, following: { ...now.following, ...part } } : null),
});

/** Metres over which a path is smoothed to have wider turns: as little as helps. */
const WIDER = [0.3, 0.6, 1, MOST_SMOOTHING];

const wider = (width: number): Remedy => ({
  words: "Wider turns",
  changed: (now) => (now.course.drawing.source && now.course.drawing.smooth < width ? { ...now, course: { ...now.course, drawing: smoothed(now.course.drawing, width) } } : null),
});

/** Along a path. Of those that are called the same, the first that helps is offered. */
export const ON_PATH: readonly Remedy[] = [
  {
    words: "Any label",
    changed: (now) => (now.course.label || now.course.stretches.length ? { ...now, course: { ...now.course, label: "", stretches: [] } } : null),
  },
  { words: "No obstacles", changed: (now) => (now.course.obstacles?.length ? { ...now, course: { ...now.course, obstacles: [] } } : null) },
  without("As long as it takes", { limit: null }, (now) => now.limit != null),
  without("Face any way at first", { heading: null }, (now) => now.heading != null),
  without("Face any way at the end", { endHeading: null }, (now) => now.endHeading != null),
  without("All transitions", { avoid: [] }, (now) => (now.avoid?.length ?? 0) > 0),
  without("Start with anything", { start: "" }, (now) => now.start !== ""),
  without("At any speed", { speed: 0 }, (now) => now.speed > 0),
  { words: "No pauses", changed: (now) => (now.course.pauses?.length ? { ...now, course: { ...now.course, pauses: [] } } : null) },
  without("Bend clips to fit", { unbent: false }, (now) => now.unbent === true),
  ...WIDER.map(wider),
];

/** At random. */
export const AT_RANDOM: readonly Remedy[] = [
  { words: "Any label", changed: (now) => (now.wandering.label ? { ...now, wandering: { ...now.wandering, label: "" } } : null) },
  { words: "All transitions", changed: (now) => (now.wandering.pool > 0 ? { ...now, wandering: { ...now.wandering, pool: 0 } } : null) },
];

/** Whether there is something to mend: it cannot be, ends early, or leaves its path where it could have gone along it. */
export function isFaulty(facts: { readonly short: string | null }, off: ArrayLike<number> | null): boolean {
  return facts.short !== null || (off !== null && missed(off).length > 0);
}

function faulty(pack: Pack<ResultPack>, asked: object): boolean {
  const along = "path" in asked && !aroundSomething(asked);
  return isFaulty(pack.facts.result, along ? floats(pack, "deviation_cm") : null);
}

/** what helps, and whether more is being tried */
export const remedies = signal<readonly { readonly words: string; apply(): void }[]>([]);
export const trying = signal(false);
/** whether all was tried */
export const tried = signal(false);

/** Milliseconds for which a fault must stay before anything is tried, and walks that are kept in a trial. */
const REST = 400;
const WIDTH = 150;

const now = (): Asked => ({ course: course.peek(), following: following.peek(), wandering: wandering.peek() });

function apply(to: Asked): void {
  batch(() => {
    if (to.course !== course.peek()) {
      chosen.value = null;
      edit(to.course);
    }
    following.value = to.following;
    wandering.value = to.wandering;
  });
}

function questionOf(asked: Asked): Question | null {
  const id = graph.peek()?.id;
  if (!id) return null;
  if (mode.peek() === "random") return wanderQuestion(id, asked.wandering, making.peek(), labels.peek());
  const wanted = followQuestion(id, asked.course, asked.following, making.peek(), labels.peek(), clipNames.peek());
  return wanted && { ...wanted, body: { ...(wanted.body as FollowRequest), width: WIDTH } };
}

async function mends(wanted: Question, abort: AbortSignal): Promise<boolean> {
  try {
    return !faulty(await postPack<ResultPack, Question["body"]>(wanted.url, wanted.body, abort), wanted.body);
  } catch (failure) {
    if (isAborted(failure)) throw failure;
    return false; // it cannot be done in this way either
  }
}

async function tryAll(abort: AbortSignal): Promise<void> {
  const asked = now();
  for (const one of mode.peek() === "path" ? ON_PATH : AT_RANDOM) {
    if (remedies.peek().some(({ words }) => words === one.words)) continue;
    const changed = one.changed(asked);
    const wanted = changed && questionOf(changed);
    if (!wanted || !(await mends(wanted, abort)) || abort.aborted) continue;
    remedies.value = [...remedies.peek(), { words: one.words, apply: () => apply(changed!) }];
  }
}

/** Try what would help whenever a walk is faulty, for as long as the room is open; returns what ends it. */
export function startMending(): () => void {
  let abort: AbortController | null = null;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(resting);
    abort?.abort();
    abort = null;
    trying.value = false;
    tried.value = false;
  };
  const end = effect(() => {
    const made = answer.value;
    const busy = searching.value || stroke.value !== null || dragging.value;
    const fault = problem.value ? problem.value.status === 409 || problem.value.status === 422 : made !== null && faulty(made.pack, made.question.body);
    stop();
    remedies.value = [];
    if (busy || !fault || mode.value === "sequence") return;
    trying.value = true;
    resting = setTimeout(() => {
      const mine = (abort = new AbortController());
      tryAll(mine.signal)
        .catch(() => {})
        .finally(() => {
          if (abort !== mine) return;
          trying.value = false;
          tried.value = true;
        });
    }, REST);
  });
  return () => {
    end();
    stop();
    remedies.value = [];
  };
}

/** Undo and redo: the steps of one edited value. Values are taken as they are and must not be changed afterwards. */

import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { keep, recall } from "./persist";

const LIMIT = 200;
/** Milliseconds of rest after which nudges are one step. */
const NUDGED = 500;

/** What was, is, and was undone, the nearest last. */
export interface Steps<T> {
  readonly past: readonly T[];
  readonly now: T;
  readonly future: readonly T[];
}

/** The history of one value. `value` is what is shown: the last step, or a preview of the next one while something is dragged. */
export class History<T> {
  private readonly shown;
  private readonly past = signal<readonly T[]>([]);
  private readonly future = signal<readonly T[]>([]);
  private settled: T;
  private resting: ReturnType<typeof setTimeout> | null = null;

  /** All steps, as they can be kept and restored; a preview is none of them. */
  readonly steps: ReadonlySignal<Steps<T>> = computed(() => {
    void this.shown.value;
    return { past: this.past.value, now: this.settled, future: this.future.value };
  });
  /** What is shown now. */
  readonly value: ReadonlySignal<T>;
  readonly canUndo: ReadonlySignal<boolean> = computed(() => this.past.value.length > 0);
  readonly canRedo: ReadonlySignal<boolean> = computed(() => this.future.value.length > 0);

  constructor(
    initial: T,
    private readonly limit = LIMIT,
  ) {
    this.settled = initial;
    this.shown = signal<T>(initial);
    this.value = this.shown;
  }

  /** Show a value that is not a step yet, as while a point is dragged. */
  preview(value: T): void {
    this.shown.value = value;
  }

  /** Show a value that becomes a step by itself: by keys in quick succession something is moved once. */
  nudge(value: T): void {
    this.shown.value = value;
    if (this.resting !== null) clearTimeout(this.resting);
    this.resting = setTimeout(() => this.settle(), NUDGED);
  }

  /** Make nudges a step, if they are none yet. */
  settle(): void {
    if (this.resting !== null) this.commit(this.shown.peek());
  }

  /** Drop the preview: show the last step again. */
  revert(): void {
    this.rest();
    this.shown.value = this.settled;
  }

  /** Make a value the next step; what was undone can no longer be redone. */
  commit(value: T): void {
    this.rest();
    this.past.value = [...this.past.value, this.settled].slice(-this.limit);
    this.future.value = [];
    this.settled = value;
    this.shown.value = value;
  }

  /** Back by one step. Whether there was one. */
  undo(): boolean {
    this.settle();
    const before = this.past.value.at(-1);
    if (this.past.value.length === 0) return false;
    this.past.value = this.past.value.slice(0, -1);
    this.future.value = [...this.future.value, this.settled];
    this.settled = before as T;
    this.shown.value = this.settled;
    return true;
  }

  /** Forward again by one step. Whether there was one. */
  redo(): boolean {
    this.settle();
    const after = this.future.value.at(-1);
    if (this.future.value.length === 0) return false;
    this.future.value = this.future.value.slice(0, -1);
    this.past.value = [...this.past.value, this.settled];
    this.settled = after as T;
    this.shown.value = this.settled;
    return true;
  }

  /** Begin a new history at a value, as when something else is opened. */
  reset(value: T): void {
    this.rest();
    this.past.value = [];
    this.future.value = [];
    this.settled = value;
    this.shown.value = value;
  }

  /** Take up steps that were kept. */
  restore(steps: Steps<T>): void {
    this.reset(steps.now);
    this.past.value = steps.past.slice(-this.limit);
    this.future.value = steps.future.slice(-this.limit);
  }

  private rest(): void {
    if (this.resting !== null) clearTimeout(this.resting);
    this.resting = null;
  }
}

/** Milliseconds for which a value must rest before it is kept: a drag is not written at every move. */
const REST = 300;
/** Characters that the steps of one thing may take of the browser's storage; of more, the oldest go. */
const ROOM = 1_000_000;

/**
 * Keep a history for this tab, so that undo survives a reload; what was kept is taken up again. Another tab has steps of its own.
 * mend: what comes back of a value that was kept, null where it is none any more.
 */
export function keepSteps<T>(key: string, history: History<T>, mend: (value: T) => T | null): void {
  const kept = recall<Steps<T> | null>(key, null, isSteps, "tab");
  const now = kept && mend(kept.now);
  if (kept && now !== null) {
    const mended = (values: readonly T[]): T[] => values.map(mend).filter((value): value is T & {} => value !== null);
    history.restore({ past: mended(kept.past), now, future: mended(kept.future) });
  }
  let resting: ReturnType<typeof setTimeout> | undefined;
  const write = (): void => keep(key, fitting(history.steps.peek(), ROOM), "tab");
  effect(() => {
    void history.steps.value;
    clearTimeout(resting);
    resting = setTimeout(write, REST);
  });
  // who closes or reloads at once has not lost the last step
  globalThis.addEventListener?.("pagehide", write);
}

/** As many steps as take no more than `room` characters, the newest. */
export function fitting<T>(steps: Steps<T>, room: number): Steps<T> {
  let { past, future } = steps;
  const size = (): number => JSON.stringify({ past, now: steps.now, future }).length;
  while ((past.length || future.length) && size() > room) {
    past = past.slice(Math.ceil(past.length / 2));
    future = future.slice(Math.ceil(future.length / 2));
  }
  return { past, now: steps.now, future };
}

function isSteps(value: unknown): boolean {
  const steps = value as Partial<Steps<unknown>> | null;
  return typeof steps === "object" && steps !== null && Array.isArray(steps.past) && Array.isArray(steps.future) && "now" in steps;
}

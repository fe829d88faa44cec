/** Undo and redo: the steps of one edited value. Values are taken as they are and must not be changed afterwards. */

import { computed, type ReadonlySignal, signal } from "@preact/signals";

const LIMIT = 200;
/** Milliseconds of rest after which nudges are one step. */
const NUDGED = 500;

/** The history of one value. `value` is what is shown: the last step, or a preview of the next one while something is dragged. */
export class History<T> {
  private readonly shown;
  private readonly past = signal<readonly T[]>([]);
  private readonly future = signal<readonly T[]>([]);
  private settled: T;
  private resting: ReturnType<typeof setTimeout> | null = null;

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

  private rest(): void {
    if (this.resting !== null) clearTimeout(this.resting);
    this.resting = null;
  }
}

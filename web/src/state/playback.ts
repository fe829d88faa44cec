/** Time as the whole page sees it: one clock for the stage, the timeline and every plot. */
import { batch, computed, signal } from "@preact/signals";
import { persisted } from "./persist";

export const SPEEDS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4];
export const SLOWEST = 0.1;
export const FASTEST = 4;

/** seconds from the beginning of what is shown */
export const time = signal(0);
/** seconds; 0 where nothing is shown */
export const duration = signal(0);
export const fps = signal(30);
/** counts the times at which something came to be shown */
export const comings = signal(0);
export const playing = signal(false);
export const speed = persisted("speed", 1, (value) => typeof value === "number" && value >= SLOWEST && value <= FASTEST);
export const loop = persisted("loop", true, (value) => typeof value === "boolean");
/** the part that is played, in seconds; null: all of it */
export const range = signal<{ first: number; last: number } | null>(null);

/** the whole number of frames there are */
export const frames = computed(() => Math.max(Math.round(duration.value * fps.value), 0));
/** the frame that is shown, whole */
export const frame = computed(() => frameAt(time.value, fps.value, frames.value));

/** The frame of a time: each is shown for 1/fps. */
export function frameAt(seconds: number, rate: number, count: number): number {
  return Math.min(Math.max(Math.floor(seconds * rate + 1e-6), 0), Math.max(count - 1, 0));
}

/** The time `elapsed` seconds later, and whether it goes on from there. Pure: the clock below only calls it. */
export function advance(now: number, elapsed: number, from: number, to: number, around: boolean): { time: number; playing: boolean } {
  const length = to - from;
  if (length <= 0) return { time: from, playing: false };
  const next = now + elapsed;
  if (next < to) return { time: Math.max(next, from), playing: true };
  if (!around) return { time: to, playing: false };
  return { time: from + ((next - from) % length), playing: true };
}

let ticking = 0;
let before = 0;
let breath: () => number = () => 0;

/** Milliseconds at least between two ticks, asked at each: where pictures are slow, all that changes with time waits for them. */
export function breathe(between: () => number): void {
  breath = between;
}

// What acts does not listen: an effect that plays something must not play it again when somebody pauses it.

/** Show something else: its length and rate. Time is kept where it fits, begun anew otherwise. */
export function setLength(seconds: number, rate: number, keepTime = false): void {
  batch(() => {
    duration.value = seconds;
    fps.value = rate;
    // not read as others read it: whoever shows something may be an effect
    if (seconds > 0) comings.value = comings.peek() + 1;
    range.value = null;
    if (!keepTime) time.value = 0;
    else if (time.peek() > end()) time.value = Math.max(end(), 0);
  });
}

/** Play from here; from the beginning where it is at the end. */
export function play(): void {
  if (playing.peek() || duration.peek() <= 0) return;
  const { first, last } = bounds();
  if (time.peek() >= last - 1e-6 || time.peek() < first) time.value = first;
  playing.value = true;
  before = performance.now();
  ticking = requestAnimationFrame(tick);
}

/** Play what has just come, unless whoever looks has asked for nothing to move by itself. */
export function playNew(): void {
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) play();
}

export function pause(): void {
  if (!playing.peek()) return;
  playing.value = false;
  cancelAnimationFrame(ticking);
}

export function toggle(): void {
  if (playing.peek()) pause();
  else play();
}

/** Pause and go so many frames on, or back. */
export function step(count: number): void {
  pause();
  seekFrame(frame.peek() + count);
}

/** Go to a time in seconds, held to what there is. */
export function seek(seconds: number): void {
  time.value = Math.min(Math.max(seconds, 0), Math.max(end(), 0));
}

/** Go to a frame. */
export function seekFrame(index: number): void {
  seek(Math.min(Math.max(index, 0), Math.max(frames.peek() - 1, 0)) / fps.peek());
}

/** The next slower (−1) or faster (+1) of the usual speeds. */
export function changeSpeed(direction: number): void {
  const now = speed.peek();
  const next = direction > 0 ? SPEEDS.find((value) => value > now + 1e-6) : SPEEDS.findLast((value) => value < now - 1e-6);
  if (next !== undefined) speed.value = next;
}

/** time of the last frame: nothing comes after it */
function end(): number {
  return Math.max(duration.peek() - 1 / fps.peek(), 0);
}

function bounds(): { first: number; last: number } {
  const part = range.peek();
  return part ? { first: part.first, last: Math.min(part.last, end()) } : { first: 0, last: end() };
}

function tick(now: number): void {
  if (now - before < breath()) {
    ticking = requestAnimationFrame(tick);
    return;
  }
  // a tab that slept, or a slow frame, does not jump: it goes on
  const elapsed = Math.min((now - before) / 1000, Math.max(0.25, (2 * breath()) / 1000)) * speed.value;
  before = now;
  const { first, last } = bounds();
  const next = advance(time.value, Math.max(elapsed, 0), first, last, loop.value);
  batch(() => {
    time.value = next.time;
    playing.value = next.playing;
  });
  if (next.playing) ticking = requestAnimationFrame(tick);
}

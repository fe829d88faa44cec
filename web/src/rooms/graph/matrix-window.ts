/** What is seen of the heat-map, and how pointer and keys go about in it. */

import { computed, signal } from "@preact/signals";
import type { Gestures } from "./gestures";
import { cellFrame, type Matrix, wholeSpan } from "./matrix-data";
import type { Box, Seen } from "./matrix-draw";
import { nearest, stepped } from "./minima";
import { chosen, hovered, matrix } from "./model";
import { moved, toPixel, toValue, zoomed } from "./scale";
import { playTransition, showPair } from "./scene";
import type { Zooming } from "./zoom-buttons";

function whole(now: Matrix): Seen {
  return { i: wholeSpan(now, now.rows), j: wholeSpan(now, now.columns) };
}

/** What is seen of which matrix; another matrix is seen whole. */
const zoom = signal<{ of: Matrix; seen: Seen } | null>(null);
export const seen = computed<Seen | null>(() => {
  const now = matrix.value;
  if (!now) return null;
  return zoom.value?.of === now ? zoom.value.seen : whole(now);
});

/** The box of the last drawing: gestures come between drawings. */
let box: Box = { left: 0, top: 0, right: 1, bottom: 1 };

/** Note where the map has been drawn. */
export function drawnIn(place: Box): void {
  box = place;
}

/** Where a transition was started with the pointer: poses are not shown again until it has gone some way from there. */
let played: { x: number; y: number } | null = null;
const AWAY = 36;
/** Pixels within which a click takes a minimum. */
const REACH = 14;
/** How much nearer a key or a button comes. */
const CLOSER = 0.6;

function frames(x: number, y: number): { i: number; j: number } | null {
  const [now, part] = [matrix.value, seen.value];
  if (!now || !part || x < box.left || x > box.right || y < box.top || y > box.bottom) return null;
  return {
    i: cellFrame(now, toValue(part.i, y, box.bottom, box.top), now.rows),
    j: cellFrame(now, toValue(part.j, x, box.left, box.right), now.columns),
  };
}

/** The minimum near a place, as a click there would take it; -1: none. */
export function minimumAt(i: number, j: number): number {
  const [now, part] = [matrix.value, seen.value];
  if (!now || !part) return -1;
  const perI = (box.bottom - box.top) / (part.i.high - part.i.low);
  const perJ = (box.right - box.left) / (part.j.high - part.j.low);
  return nearest(now.minima, i, j, perI, perJ, REACH);
}

function zoomAt(factor: number, x: number, y: number): void {
  const [now, part] = [matrix.value, seen.value];
  if (!now || !part) return;
  const all = whole(now);
  const least = 8 * now.step;
  zoom.value = {
    of: now,
    seen: {
      i: zoomed(part.i, all.i, toValue(part.i, y, box.bottom, box.top), factor, least),
      j: zoomed(part.j, all.j, toValue(part.j, x, box.left, box.right), factor, least),
    },
  };
}

/** What the pointer does. */
export const gestures: Gestures = {
  zoom: zoomAt,
  pan(dx: number, dy: number) {
    const [now, part] = [matrix.value, seen.value];
    if (!now || !part) return;
    const all = whole(now);
    const perX = (part.j.high - part.j.low) / (box.right - box.left);
    const perY = (part.i.high - part.i.low) / (box.bottom - box.top);
    zoom.value = { of: now, seen: { i: moved(part.i, all.i, dy * perY), j: moved(part.j, all.j, -dx * perX) } };
  },
  click(x: number, y: number) {
    const at = frames(x, y);
    const now = matrix.value;
    if (!at || !now) return;
    const near = minimumAt(at.i, at.j);
    chosen.value = near;
    played = { x, y };
    if (near >= 0) playTransition(now.minima.first[near]!, now.minima.second[near]!);
    else playTransition(at.i, at.j);
  },
  hover(x: number, y: number) {
    const at = frames(x, y);
    hovered.value = at;
    if (!at) return;
    if (played && Math.hypot(x - played.x, y - played.y) < AWAY) return;
    played = null;
    showPair(at.i, at.j);
  },
  leave() {
    hovered.value = null;
  },
};

/** Choose the next minimum by cost and show its poses; it is brought into view. */
export function stepMinimum(by: number): void {
  const now = matrix.value;
  if (!now) return;
  const next = stepped(now.minima.cost.length, chosen.value, by);
  if (next < 0) return;
  chosen.value = next;
  const [i, j] = [now.minima.first[next]!, now.minima.second[next]!];
  const part = seen.value;
  if (part && !isSeen(part, i, j)) {
    const all = whole(now);
    const centre = (span: Seen["i"], limits: Seen["i"], value: number) => moved(span, limits, value - (span.low + span.high) / 2);
    zoom.value = { of: now, seen: { i: centre(part.i, all.i, i), j: centre(part.j, all.j, j) } };
  }
  showPair(i, j);
}

/** Play the transition at the chosen minimum. */
export function playChosen(): void {
  const now = matrix.value;
  const n = chosen.value;
  if (now && n >= 0) playTransition(now.minima.first[n]!, now.minima.second[n]!);
}

/** Come nearer to the chosen minimum, or to the middle where it is not seen (1), or go away from it (-1). */
function nearer(way: 1 | -1): void {
  const [now, part] = [matrix.value, seen.value];
  const i = now?.minima.first[chosen.value];
  const j = now?.minima.second[chosen.value];
  let [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  if (part && i !== undefined && j !== undefined && isSeen(part, i, j)) {
    x = toPixel(part.j, j, box.left, box.right);
    y = toPixel(part.i, i, box.bottom, box.top);
  }
  zoomAt(CLOSER ** way, x, y);
}

function isSeen({ i: up, j: across }: Seen, i: number, j: number): boolean {
  return i >= up.low && i <= up.high && j >= across.low && j <= across.high;
}

/** The buttons of this view. */
export const zooming: Zooming = { nearer, fit: () => (zoom.value = null), all: "Whole map" };

/** What keys do on the map. */
export function keyDown(event: KeyboardEvent): void {
  const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
  const by = steps[event.key];
  if (by !== undefined) stepMinimum(by);
  else if (event.key === "Home") stepMinimum(-Infinity);
  else if (event.key === "End") stepMinimum(Infinity);
  else if (event.key === "Enter") playChosen();
  else if (event.key === "+" || event.key === "=") nearer(1);
  else if (event.key === "-") nearer(-1);
  else if (event.key === "0") zoom.value = null;
  else return;
  event.preventDefault();
  // arrows are steps of the timeline elsewhere
  event.stopPropagation();
}

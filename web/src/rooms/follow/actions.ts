/** What buttons and keys do to the path. */

import { batch } from "@preact/signals";
import { get } from "../../api/client";
import type { Drawn } from "../../api/types";
import { length, type Point } from "../../motion/spline";
import { complain } from "../../state/store";
import { ahead, pointsOf, EMPTY, lineOf, mirrored, moved, shape, smoothed, turnedRound } from "./drawing";
import { playNext } from "./search";
import { stretched, turned } from "./pauses";
import { reversed, scaled } from "./sections";
import { chosen, course, draw, edit, following, nudged, others, placed, preview, smoothing, tool } from "./state";

/** Left and right exchanged. */
export function mirrorPath(): void {
  draw(mirrored(course.value.drawing));
}

/** The path from its end to its beginning, its labels with it. */
export function reversePath(): void {
  const { drawing, stretches, pauses } = course.value;
  const metres = length(lineOf(drawing));
  chosen.value = null;
  edit({ drawing: turnedRound(drawing), stretches: reversed(stretches, metres), pauses: turned(pauses, metres) });
}

/** Nothing on the floor; undo brings it back. */
export function clearPath(): void {
  if (!course.value.drawing.source && course.value.stretches.length === 0) return;
  chosen.value = null;
  edit({ drawing: EMPTY, stretches: [], pauses: [] });
}

/** Smooth the path over so many metres; `last` ends the move of the slider. The next stroke is smoothed alike. */
export function smoothPath(width: number, last: boolean): void {
  const { drawing } = course.value;
  batch(() => {
    if (drawing.source?.kind === "stroke") smoothing.value = width;
    if (last) edit({ drawing: smoothed(drawing, width) });
    else preview({ drawing: smoothed(drawing, width) });
  });
}

/** Search again without a transition, as far as there is another way; or with all of them again. */
export function avoid(named: string): void {
  const now = following.value.avoid ?? [];
  if (!now.includes(named)) following.value = { ...following.value, avoid: [...now, named] };
}

export function avoidNothing(): void {
  following.value = { ...following.value, avoid: [] };
}

let placing = 0;

/**
 * A preset on the floor. A change of its size carries the labels along and is not watched from the beginning; `last`
 * ends the move of a slider.
 */
export async function place(text: string, resized: boolean, last = true): Promise<void> {
  const turn = ++placing;
  try {
    const { points } = await get<Drawn>(`/api/paths?shape=${encodeURIComponent(text)}`);
    // a newer one was asked for meanwhile
    if (turn !== placing) return;
    const before = length(lineOf(course.value.drawing));
    const drawing = shape(text, points);
    const factor = resized && before > 0 ? length(points) / before : 1;
    const part = { drawing, stretches: scaled(course.value.stretches, factor), pauses: stretched(course.value.pauses, factor) };
    if (!resized) playNext();
    batch(() => {
      chosen.value = null;
      if (last) edit(part);
      else preview(part);
      if (!resized) placed.value += 1;
    });
  } catch (error) {
    if (turn === placing) complain(error);
  }
}

/** One more control ahead of the last. */
export function addAhead(): void {
  const next = ahead(course.value.drawing);
  batch(() => {
    tool.value = "points";
    playNext();
    draw(next);
    chosen.value = pointsOf(next).length - 1;
  });
}

/** Choose a control: alone, or with `more` beside those that are chosen, of which it is let go if it is one. */
export function chooseAt(index: number, more: boolean): void {
  const now = chosen.value;
  batch(() => {
    const rest = new Set(others.value);
    if (!more || now === null) {
      // a press on one of several is the beginning of a drag of all of them
      if (!rest.has(index)) rest.clear();
      else if (now !== null) rest.add(now);
      rest.delete(index);
      chosen.value = index;
    } else if (index === now) return;
    else if (!rest.delete(index)) rest.add(index);
    others.value = rest;
  });
}

/** Choose the control so many further on. */
export function chooseControl(by: number): void {
  const count = pointsOf(course.value.drawing).length;
  if (!count) return;
  const now = chosen.value;
  chosen.value = now === null ? (by > 0 ? 0 : count - 1) : (now + by + count) % count;
}

/** Put a control elsewhere: while it is dragged, at the end of the drag, or by a key. Keys in quick succession are one step to undo. */
export function moveControl(index: number, to: Point, by: "drag" | "key" | "end"): void {
  const drawing = moved(course.value.drawing, index, to, others.value);
  batch(() => {
    if (by === "end") edit({ drawing });
    else if (by === "key") nudged({ drawing });
    else preview({ drawing });
    chosen.value = index;
  });
}

/** Move the chosen control over the floor by so many metres. */
export function nudge(x: number, z: number): void {
  const index = chosen.value;
  const from = index === null ? undefined : pointsOf(course.value.drawing)[index];
  if (index !== null && from) moveControl(index, [from[0]! + x, from[1]! + z], "key");
}

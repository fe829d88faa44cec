/** The threshold curve of a graph: what any threshold would give, between the points that the build has measured. */

import type { CurvePoint } from "../../api/types";

/** What a threshold gives. `share` is of the attainable frames, 0 … 1. */
export interface Reading {
  transitions: number;
  frames: number;
  share: number;
}

/**
 * Read the curve at a threshold: straight lines between its points, level beyond its ends.
 *
 * A component may hold frames at the clips' ends, which do not count as attainable: the share stops at 1.
 */
export function readCurve(curve: readonly CurvePoint[], attainable: number, threshold: number): Reading {
  if (curve.length === 0) return { transitions: 0, frames: 0, share: 0 };
  const [low, part] = place(curve, threshold);
  const one = curve[low]!;
  const two = curve[Math.min(low + 1, curve.length - 1)]!;
  const between = (a: number, b: number): number => Math.round(a + (b - a) * part);
  const frames = between(one.frames, two.frames);
  return {
    transitions: between(one.transitions, two.transitions),
    frames,
    share: attainable > 0 ? Math.min(1, frames / attainable) : 0,
  };
}

/** The segment in which a threshold lies and how far into it, 0 … 1; clamped at both ends. */
function place(curve: readonly CurvePoint[], threshold: number): [number, number] {
  let low = 0;
  let high = curve.length - 1;
  if (threshold <= curve[0]!.threshold_cm) return [0, 0];
  if (threshold >= curve[high]!.threshold_cm) return [high, 0];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (curve[middle]!.threshold_cm <= threshold) low = middle;
    else high = middle;
  }
  const [from, to] = [curve[low]!.threshold_cm, curve[high]!.threshold_cm];
  return [low, to > from ? (threshold - from) / (to - from) : 0];
}

/** The thresholds that a slider may take: from the first point with a transition to the last, in tenths of a centimetre. */
export function curveRange(curve: readonly CurvePoint[], chosen: number): { min: number; max: number } {
  const tenth = (value: number, round: (x: number) => number): number => round(value * 10) / 10;
  if (curve.length === 0) return { min: tenth(chosen, Math.floor), max: tenth(chosen, Math.ceil) };
  const min = Math.min(curve[0]!.threshold_cm, chosen);
  const max = Math.max(curve[curve.length - 1]!.threshold_cm, chosen);
  return { min: tenth(min, Math.floor), max: tenth(max, Math.ceil) };
}

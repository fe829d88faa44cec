/** A pair of clips compared: the distance of every window of A to every window of B, and where they come nearest. */

import { floats, type Pack } from "../../api/pack";
import type { MatrixPack } from "../../api/types";
import { paint, UNKNOWN } from "./heat";
import type { Minima } from "./minima";
import type { Span } from "./scale";

/** What the server knows of a pair. Frames count at `fps`, windows by their first frame; cells stand `step` frames apart. */
export interface Matrix {
  a: string;
  b: string;
  fps: number;
  /** frames of a window */
  window: number;
  rows: number;
  columns: number;
  step: number;
  least: number;
  most: number;
  stored: ArrayLike<number>;
  scale: number;
  minima: Minima;
  /** how many minima there are; the list may hold only the cheapest */
  total: number;
  pixels: Uint8ClampedArray;
}

/** Read an answer of `/api/matrix`, whose window is in seconds. */
export function matrixOf(pack: Pack<MatrixPack>): Matrix {
  const { a, b, fps, window, least_cm, most_cm, step } = pack.facts;
  const [rows = 0, columns = 0] = pack.shape("distance");
  const stored = pack.arrays["distance"] ?? new Uint16Array(0);
  const scale = pack.scale("distance");
  const cost = floats(pack, "cost_cm");
  return {
    a,
    b,
    fps,
    window: Math.max(1, Math.round(window * fps)),
    rows,
    columns,
    step,
    least: least_cm,
    most: most_cm,
    stored,
    scale,
    minima: { first: pack.arrays["first"] ?? [], second: pack.arrays["second"] ?? [], cost },
    total: pack.facts.minima,
    pixels: paint(stored, rows, columns, scale, { low: least_cm, high: most_cm }),
  };
}

/** The distance of window i of A and window j of B in centimetres; null where it is not known. */
export function distanceAt(matrix: Matrix, i: number, j: number): number | null {
  const [row, column] = [Math.round(i / matrix.step), Math.round(j / matrix.step)];
  if (row < 0 || column < 0 || row >= matrix.rows || column >= matrix.columns) return null;
  const value = matrix.stored[row * matrix.columns + column]!;
  return value === UNKNOWN ? null : value * matrix.scale;
}

/** All frames of an axis with `cells` cells: each cell reaches half a step to both sides of its frame. */
export function wholeSpan(matrix: Matrix, cells: number): Span {
  return { low: -matrix.step / 2, high: (cells - 0.5) * matrix.step };
}

/** The frame at the cell under a value of an axis. */
export function cellFrame(matrix: Matrix, value: number, cells: number): number {
  return Math.min(cells - 1, Math.max(0, Math.round(value / matrix.step))) * matrix.step;
}

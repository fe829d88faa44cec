/** The curve being edited: control points of a clamped uniform B-spline over the floor, each with a height. Every edit gives another curve. */

import type { PathJSON } from "../../api/types";
import type { Control } from "../../motion/fit";
import { onCurve, pull, through } from "../../motion/handles";

export type { Control };

/**
 * An edited curve. shape: the preset that it still is, such as `circle:3`; null once a hand has changed it. placed: whether the preset was
 * moved from the origin to where the clip begins, so that its name alone does not say where it is.
 */
export interface Curve {
  readonly degree: number;
  readonly controls: readonly Control[];
  readonly shape: string | null;
  readonly placed: boolean;
}

export const MOST_CONTROLS = 64;
export const HIGHEST_DEGREE = 5;
const FEWEST_CONTROLS = 2;
/** Metres: heights below this are level, so that a hand that trembles draws no hills. */
const LEVEL = 0.005;

/** A curve of these controls; its degree is lowered where there are too few of them. */
export function curve(controls: readonly Control[], degree = 3, shape: string | null = null, placed = false): Curve {
  return { controls, degree: Math.max(1, Math.min(degree, HIGHEST_DEGREE, controls.length - 1)), shape, placed };
}

const held = new WeakMap<Curve, readonly Control[]>();

/** The points on the curve by which it is bent, as many as it has controls. */
export function pointsOf(of: Curve): readonly Control[] {
  let points = held.get(of);
  if (!points) {
    points = onCurve(of.controls, of.degree) as unknown as Control[];
    held.set(of, points);
  }
  return points;
}

/**
 * The curve that goes through points on the floor. Of heights there are controls: what is raised would else swing below the floor on both sides
 * of it.
 */
function threaded(points: readonly Control[], heights: readonly number[], degree: number): Curve {
  const allowed = Math.max(1, Math.min(degree, points.length - 1));
  const flat = through(
    points.map(([x, , z]) => [x, z]),
    allowed,
  );
  return curve(
    flat.map(([x, z], i): Control => [x!, heights[i]!, z!]),
    allowed,
  );
}

const heightsOf = (of: Curve): number[] => of.controls.map(([, y]) => y);

/** With point `index` at another place. */
export function moved(from: Curve, index: number, to: Control): Curve {
  const points = pointsOf(from);
  const higher = to[1] - points[index]![1];
  // as much as brings the point there, and never below the floor
  const raised = (y: number): number => Math.max(0, y + higher / pull(points.length, index, from.degree));
  return threaded(
    points.map((each, i) => (i === index ? to : each)),
    heightsOf(from).map((y, i) => (i === index && higher ? raised(y) : y)),
    from.degree,
  );
}

/** With one more point before point `index`. */
export function inserted(from: Curve, index: number, at: Control): Curve {
  const points = pointsOf(from);
  if (points.length >= MOST_CONTROLS) return from;
  const put = <T>(list: readonly T[], one: T): T[] => [...list.slice(0, index), one, ...list.slice(index)];
  return threaded(put(points, at), put(heightsOf(from), at[1]), from.degree);
}

/** Where a new point at a place of the floor belongs: between the two neighbours to whose connecting line it is nearest, or before or after all. */
export function placeFor(from: Curve, x: number, z: number): number {
  const points = pointsOf(from);
  let best = { index: points.length, distance: Number.POSITIVE_INFINITY };
  for (let i = 1; i < points.length; i++) {
    const { distance, share } = toSegment(points[i - 1] as Control, points[i] as Control, x, z);
    // what lies beyond an end goes on from there
    const index = i === 1 && share <= 0 ? 0 : i === points.length - 1 && share >= 1 ? points.length : i;
    if (distance < best.distance) best = { index, distance };
  }
  return best.index;
}

/** With one more point at the end, as high as the last. */
export function extended(from: Curve, x: number, z: number): Curve {
  const last = from.controls.at(-1) as Control;
  return inserted(from, from.controls.length, [x, last[1], z]);
}

/** With one more point at a place of the floor, where it belongs, at the height of its neighbours; and its index. */
export function insertedAt(from: Curve, x: number, z: number): { curve: Curve; index: number } {
  const index = placeFor(from, x, z);
  const before = from.controls[Math.max(index - 1, 0)] as Control;
  const after = from.controls[Math.min(index, from.controls.length - 1)] as Control;
  return { curve: inserted(from, index, [x, (before[1] + after[1]) / 2, z]), index };
}

/** With one more point midway between point `index` and the next (at the last one: the one before), and its index. */
export function insertedBeside(from: Curve, index: number): { curve: Curve; index: number } {
  const points = pointsOf(from);
  const last = points.length - 1;
  const place = Math.min(index, last - 1) + 1;
  const a = points[place - 1] as Control;
  const b = points[place] as Control;
  return { curve: inserted(from, place, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2]), index: place };
}

/** Without point `index`; as it was where too few would be left. */
export function deleted(from: Curve, index: number): Curve {
  if (from.controls.length <= FEWEST_CONTROLS) return from;
  return threaded(
    pointsOf(from).filter((_, i) => i !== index),
    heightsOf(from).filter((_, i) => i !== index),
    from.degree,
  );
}

/** With the same controls and another degree. */
export function withDegree(from: Curve, degree: number): Curve {
  return curve(from.controls, degree);
}

/** Left and right exchanged, about the line on which the curve sets out. */
export function mirrored(from: Curve): Curve {
  const [first, second] = [from.controls[0] as Control, from.controls[1] as Control];
  const heading = Math.atan2(second[0] - first[0], second[2] - first[2]);
  const [sin, cos] = [Math.sin(heading), Math.cos(heading)];
  return curve(
    from.controls.map(([x, y, z]) => {
      const [ahead, left] = [(x - first[0]) * sin + (z - first[2]) * cos, (x - first[0]) * cos - (z - first[2]) * sin];
      return [first[0] + ahead * sin - left * cos, y, first[2] + ahead * cos + left * sin] as const;
    }),
    from.degree,
  );
}

/** The same way from its end to its beginning. */
export function reversed(from: Curve): Curve {
  return curve([...from.controls].reverse(), from.degree);
}

/** With all heights taken away. */
export function levelled(from: Curve): Curve {
  return { ...from, controls: from.controls.map(([x, , z]) => [x, 0, z] as const) };
}

/** Whether any control is above or below the floor. */
export function hasHeights(of: Curve): boolean {
  return of.controls.some(([, y]) => Math.abs(y) > LEVEL);
}

/** Whether every control is at one place on the floor, so that there is nothing to walk. */
export function hasLength(of: Curve): boolean {
  const [x, , z] = of.controls[0] as Control;
  return of.controls.some((each) => Math.hypot(each[0] - x, each[2] - z) > 0.01);
}

/** What the server is asked to lay the clip on: the shape where it still is one at the origin, else the controls, with heights where there are any. */
export function pathJson(of: Curve): PathJSON {
  if (of.shape !== null && !of.placed) return { shape: of.shape };
  const round = (value: number) => Math.round(value * 1e4) / 1e4;
  const tall = hasHeights(of);
  return {
    degree: of.degree,
    controls: of.controls.map(([x, y, z]) => (tall ? [round(x), round(y), round(z)] : [round(x), round(z)])),
  };
}

/** The curve of what the server or a sketch gives; null for anything else. */
export function fromJson(given: { degree?: number; controls?: readonly (readonly number[])[] }): Curve | null {
  if (!given.controls || given.controls.length < FEWEST_CONTROLS) return null;
  const controls = given.controls.map((each): Control =>
    each.length === 3 ? [each[0] as number, each[1] as number, each[2] as number] : [each[0] as number, 0, each[1] as number],
  );
  return curve(controls, given.degree ?? 3);
}

function toSegment(a: Control, b: Control, x: number, z: number): { distance: number; share: number } {
  const [dx, dz] = [b[0] - a[0], b[2] - a[2]];
  const squared = dx * dx + dz * dz;
  const share = squared > 0 ? ((x - a[0]) * dx + (z - a[2]) * dz) / squared : 0;
  const held = Math.max(0, Math.min(1, share));
  return { distance: Math.hypot(x - a[0] - held * dx, z - a[2] - held * dz), share };
}

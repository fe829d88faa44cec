/** Points on a spline by which it can be taken hold of: as many as it has controls, each where its control pulls most. */

import { solved } from "./solve";
import { evaluate, knots, type Point } from "./spline";

const known = new Map<string, readonly (readonly number[])[]>();

/** How much of each control is in each point on the curve, at the means of the knots between which a control counts (Greville's abscissae). */
function weights(count: number, degree: number): readonly (readonly number[])[] {
  const key = `${count} ${degree}`;
  let found = known.get(key);
  if (!found) {
    const units = Array.from({ length: count }, (_, i) => Array.from({ length: count }, (_, j) => (i === j ? 1 : 0)));
    const t = knots(count, degree);
    const mean = (i: number): number => t.slice(i + 1, i + degree + 1).reduce((sum, each) => sum + each, 0) / degree;
    found = units.map((_, i) => evaluate(units, mean(i), degree));
    known.set(key, found);
  }
  return found;
}

/** The degree that so many controls allow. */
const allowed = (count: number, degree: number): number => Math.min(degree, count - 1);

/** The points on the spline of these controls. */
export function onCurve(controls: readonly Point[], degree = 3): Point[] {
  const p = allowed(controls.length, degree);
  if (p < 2) return [...controls];
  return weights(controls.length, p).map((row) => controls[0]!.map((_, axis) => row.reduce((sum, weight, j) => sum + weight * controls[j]![axis]!, 0)));
}

/** How much of a control is in its own point. */
export function pull(count: number, index: number, degree = 3): number {
  const p = allowed(count, degree);
  return p < 2 ? 1 : weights(count, p)[index]![index]!;
}

/** The controls of the spline that goes through these points. */
export function through(points: readonly Point[], degree = 3): Point[] {
  const p = allowed(points.length, degree);
  if (p < 2) return [...points];
  return solved(
    weights(points.length, p).map((row, i) => [...row, ...points[i]!]),
    points.length,
  );
}

/** The spline that comes nearest to a line of points, so that a shape can be taken hold of by its controls. */

import { solved } from "./solve";
import { arcLength, at, evaluate, type Point } from "./spline";

/** A control point: x, height y, z, in metres. */
export type Control = readonly [x: number, y: number, z: number];

const PLACES_BY_CONTROL = 16;

/** The controls of the spline that comes nearest to a polyline of [x, z], its ends exact: least squares over places evenly spaced along it. */
export function fitted(points: readonly Point[], count: number, degree: number): Control[] {
  const wanted = evenly(points, PLACES_BY_CONTROL * count + 1);
  const inner = count - 2;
  const first = wanted[0]!;
  const last = wanted[wanted.length - 1]!;
  // normal equations of the inner controls, with x and z as right-hand sides in the last two columns
  const normal = Array.from({ length: inner }, () => new Array<number>(inner + 2).fill(0));
  const units = Array.from({ length: count }, (_, i) => Array.from({ length: count }, (_, j) => (i === j ? 1 : 0)));
  wanted.forEach((place, i) => {
    // the weights of the controls at a parameter are the spline of unit vectors
    const weights = evaluate(units, i / (wanted.length - 1), degree);
    const rest = [0, 1].map((axis) => place[axis]! - weights[0]! * first[axis]! - weights[count - 1]! * last[axis]!);
    for (let a = 0; a < inner; a++) {
      const weight = weights[a + 1]!;
      if (weight === 0) continue;
      const row = normal[a]!;
      for (let b = 0; b < inner; b++) row[b] = row[b]! + weight * weights[b + 1]!;
      row[inner] = row[inner]! + weight * rest[0]!;
      row[inner + 1] = row[inner + 1]! + weight * rest[1]!;
    }
  });
  return [first, ...solved(normal, inner), last].map(([x, z]) => [x!, 0, z!]);
}

/** Places evenly spaced along a polyline, ends included. */
export function evenly(points: readonly Point[], count: number): Point[] {
  const line = points;
  const lengths = arcLength(line);
  const whole = lengths[lengths.length - 1]!;
  return Array.from({ length: count }, (_, i) => at(line, lengths, (whole * i) / (count - 1)));
}

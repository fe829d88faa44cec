/** Clamped uniform B-splines, as the server's paths are: begun at the first control, ended at the last. */

/** A point: [x, z] or [x, y, z]. */
export type Point = readonly number[];

/** The knots of a clamped uniform spline of so many controls, from 0 to 1. */
export function knots(count: number, degree: number): number[] {
  const spans = count - degree;
  const out: number[] = [];
  for (let i = 0; i < count + degree + 1; i++) out.push(Math.min(Math.max((i - degree) / spans, 0), 1));
  return out;
}

/** The spline at u from 0 to 1, by de Boor's algorithm. The degree falls where controls are few. */
export function evaluate(controls: readonly Point[], u: number, degree = 3): Point {
  const p = Math.min(degree, controls.length - 1);
  if (p < 1) return [...(controls[0] ?? [])];
  const t = knots(controls.length, p);
  const at = Math.min(Math.max(u, 0), 1);
  let span = p;
  while (span < controls.length - 1 && at >= t[span + 1]!) span++;
  const d = controls.slice(span - p, span + 1).map((point) => [...point]);
  for (let r = 1; r <= p; r++) {
    for (let j = p; j >= r; j--) {
      const left = t[span - p + j]!;
      const width = t[span + 1 + j - r]! - left;
      const share = width > 0 ? (at - left) / width : 0;
      const to = d[j]!;
      const from = d[j - 1]!;
      for (let k = 0; k < to.length; k++) to[k] = from[k]! * (1 - share) + to[k]! * share;
    }
  }
  return d[p]!;
}

/** The spline at `count` values of u, evenly. */
export function sample(controls: readonly Point[], count = 200, degree = 3): Point[] {
  const out: Point[] = [];
  for (let i = 0; i < count; i++) out.push(evaluate(controls, i / (count - 1), degree));
  return out;
}

/** Arc length up to each point of a polyline, the first 0. */
export function arcLength(points: readonly Point[]): number[] {
  const out = [0];
  for (let i = 1; i < points.length; i++) out.push(out[i - 1]! + distance(points[i]!, points[i - 1]!));
  return out;
}

/** Length of a polyline. */
export function length(points: readonly Point[]): number {
  return arcLength(points).at(-1) ?? 0;
}

/** Distance of two points of the same number of coordinates. */
export function distance(a: Point, b: Point): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k]! - b[k]!) ** 2;
  return Math.sqrt(sum);
}

/** The place on a polyline at an arc length. */
export function at(points: readonly Point[], lengths: readonly number[], s: number): Point {
  if (points.length < 2) return [...(points[0] ?? [])];
  const i = segment(lengths, s);
  const span = lengths[i + 1]! - lengths[i]!;
  const t = span > 0 ? Math.min(Math.max((s - lengths[i]!) / span, 0), 1) : 0;
  return points[i]!.map((value, k) => value * (1 - t) + points[i + 1]![k]! * t);
}

/** Index of the segment in which an arc length lies. */
export function segment(lengths: readonly number[], s: number): number {
  let low = 0;
  let high = lengths.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lengths[middle]! <= s) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}

/** What nearest() found: where, how far away, and how far along. */
export interface Nearest {
  point: Point;
  distance: number;
  s: number;
  segment: number;
}

/** The nearest place of a polyline to a point. */
export function nearest(points: readonly Point[], to: Point): Nearest {
  const lengths = arcLength(points);
  let best: Nearest = { point: [...(points[0] ?? to)], distance: points[0] ? distance(points[0], to) : Infinity, s: 0, segment: 0 };
  for (let i = 0; i + 1 < points.length; i++) {
    const a = points[i]!;
    const b = points[i + 1]!;
    let along = 0;
    let square = 0;
    for (let k = 0; k < a.length; k++) {
      along += (to[k]! - a[k]!) * (b[k]! - a[k]!);
      square += (b[k]! - a[k]!) ** 2;
    }
    const t = square > 0 ? Math.min(Math.max(along / square, 0), 1) : 0;
    const point = a.map((value, k) => value * (1 - t) + b[k]! * t);
    const d = distance(point, to);
    if (d < best.distance) best = { point, distance: d, s: lengths[i]! + t * Math.sqrt(square), segment: i };
  }
  return best;
}

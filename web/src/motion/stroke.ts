/** A stroke drawn by hand: resampled, smoothed, simplified, mirrored. Points are [x, z] in metres. */
import { arcLength, at, distance, type Point } from "./spline";

/** Points at even steps of about `step` metres along a polyline, with both its ends. */
export function resample(points: readonly Point[], step = 0.05): Point[] {
  if (points.length < 2) return points.map((point) => [...point]);
  const lengths = arcLength(points);
  const whole = lengths.at(-1)!;
  const count = Math.max(1, Math.round(whole / step));
  const out: Point[] = [];
  for (let i = 0; i <= count; i++) out.push(at(points, lengths, (whole * i) / count));
  return out;
}

/**
 * Smooth a stroke: a Gaussian of `width` metres along it. The ends stay where they are: the stroke is continued
 * beyond them by point reflection, which the Gaussian leaves in place.
 */
export function smooth(points: readonly Point[], width = 0.15): Point[] {
  const step = 0.05;
  const even = resample(points, step);
  const reach = Math.min(Math.ceil((3 * width) / step), even.length - 1);
  if (reach < 1) return even;
  const weights: number[] = [];
  for (let k = -reach; k <= reach; k++) weights.push(Math.exp(-0.5 * ((k * step) / width) ** 2));
  const sum = weights.reduce((a, b) => a + b, 0);
  const last = even.length - 1;
  const reflected = (i: number): Point => {
    if (i < 0) return even[0]!.map((value, c) => 2 * value - even[-i]![c]!);
    if (i > last) return even[last]!.map((value, c) => 2 * value - even[2 * last - i]![c]!);
    return even[i]!;
  };
  return even.map((point, i) => {
    const out = point.map(() => 0);
    for (let k = -reach; k <= reach; k++) {
      const other = reflected(i + k);
      const weight = weights[k + reach]! / sum;
      for (let c = 0; c < out.length; c++) out[c] = out[c]! + weight * other[c]!;
    }
    return out;
  });
}

/** Fewer points: those without which the line would be off by more than the tolerance (Douglas and Peucker). */
export function simplify(points: readonly Point[], tolerance = 0.02): Point[] {
  if (points.length < 3) return points.map((point) => [...point]);
  const keep = new Uint8Array(points.length);
  keep[0] = keep[points.length - 1] = 1;
  const stack: [number, number][] = [[0, points.length - 1]];
  while (stack.length) {
    const [first, last] = stack.pop()!;
    let worst = tolerance;
    let where = -1;
    for (let i = first + 1; i < last; i++) {
      const off = fromChord(points[i]!, points[first]!, points[last]!);
      if (off > worst) {
        worst = off;
        where = i;
      }
    }
    if (where < 0) continue;
    keep[where] = 1;
    stack.push([first, where], [where, last]);
  }
  return points.filter((_, i) => keep[i]).map((point) => [...point]);
}

function fromChord(point: Point, a: Point, b: Point): number {
  let along = 0;
  let square = 0;
  for (let k = 0; k < a.length; k++) {
    along += (point[k]! - a[k]!) * (b[k]! - a[k]!);
    square += (b[k]! - a[k]!) ** 2;
  }
  const t = square > 0 ? Math.min(Math.max(along / square, 0), 1) : 0;
  return distance(point, a.map((value, k) => value * (1 - t) + b[k]! * t));
}

/** The stroke mirrored in the line of its begin: left and right exchanged for who sets out along +Z. */
export function mirror(points: readonly Point[]): Point[] {
  const begin = points[0]?.[0] ?? 0;
  return points.map((point) => [2 * begin - point[0]!, ...point.slice(1)]);
}

/** The stroke from its end to its beginning. */
export function reverse(points: readonly Point[]): Point[] {
  return points.map((point) => [...point]).reverse();
}

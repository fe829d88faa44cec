/** Places along a line over the floor, by metres from its beginning. */

import { arcLength, at, type Point } from "../../motion/spline";

/** The piece of a line from `from` to `to` metres; empty where there is none. */
export function piece(line: readonly Point[], from: number, to: number): Point[] {
  if (line.length < 2 || to <= from) return [];
  const points = line;
  const lengths = arcLength(points);
  const inner = points.filter((_, i) => lengths[i]! > from && lengths[i]! < to);
  return [at(points, lengths, from), ...inner, at(points, lengths, Math.min(to, lengths.at(-1)!))];
}

/** Where on a line a point is nearest to it, and how far from it. */
export interface Place {
  readonly s: number;
  readonly distance: number;
}

/**
 * The nearest place on a line; near `about` metres along it, where told: a hand that paints along an eight does not
 * jump to the other loop at the crossing.
 */
export function placeOn(line: readonly Point[], point: Point, about: number | null = null, reach = 1.5): Place {
  let best: Place = { s: about ?? 0, distance: Infinity };
  let s = 0;
  for (let i = 0; i + 1 < line.length; i++) {
    const [ax, az] = line[i] as [number, number];
    const [bx, bz] = line[i + 1] as [number, number];
    const span = Math.hypot(bx - ax, bz - az);
    const near = about === null || (s + span >= about - reach && s <= about + reach);
    if (near && span > 0) {
      const share = Math.max(0, Math.min(1, ((point[0]! - ax) * (bx - ax) + (point[1]! - az) * (bz - az)) / span ** 2));
      const distance = Math.hypot(ax + share * (bx - ax) - point[0]!, az + share * (bz - az) - point[1]!);
      if (distance < best.distance) best = { s: s + share * span, distance };
    }
    s += span;
  }
  return best;
}

/** The local minima of a pair of clips: the places where one can become the other. */

/** Minima in parallel arrays, cheapest first: window of A, window of B (frames), distance in centimetres. */
export interface Minima {
  first: ArrayLike<number>;
  second: ArrayLike<number>;
  cost: ArrayLike<number>;
}

/** How many cost no more than the threshold; they stand first. */
export function upTo(minima: Minima, threshold: number): number {
  let low = 0;
  let high = minima.cost.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (minima.cost[middle]! <= threshold) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The minimum nearest to a place, or -1 if none is within `reach`.
 *
 * `i`, `j`: frames of A and B; `perI`, `perJ`: pixels of a frame on each axis; `reach` in pixels.
 */
export function nearest(minima: Minima, i: number, j: number, perI: number, perJ: number, reach: number): number {
  let best = -1;
  let least = reach * reach;
  for (let n = 0; n < minima.cost.length; n += 1) {
    const up = (minima.first[n]! - i) * perI;
    const across = (minima.second[n]! - j) * perJ;
    const square = up * up + across * across;
    // of two equally near ones the cheaper, which comes first
    if (square < least) {
      least = square;
      best = n;
    }
  }
  return best;
}

/** The next minimum by cost, `by` places on; stays at the ends. The first one if none is chosen. */
export function stepped(count: number, chosen: number, by: number): number {
  if (count === 0) return -1;
  return chosen < 0 ? 0 : Math.min(count - 1, Math.max(0, chosen + by));
}

/** Radius in pixels of a mark, smaller where there are many, so that they do not cover the map. */
export function markRadius(count: number): number {
  return Math.min(5, Math.max(2.2, Math.sqrt(6000 / Math.max(count, 1)) / 2));
}

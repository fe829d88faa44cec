/** The graph as a drawing: a row for each clip, group after group, and transitions as arcs between them. */

/** Where clips stand, in rows counted downwards: of each clip, and the first and last row of each group. */
export interface Rows {
  of: Float32Array;
  groups: { number: number; first: number; last: number }[];
  height: number;
}

/** Rows between two groups: room for the next one's heading; a clip that is a group by itself has none. */
const GAP = 1.5;
const SMALL_GAP = 0.25;

/** Group after group, clips in the order of the graph; those of no group (null) last. */
export function rowsOf(groups: readonly (number | null)[]): Rows {
  const of = new Float32Array(groups.length);
  const numbers = [...new Set(groups.filter((group): group is number => group !== null))].sort((a, b) => a - b);
  const bounds: Rows["groups"] = [];
  let row = 0;
  for (const number of [...numbers, null]) {
    const members = groups.flatMap((group, clip) => (group === number ? [clip] : []));
    if (members.length === 0) continue;
    if (row > 0) row += number !== null && members.length > 1 ? GAP : SMALL_GAP;
    members.forEach((clip, n) => (of[clip] = row + n));
    if (number !== null) bounds.push({ number, first: row, last: row + members.length - 1 });
    row += members.length;
  }
  return { of, groups: bounds, height: row };
}

/** Edges in parallel arrays, as the server sends them. */
export interface Edges {
  source_clip: ArrayLike<number>;
  source_frame: ArrayLike<number>;
  target_clip: ArrayLike<number>;
  target_frame: ArrayLike<number>;
  length: ArrayLike<number>;
  kind: ArrayLike<number>;
  cost_cm: ArrayLike<number>;
}

export const TRANSITION = 1;
export const BRIDGE = 2;

/**
 * The edges of a kind, at most `most` of them; of those that are `inside`.
 *
 * They are taken evenly from the list ordered by clips and cost, so that each pair of clips keeps its share, cheap ones and dear ones.
 */
export function chosenEdges(edges: Edges, kind: number, most: number, inside: (edge: number) => boolean = () => true): Int32Array {
  const found: number[] = [];
  for (let n = 0; n < edges.kind.length; n += 1) if (edges.kind[n] === kind && inside(n)) found.push(n);
  if (found.length <= most) return Int32Array.from(found);
  found.sort(
    (a, b) =>
      edges.source_clip[a]! - edges.source_clip[b]! ||
      edges.target_clip[a]! - edges.target_clip[b]! ||
      edges.cost_cm[a]! - edges.cost_cm[b]!,
  );
  const step = (found.length - 1) / Math.max(most - 1, 1);
  return Int32Array.from({ length: most }, (_, n) => found[Math.round(n * step)]!);
}

/** The edges that leave or enter each clip, of those chosen. */
export function edgesByClip(edges: Edges, which: ArrayLike<number>, clips: number): number[][] {
  const found: number[][] = Array.from({ length: clips }, () => []);
  for (let n = 0; n < which.length; n += 1) {
    const edge = which[n]!;
    const [from, to] = [edges.source_clip[edge]!, edges.target_clip[edge]!];
    found[from]?.push(edge);
    if (to !== from) found[to]?.push(edge);
  }
  return found;
}

/** A cubic Bézier curve: eight numbers, x and y of its four points. */
export type Arc = [number, number, number, number, number, number, number, number];

// How high an arc within a track rises, as parts of a row: a short one, and one across the longest clip.
const LOWEST = 0.35;
const HIGHEST = 0.85;

/**
 * An arc from a place on one track to one on another, in pixels.
 *
 * Between tracks it leaves and arrives upright, as an S; within a track it is a bow above it, the higher the longer.
 */
export function arc(x0: number, y0: number, x1: number, y1: number, rowHeight: number, longest: number): Arc {
  if (y0 === y1) {
    const part = Math.min(1, Math.abs(x1 - x0) / Math.max(longest, 1));
    // a cubic with both controls at a height rises to three quarters of it
    const rise = ((LOWEST + (HIGHEST - LOWEST) * part) * rowHeight) / 0.75;
    return [x0, y0, x0, y0 - rise, x1, y1 - rise, x1, y1];
  }
  const middle = (y0 + y1) / 2;
  return [x0, y0, x0, middle, x1, middle, x1, y1];
}

/** How opaque one of many arcs is drawn: the more, the fainter. */
export function arcOpacity(count: number): number {
  return Math.min(0.8, Math.max(0.06, 6 / Math.sqrt(Math.max(count, 1))));
}

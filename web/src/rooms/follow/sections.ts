/** Labels by metres along the path: painted stretches, and what a search is asked for. */

import type { FollowRequest } from "../../api/types";

/** From `first` to `last` metres along the path the motion bears `label`; a `last` of Infinity is the path's end. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
  readonly label: string;
}

/** Metres below which a stretch is a slip of the hand. */
export const SHORTEST = 0.25;

/**
 * The stretches after painting from `first` to `last` metres; a label of null wipes. What lay there before gives way,
 * neighbours with the same label become one, and slivers go.
 */
export function paint(
  stretches: readonly Stretch[],
  first: number,
  last: number,
  label: string | null,
): readonly Stretch[] {
  const [from, to] = first <= last ? [Math.max(0, first), last] : [Math.max(0, last), first];
  if (to - from < SHORTEST) return stretches;
  const left: Stretch[] = [];
  for (const old of stretches) {
    if (old.first < from) left.push({ ...old, last: Math.min(old.last, from) });
    if (old.last > to) left.push({ ...old, first: Math.max(old.first, to) });
  }
  if (label !== null) left.push({ first: from, last: to, label });
  return joined(left);
}

/** Sorted, slivers gone, and neighbours of one label made one. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const sorted = stretches
    .filter((stretch) => stretch.last - stretch.first >= SHORTEST)
    .sort((one, other) => one.first - other.first);
  const found: Stretch[] = [];
  for (const stretch of sorted) {
    const before = found.at(-1);
    if (before && before.label === stretch.label && stretch.first - before.last < SHORTEST)
      found[found.length - 1] = { ...before, last: stretch.last };
    else found.push(stretch);
  }
  return found;
}

/** Metres to which a hand paints, and within which of an end it means the end. */
const [ROUND, AT_END] = [0.1, 0.25];

/** Where a painting hand means to be on a path of that length: at a round number of metres, or at an end, which stays one as the path grows. */
export function meant(metres: number, length: number): number {
  if (metres < AT_END) return 0;
  if (metres > length - Math.max(AT_END, 0.02 * length)) return Infinity;
  return Math.round(metres / ROUND) * ROUND;
}

/** The stretches of a path that has become so many times as long: where they lay as a share of it. */
export function scaled(stretches: readonly Stretch[], factor: number): readonly Stretch[] {
  if (factor === 1) return stretches;
  return joined(stretches.map((one) => ({ ...one, first: one.first * factor, last: one.last * factor })));
}

/** The stretches of the path walked the other way round. */
export function reversed(stretches: readonly Stretch[], length: number): readonly Stretch[] {
  return joined(
    stretches.map((one) => ({
      label: one.label,
      first: Math.max(0, length - one.last),
      last: one.first <= 0 ? Infinity : length - one.first,
    })),
  );
}

/** The stretches as far as a path of that length goes, their ends told in metres. */
export function within(stretches: readonly Stretch[], length: number): readonly Stretch[] {
  return stretches
    .map((one) => ({ ...one, last: Math.min(one.last, length) }))
    .filter((one) => one.last - one.first >= Math.min(SHORTEST, length));
}

/** The label as far as the graph has it; "" for any. */
export function known(label: string, labels: readonly string[]): string {
  return labels.includes(label) ? label : "";
}

/** What stands between and around the painted stretches, where a search needs a label too: the one for the whole path, else one that fits. */
export function restLabel(whole: string, labels: readonly string[]): string {
  return known(whole, labels) || known("walk", labels) || labels[0] || "";
}

/** What a search is asked: one label, or sections without holes from the beginning to beyond the end, or neither. */
export type Wish = Pick<FollowRequest, "label" | "sections">;

/** Metres past the path's end at which its last section ends: the server measures the path by itself. */
const BEYOND = 0.5;

/** The wish of painted stretches on a path of that length, with `rest` for what is not painted. */
export function wish(stretches: readonly Stretch[], length: number, whole: string, rest: string): Wish {
  const painted = within(stretches, length);
  if (painted.length === 0) return whole ? { label: whole } : {};
  const all: Stretch[] = [];
  let reached = 0;
  for (const one of painted) {
    if (one.first - reached >= SHORTEST) all.push({ first: reached, last: one.first, label: rest });
    all.push({ ...one, first: all.length ? (all.at(-1) as Stretch).last : 0 });
    reached = one.last;
  }
  if (length - reached >= SHORTEST) all.push({ first: reached, last: length, label: rest });
  const merged = joined(all);
  if (merged.length === 1) return { label: (merged[0] as Stretch).label };
  const rounded = merged.map((one) => ({ ...one, first: round(one.first), last: round(one.last) }));
  return {
    sections: rounded.map((one, index) => (index === rounded.length - 1 ? { ...one, last: round(length + BEYOND) } : one)),
  };
}

function round(metres: number): number {
  return Math.round(metres * 1000) / 1000;
}

/** Where a walk leaves its path: the stretches, and a sentence. */

import { runs } from "../../timeline/actions";

/** Centimetres from which a walk is seen to be off its path. */
const SEEN = 15;
/** Stretches that are told one by one. */
const MOST = 2;

/** Frames first to last, half open, and centimetres at most. */
export interface Missed {
  readonly first: number;
  readonly last: number;
  readonly most: number;
}

/** The stretches in which it is further off than one overlooks. deviation: centimetres at each frame. */
export function missed(deviation: ArrayLike<number>): readonly Missed[] {
  const far = Uint8Array.from({ length: deviation.length }, (_, frame) => (deviation[frame]! > SEEN ? 1 : 0));
  return runs(far).flatMap(({ first, last, value }) => {
    if (!value) return [];
    let most = 0;
    for (let frame = first; frame < last; frame++) most = Math.max(most, deviation[frame]!);
    return [{ first, last, most }];
  });
}

/** Whether a walk leaves its path on purpose. */
export function aroundSomething(asked: { readonly obstacles?: readonly unknown[] } | object): boolean {
  return "obstacles" in asked && (asked.obstacles?.length ?? 0) > 0;
}

/** What to tell of them; null where there is nothing to tell. */
export function missedInWords(stretches: readonly Missed[], fps: number): string | null {
  if (stretches.length === 0) return null;
  const worst = [...stretches].sort((one, other) => other.most - one.most);
  const told = worst.slice(0, MOST).map(({ first, last, most }) => `by up to ${Math.round(most)} cm from ${(first / fps).toFixed(1)} to ${(last / fps).toFixed(1)} s`);
  const more = stretches.length > MOST ? `, and in ${stretches.length - MOST} more places` : "";
  return `It leaves the path ${told.join(" and ")}${more} (red on the floor).`;
}

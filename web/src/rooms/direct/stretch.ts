/** A stretch of the scene that is made anew while all else stays as it is: what is asked for, as pure values. */

import type { DirectRequest } from "../../api/types";
import { neat } from "./scene";

/** Seconds from one moment to another. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A stretch that was made anew. of: the variation of which all else is. seed: that of the stretch. */
export interface Anew {
  readonly stretch: string;
  readonly of: number;
  readonly seed: number;
}

/** Seconds of a stretch that is chosen without a mouse. */
const USUAL = 3;

/** A stretch as requests, commands and Python say it: 20-23. */
export function textOf({ from, to }: Stretch): string {
  return `${neat(from, 3)}-${neat(to, 3)}`;
}

/** The part of a stretch that lies in a scene of so many seconds. */
export function within({ from, to }: Stretch, seconds: number): Stretch {
  const [first, last] = [Math.min(from, to), Math.max(from, to)].map((time) => Math.min(Math.max(time, 0), seconds)) as [number, number];
  return { from: first, to: last };
}

/** A stretch about a moment, as long as is usual or as the scene is. */
export function about(time: number, seconds: number): Stretch {
  const from = neat(Math.max(Math.min(time, seconds - USUAL), 0), 2);
  return { from, to: Math.min(from + USUAL, seconds) };
}

/** What is asked for next: the same stretch by the next seed, another one by the first seed that is not that of the rest. */
export function next(stretch: Stretch, seed: number, before: Anew | null): Anew {
  const text = textOf(stretch);
  const again = before?.stretch === text && before.of === seed;
  return { stretch: text, of: seed, seed: again ? before.seed + 1 : seed + 1 };
}

/** What a request says of seeds and of a stretch. Zeros are left out, as they are usual. */
export function wishes(seed: number, anew: Anew | null): Pick<DirectRequest, "seed" | "stretch" | "of_seed"> {
  if (!anew) return seed ? { seed } : {};
  return { seed: anew.seed, stretch: anew.stretch, ...(anew.of ? { of_seed: anew.of } : {}) };
}

/** The other way round: the variation, and the stretch that was made anew. */
export function wished(request: Pick<DirectRequest, "seed" | "stretch" | "of_seed">): { seed: number; anew: Anew | null } {
  const { seed = 0, stretch, of_seed: of = 0 } = request;
  return stretch ? { seed: of, anew: { stretch, of, seed } } : { seed, anew: null };
}

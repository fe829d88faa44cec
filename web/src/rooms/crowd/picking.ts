/** Who is meant by a click: the nearest of those whose body is under it. */

/** Somebody on the screen: where their feet and their crown are, in pixels, and how far away they are. */
export interface Seen {
  readonly who: number;
  readonly x: number;
  readonly feet: number;
  readonly crown: number;
  readonly away: number;
}

/** Pixels by which a hand misses. */
const SLACK = 5;
/** A body is so wide, against its height. */
const WIDE = 0.17;

/** The person under a place of the screen; null where there is none. */
export function picked(people: Iterable<Seen>, x: number, y: number): number | null {
  let best: Seen | null = null;
  for (const one of people) {
    const tall = Math.abs(one.feet - one.crown);
    if (Math.abs(one.x - x) > WIDE * tall + SLACK || y < one.crown - SLACK || y > one.feet + SLACK) continue;
    if (!best || one.away < best.away) best = one;
  }
  return best?.who ?? null;
}

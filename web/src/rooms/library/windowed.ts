/** A long list of which only what is in sight is made: thousands of cards would take seconds to make, and stutter. */

/** up to so many are all made: they can be searched for on the page, and read out in a row */
const FEW = 200;
/** rows beyond both edges that are made, too, so that a quick scroll shows no gap */
const BEYOND = 4;

export interface Sight {
  /** how many stand in a row, and how tall a row is with the gap below it; 0 where that is not known yet */
  across: number;
  tall: number;
  /** how far the list is scrolled, and how much of it is seen */
  top: number;
  high: number;
}

export interface Windowed {
  /** the first of those that are made, and that after the last */
  start: number;
  end: number;
  /** pixels that those before and after them would take */
  before: number;
  after: number;
}

/** Which of `count` are made. */
export function windowed(count: number, { across, tall, top, high }: Sight, most = 60): Windowed {
  if (count <= FEW) return { start: 0, end: count, before: 0, after: 0 };
  if (!tall) return { start: 0, end: Math.min(count, most), before: 0, after: 0 };
  const rows = Math.ceil(count / across);
  const last = Math.min(rows, Math.ceil((top + high) / tall) + BEYOND);
  const first = Math.max(0, Math.min(Math.floor(top / tall) - BEYOND, last - 1));
  return { start: first * across, end: Math.min(count, last * across), before: first * tall, after: (rows - last) * tall };
}

/** Where to scroll to, so that one of them is seen; null where it is. */
export function scrollTo(index: number, { across, tall, top, high }: Sight): number | null {
  if (!tall || index < 0) return null;
  const at = Math.floor(index / across) * tall;
  return at >= top && at + tall <= top + high ? null : Math.max(0, at - (high - tall) / 2);
}

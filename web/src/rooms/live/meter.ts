/** How well it goes: from a wish to the first pose that was stepped by it, and how far feet slide that should stand. */

/** Wishes that are waited for, and responses that are remembered. */
const MOST = 100;

/** Milliseconds from wishes to their poses. */
export class Responses {
  #waiting: { wish: number; at: number }[] = [];
  #taken: number[] = [];

  /** A wish was made at a time in milliseconds. */
  wished(wish: number, at: number): void {
    this.#waiting.push({ wish, at });
    if (this.#waiting.length > MOST) this.#waiting.shift();
  }

  /** A pose has come that was stepped by a wish, or by a later one; whether somebody waited for it. */
  came(wish: number, now: number): boolean {
    const count = this.#taken.length;
    let first = true;
    while (this.#waiting.length && this.#waiting[0]!.wish <= wish) {
      const { at } = this.#waiting.shift()!;
      // of several wishes in one step the first has waited longest
      if (first) this.#taken.push(now - at);
      first = false;
    }
    if (this.#taken.length > MOST) this.#taken.splice(0, this.#taken.length - MOST);
    return this.#taken.length !== count || !first;
  }

  /** Of the last one, and the time below which all but one of twenty are; null before the first. */
  get figures(): { last: number; p95: number; count: number } | null {
    if (!this.#taken.length) return null;
    const sorted = [...this.#taken].sort((a, b) => a - b);
    return { last: this.#taken.at(-1)!, p95: sorted[Math.min(Math.floor(0.95 * sorted.length), sorted.length - 1)]!, count: sorted.length };
  }

  /** Nobody waits any more: the socket is another. */
  forget(): void {
    this.#waiting = [];
  }
}

/** How far feet that are held have gone from where they came down. */
/** Seconds in which nobody lifts a foot and puts it down elsewhere. */
const NO_STEP = 0.15;

export class Slides {
  #down: (readonly [number, number] | null)[] = [null, null];

  /**
   * Metres that the foot has strayed which strays most, of those that are held; null in the air. passed: seconds since the pose before,
   * of which a slow page misses some, and with them steps.
   */
  far(held: readonly boolean[], places: readonly (readonly [number, number])[], passed: number): number | null {
    if (passed > NO_STEP) this.forget();
    let most: number | null = null;
    held.forEach((isHeld, foot) => {
      const place = places[foot];
      if (!isHeld || !place) {
        this.#down[foot] = null;
        return;
      }
      const down = (this.#down[foot] ??= place);
      most = Math.max(most ?? 0, Math.hypot(place[0] - down[0], place[1] - down[1]));
    });
    return most;
  }

  /** Somebody else stands here. */
  forget(): void {
    this.#down = [null, null];
  }
}

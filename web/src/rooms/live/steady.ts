/** Where somebody is without the sway of their steps, while nobody knows the next one. */

/** Seconds over which sway is averaged out. */
const OVER = 0.2;

export class Steady {
  #slow: Float32Array | null = null;
  #slower = new Float32Array(3);
  #place = new Float32Array(3);

  /** Where one is after some seconds, of which the root is told. What lags by averaging is made up for: at an even pace it does not lag. */
  add(root: ArrayLike<number>, passed: number): Float32Array {
    const share = 1 - Math.exp(-passed / OVER);
    if (!this.#slow) {
      this.#slow = Float32Array.from(root);
      this.#slower.set(this.#slow);
    }
    const place = new Float32Array(3);
    for (let axis = 0; axis < 3; axis++) {
      this.#slow[axis]! += (root[axis]! - this.#slow[axis]!) * share;
      this.#slower[axis]! += (this.#slow[axis]! - this.#slower[axis]!) * share;
      place[axis] = 2 * this.#slow[axis]! - this.#slower[axis]!;
    }
    return (this.#place = place);
  }

  /** Where one was last; null before. */
  get place(): Float32Array | null {
    return this.#slow && this.#place;
  }

  /** Somebody else stands here. */
  forget(): void {
    this.#slow = null;
  }
}

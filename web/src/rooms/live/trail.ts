/** The way that was walked, as far back as is worth seeing. */

const APART = 0.08;
const MOST = 500;

export class Trail {
  #points: [number, number, number][] = [];

  /** One is here now; whether the line is another by that. */
  add(x: number, z: number, height: number): boolean {
    const last = this.#points.at(-1);
    if (last && Math.hypot(x - last[0], z - last[2]) < APART) return false;
    this.#points.push([x, height, z]);
    if (this.#points.length > MOST) this.#points.splice(0, this.#points.length - MOST);
    return true;
  }

  get points(): readonly (readonly [number, number, number])[] {
    return this.#points;
  }

  /** Somebody sets out. */
  clear(): void {
    this.#points = [];
  }
}

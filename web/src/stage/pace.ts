/** When pictures are drawn, and whether plainly: without a graphics card each takes the processor from everything else. */

// pictures that take longer than this are those of software WebGL
const SLOW = 100;
const SLOW_PICTURES = 3;
// so many pictures tell; waiting for more of them would only cost time
const JUDGED = 40;
// the first pictures also make shaders ready, which tells nothing
const WARM = 3;
// milliseconds between plain pictures: drawn by the processor, they would take all of it from the pen and from searches
const BREATH = 60;
// and for the clock while something is waited for; a screen's own beat earlier is soon enough
const CALM = 240;
const BEAT = 8;

export class Pace {
  /** without shadows, at the screen's own pixels */
  plain: boolean;
  /** whether the user has said how; else it is found out by the time pictures take */
  chosen: boolean;
  /** whether something is waited for: with plain pictures the clock is slower then */
  calm = false;
  /** pictures drawn so far */
  pictures = 0;
  #draw: () => void;
  #scheduled = 0;
  #drawn = -Infinity;
  #slow = 0;
  #judged = 0;

  constructor(draw: () => void, plain: boolean, chosen: boolean) {
    this.#draw = draw;
    this.plain = plain;
    this.chosen = chosen;
  }

  /** Milliseconds that the clock should leave between two pictures; what a hand moves is drawn sooner. */
  get breath(): number {
    return this.plain ? (this.calm ? CALM : BREATH) : 0;
  }

  /** Draw soon: once, however often it is asked for. Something new is drawn as soon as the screen is ready for it. */
  request(isNew: boolean): void {
    if (isNew) this.#drawn = -Infinity;
    if (!this.#scheduled) this.#scheduled = requestAnimationFrame(() => this.#frame());
  }

  /** Draw now. */
  now(): void {
    this.cancel();
    this.#drawn = performance.now();
    this.pictures += 1;
    this.#draw();
  }

  cancel(): void {
    cancelAnimationFrame(this.#scheduled);
    this.#scheduled = 0;
  }

  /** Whether pictures turn out to be slow, of which the last has just been handed over; finish: waits until it is drawn. */
  isSlow(finish: () => void): boolean {
    if (this.plain || this.chosen || this.#judged >= JUDGED) return false;
    if (this.#judged++ < WARM) return false;
    finish();
    this.#slow = performance.now() - this.#drawn > SLOW ? this.#slow + 1 : 0;
    return this.#slow >= SLOW_PICTURES;
  }

  /** The screen is ready for a picture. */
  #frame(): void {
    if (this.plain && performance.now() - this.#drawn < BREATH - BEAT) this.#scheduled = requestAnimationFrame(() => this.#frame());
    else this.now();
  }
}

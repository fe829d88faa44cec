/**
 * The target plane: across and up, in metres, seen from behind the figure, so that its left is on the left.
 *
 * X grows to the figure's left and therefore towards the left edge of the picture.
 */

/** A target on the plane: metres to the left, metres up. */
export type Spot = readonly [x: number, y: number];

/** What part of the plane is shown. */
export interface Extent {
  readonly low: Spot;
  readonly high: Spot;
}

/** The same seen with left and right exchanged, for strikes of the other limb. */
export function flipped(extent: Extent): Extent {
  return { low: [-extent.high[0], extent.low[1]], high: [-extent.low[0], extent.high[1]] };
}

/** Where places of the plane lie in a picture of it, in pixels. */
export class PlaneMap {
  /** pixels by metre, the same across and up */
  readonly scale: number;
  private readonly middle: Spot;

  readonly width: number;
  readonly height: number;

  /** The largest picture of an extent for which there is room. */
  constructor(
    readonly extent: Extent,
    width: number,
    height: number,
  ) {
    const { low, high } = extent;
    const [across, up] = [high[0] - low[0], high[1] - low[1]];
    this.scale = Math.max(1e-6, Math.min(width / across, height / up));
    this.width = across * this.scale;
    this.height = up * this.scale;
    this.middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  }

  /** The pixel of a place. */
  pixel([x, y]: Spot): [number, number] {
    return [this.width / 2 - (x - this.middle[0]) * this.scale, this.height / 2 - (y - this.middle[1]) * this.scale];
  }

  /** The place of a pixel. */
  spot(px: number, py: number): [number, number] {
    return [this.middle[0] + (this.width / 2 - px) / this.scale, this.middle[1] + (this.height / 2 - py) / this.scale];
  }
}

/** A place held within an extent, to whole millimetres. */
export function held([x, y]: readonly [number, number], within: Extent): [number, number] {
  const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
  const tidy = (value: number) => Math.round(value * 1000) / 1000 + 0;
  return [tidy(clamp(x, within.low[0], within.high[0])), tidy(clamp(y, within.low[1], within.high[1]))];
}

/** Whether a place lies within the convex region of these corners, in whichever sense they go round. */
export function inside(corners: readonly Spot[], [x, y]: Spot): boolean {
  let sign = 0;
  for (let i = 0; i < corners.length; i++) {
    const a = corners[i]!;
    const b = corners[(i + 1) % corners.length]!;
    const side = Math.sign((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]));
    if (side === 0) continue;
    if (sign !== 0 && side !== sign) return false;
    sign = side;
  }
  return true;
}

/** Metres that an arrow key moves the target; with Shift, and with Alt. */
const STEP = 0.02;
const LONG_STEP = 0.1;
const SHORT_STEP = 0.005;

/** How far an arrow key moves the target, as seen from behind: the left arrow moves it to the figure's left. Null for other keys. */
export function nudge(event: { key: string; shiftKey: boolean; altKey: boolean }): Spot | null {
  const step = event.shiftKey ? LONG_STEP : event.altKey ? SHORT_STEP : STEP;
  switch (event.key) {
    case "ArrowLeft":
      return [step, 0];
    case "ArrowRight":
      return [-step, 0];
    case "ArrowUp":
      return [0, step];
    case "ArrowDown":
      return [0, -step];
    default:
      return null;
  }
}

/** Round numbers between low and high, about so many: for the lines of a grid. */
export function ticks(low: number, high: number, about: number): number[] {
  const rough = (high - low) / Math.max(about, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
  const found: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) found.push(Number((i * step).toFixed(6)));
  return found;
}

/** The grid of reliabilities as the server gives it: rows from the lowest up, columns from the right to the left of the figure. */
export interface Reliability {
  readonly rows: number;
  readonly columns: number;
  readonly x0: number;
  readonly y0: number;
  readonly step: number;
  readonly values: ArrayLike<number>;
}

/** The grid as the pixels of a picture seen from behind, the top row first: one colour, the more opaque the more reliable. */
export function shaded(grid: Reliability, [red, green, blue]: readonly number[], strength: number): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(grid.rows * grid.columns * 4);
  for (let row = 0; row < grid.rows; row++)
    for (let column = 0; column < grid.columns; column++) {
      const value = grid.values[(grid.rows - 1 - row) * grid.columns + (grid.columns - 1 - column)]!;
      pixels.set([red!, green!, blue!, 255 * strength * Math.min(Math.max(value, 0), 1)], 4 * (row * grid.columns + column));
    }
  return pixels;
}

/** What the picture of a grid covers. Values are those of the grid's points, so that a pixel reaches half a step around its point. */
export function covered(grid: Reliability): Extent {
  const half = grid.step / 2;
  return {
    low: [grid.x0 - half, grid.y0 - half],
    high: [grid.x0 + (grid.columns - 1) * grid.step + half, grid.y0 + (grid.rows - 1) * grid.step + half],
  };
}

/** The reliability at a place, between the grid's points; null outside of it. */
export function reliabilityAt(grid: Reliability, [x, y]: Spot): number | null {
  const column = (x - grid.x0) / grid.step;
  const row = (y - grid.y0) / grid.step;
  if (column < 0 || row < 0 || column > grid.columns - 1 || row > grid.rows - 1) return null;
  const c = Math.min(Math.floor(column), grid.columns - 2);
  const r = Math.min(Math.floor(row), grid.rows - 2);
  const at = (i: number, j: number) => grid.values[i * grid.columns + j]!;
  const low = at(r, c) + (column - c) * (at(r, c + 1) - at(r, c));
  const high = at(r + 1, c) + (column - c) * (at(r + 1, c + 1) - at(r + 1, c));
  return low + (row - r) * (high - low);
}

/** Distances as pixels: one pixel a pair of windows, coloured by the palette. */

import { COLOURS, palette } from "./palette";

/** What stands for a distance that is not known. */
export const UNKNOWN = 65535;

/** The values between which the colours are spread. */
export interface Range {
  low: number;
  high: number;
}

let colours: Uint8ClampedArray | null = null;

/**
 * Paint distances `(rows, columns)` as RGBA, the first row of distances at the bottom, as on a chart.
 *
 * `scale` gives centimetres of a stored value, `range` is in centimetres. Unknown ones stay transparent.
 */
export function paint(stored: ArrayLike<number>, rows: number, columns: number, scale: number, range: Range): Uint8ClampedArray {
  colours ??= palette();
  const pixels = new Uint8ClampedArray(rows * columns * 4);
  const steps = (COLOURS - 1) / Math.max(range.high - range.low, 1e-9);
  for (let row = 0; row < rows; row += 1) {
    let to = (rows - 1 - row) * columns * 4;
    for (let from = row * columns; from < (row + 1) * columns; from += 1, to += 4) {
      const value = stored[from]!;
      if (value === UNKNOWN) continue;
      const step = Math.round(Math.min(COLOURS - 1, Math.max(0, (value * scale - range.low) * steps)));
      pixels[to] = colours[3 * step]!;
      pixels[to + 1] = colours[3 * step + 1]!;
      pixels[to + 2] = colours[3 * step + 2]!;
      pixels[to + 3] = 255;
    }
  }
  return pixels;
}

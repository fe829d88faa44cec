/** How many people there are on a square metre, on a grid: everybody is spread over the floor about them. */

export interface DensityGrid {
  readonly x0: number;
  readonly z0: number;
  readonly columns: number;
  readonly rows: number;
  readonly values: Float32Array;
}

/** Metres of a cell, and from somebody within which they count. */
export const CELL = 0.4;
const REACH = 1.2;
const MOST_CELLS = 40_000;

/** A grid over a box [x0, z0, x1, z1] with nobody in it; null where the box is none or far too large. */
export function gridOver(box: readonly [number, number, number, number]): DensityGrid | null {
  const columns = Math.ceil((box[2] - box[0] + 2 * REACH) / CELL);
  const rows = Math.ceil((box[3] - box[1] + 2 * REACH) / CELL);
  if (!(columns > 0 && rows > 0) || columns * rows > MOST_CELLS) return null;
  return { x0: box[0] - REACH, z0: box[1] - REACH, columns, rows, values: new Float32Array(columns * rows) };
}

/** One more person. Their share of all cells is one together, as far as they lie within the grid. */
export function addTo(grid: DensityGrid, x: number, z: number): void {
  const { columns, rows, values } = grid;
  const [c, r] = [(x - grid.x0) / CELL - 0.5, (z - grid.z0) / CELL - 0.5];
  const reach = REACH / CELL;
  // of (1 − d²/R²) over a disc of radius R the whole is π R² / 2
  const height = 2 / (Math.PI * REACH * REACH);
  for (let row = Math.max(Math.ceil(r - reach), 0); row <= Math.min(Math.floor(r + reach), rows - 1); row++) {
    for (let column = Math.max(Math.ceil(c - reach), 0); column <= Math.min(Math.floor(c + reach), columns - 1); column++) {
      const away = ((row - r) ** 2 + (column - c) ** 2) / (reach * reach);
      if (away < 1) values[row * columns + column]! += height * (1 - away);
    }
  }
}

/** Grounds as heights: the same formulas as the server's, so that hills are seen at once and reach beyond the way. */

import type { GroundSetting } from "./ground";

/** Heights on a grid: row r, column c is at x0 + c·step, z0 + r·step. */
export interface Grid {
  readonly x0: number;
  readonly z0: number;
  readonly step: number;
  readonly rows: number;
  readonly columns: number;
  readonly heights: Float32Array;
}

/** Metres of ground around what is walked. */
const AROUND = 5;
/** Cells along the longer side, at most. */
const CELLS = 140;
const FINEST = 0.2;

/** The height of a ground at a place of the floor, in metres. */
export function heightOf(ground: GroundSetting, x: number, z: number): number {
  switch (ground.kind) {
    case "flat":
      return 0;
    case "slope": {
      const towards = (ground.slope.towards * Math.PI) / 180;
      return (ground.slope.grade / 100) * (x * Math.sin(towards) + z * Math.cos(towards));
    }
    case "hill": {
      const { height, radius } = ground.hill;
      const share = Math.min(Math.hypot(x, z - radius) / radius, 1);
      return (height * (1 + Math.cos(Math.PI * share))) / 2;
    }
    case "waves":
      return (ground.waves.height / 2) * (1 - Math.cos((2 * Math.PI * z) / ground.waves.length));
  }
}

/** The ground around places [x, z], as a grid; null where it is flat. */
export function gridAround(ground: GroundSetting, places: readonly (readonly number[])[]): Grid | null {
  if (ground.kind === "flat" || places.length === 0) return null;
  let [left, right, near, far] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, z] of places) {
    [left, right] = [Math.min(left, x!), Math.max(right, x!)];
    [near, far] = [Math.min(near, z!), Math.max(far, z!)];
  }
  // whole metres, so that the ground does not creep while a point is dragged
  [left, near] = [Math.floor(left - AROUND), Math.floor(near - AROUND)];
  [right, far] = [Math.ceil(right + AROUND), Math.ceil(far + AROUND)];
  const step = Math.max(FINEST, Math.max(right - left, far - near) / CELLS);
  const columns = Math.ceil((right - left) / step) + 1;
  const rows = Math.ceil((far - near) / step) + 1;
  const heights = new Float32Array(rows * columns);
  for (let row = 0, at = 0; row < rows; row++)
    for (let column = 0; column < columns; column++, at++) heights[at] = heightOf(ground, left + column * step, near + row * step);
  return { x0: left, z0: near, step, rows, columns, heights };
}

/** A strip along points [x, y, z], so many metres wide and level across: vertices and triangles. */
export function strip(points: readonly (readonly number[])[], width: number): { vertices: Float32Array; faces: Uint32Array } {
  const vertices = new Float32Array(points.length * 6);
  const faces = new Uint32Array(Math.max(points.length - 1, 0) * 6);
  points.forEach(([x, y, z], i) => {
    const [before, after] = [points[Math.max(i - 1, 0)]!, points[Math.min(i + 1, points.length - 1)]!];
    const [dx, dz] = [after[0]! - before[0]!, after[2]! - before[2]!];
    const scale = width / 2 / Math.max(Math.hypot(dx, dz), 1e-9);
    vertices.set([x! + dz * scale, y!, z! - dx * scale, x! - dz * scale, y!, z! + dx * scale], 6 * i);
    if (i > 0) faces.set([2 * i - 2, 2 * i - 1, 2 * i, 2 * i, 2 * i - 1, 2 * i + 1], 6 * (i - 1));
  });
  return { vertices, faces };
}

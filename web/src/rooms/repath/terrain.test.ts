import { describe, expect, it } from "vitest";
import { FLAT } from "./ground";
import { gridAround, heightOf, strip } from "./terrain";

describe("grounds as heights", () => {
  it("are those of the library", () => {
    // kinegraph.paths.ground: hill("hill:1,6") is 1 at (0, 6), a half at half its radius, 0 at the origin
    const hill = { ...FLAT, kind: "hill", hill: { height: 1, radius: 6 } } as const;
    expect(heightOf(hill, 0, 6)).toBeCloseTo(1, 12);
    expect(heightOf(hill, 0, 3)).toBeCloseTo(0.5, 12);
    expect(heightOf(hill, 0, 0)).toBeCloseTo(0, 12);
    expect(heightOf(hill, 50, 0)).toBeCloseTo(0, 12);
    const waves = { ...FLAT, kind: "waves", waves: { height: 0.6, length: 6 } } as const;
    expect(heightOf(waves, 9, 3)).toBeCloseTo(0.6, 12);
    expect(heightOf(waves, 9, 6)).toBeCloseTo(0, 12);
    const slope = { ...FLAT, kind: "slope", slope: { grade: 20, towards: 90 } } as const;
    expect(heightOf(slope, 2, 7)).toBeCloseTo(0.4, 12);
  });

  it("cover the way and some metres around it", () => {
    const grid = gridAround({ ...FLAT, kind: "slope" }, [[0, 0], [3, 12]])!; // prettier-ignore
    expect(grid.x0).toBeLessThanOrEqual(-5);
    expect(grid.z0 + (grid.rows - 1) * grid.step).toBeGreaterThanOrEqual(17 - 1e-9);
    expect(grid.heights).toHaveLength(grid.rows * grid.columns);
    expect(grid.heights[0]).toBeCloseTo(0.1 * grid.z0, 6);
    expect(gridAround(FLAT, [[0, 0]])).toBeNull();
  });
});

it("lays a strip along a line, level across", () => {
  const { vertices, faces } = strip([[0, 0, 0], [0, 0.5, 1], [0, 1, 2]], 0.6); // prettier-ignore
  expect([...vertices.slice(6, 12)].map((value) => Number(value.toFixed(6)))).toEqual([0.3, 0.5, 1, -0.3, 0.5, 1]);
  expect(faces).toHaveLength(12);
  expect(Math.max(...faces)).toBe(5);
});

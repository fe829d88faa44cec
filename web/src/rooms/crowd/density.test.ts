import { describe, expect, it } from "vitest";
import { addTo, CELL, gridOver } from "./density";

describe("density", () => {
  it("counts everybody once, wherever they stand", () => {
    const grid = gridOver([-3, -3, 3, 3])!;
    for (const [x, z] of [[0, 0], [0.37, -1.9], [3, 3]] as const) addTo(grid, x, z); // prettier-ignore
    const total = grid.values.reduce((sum, value) => sum + value) * CELL * CELL;
    expect(total).toBeGreaterThan(2.8);
    expect(total).toBeLessThan(3.1);
    expect(Math.max(...grid.values)).toBeGreaterThan(0.3);
  });

  it("says nothing of a floor without end", () => {
    expect(gridOver([-1e4, 0, 1e4, 1e4])).toBeNull();
    expect(gridOver([Infinity, Infinity, -Infinity, -Infinity])).toBeNull();
  });
});

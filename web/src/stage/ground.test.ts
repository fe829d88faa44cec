import { describe, expect, it } from "vitest";
import { heightOn } from "./ground";

describe("heightOn", () => {
  const grid = { x0: -1, z0: 2, step: 0.5, rows: 2, columns: 3, heights: [0, 1, 2, 10, 11, 12] };

  it("is exact at the points and even between them", () => {
    expect(heightOn(grid, -1, 2)).toBe(0);
    expect(heightOn(grid, 0, 2.5)).toBe(12);
    expect(heightOn(grid, -0.75, 2.25)).toBeCloseTo(5.5);
  });

  it("goes on beyond the edge as it is there", () => {
    expect(heightOn(grid, -9, 2)).toBe(0);
    expect(heightOn(grid, 9, 9)).toBe(12);
  });

  it("takes a grid of one point", () => {
    expect(heightOn({ x0: 0, z0: 0, step: 1, rows: 1, columns: 1, heights: [3] }, 5, 5)).toBe(3);
  });
});

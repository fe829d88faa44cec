import { describe, expect, it } from "vitest";
import { markRadius, nearest, stepped, upTo } from "./minima";

const minima = { first: [10, 50, 50], second: [20, 60, 64], cost: [1, 2.5, 7] };

describe("minima", () => {
  it("counts those up to a threshold", () => {
    expect([0, 1, 2.5, 6.9, 100].map((cm) => upTo(minima, cm))).toEqual([0, 1, 2, 2, 3]);
  });
  it("picks the nearest within reach, by pixels", () => {
    expect(nearest(minima, 11, 21, 4, 4, 10)).toBe(0);
    expect(nearest(minima, 30, 40, 4, 4, 10)).toBe(-1);
    expect(nearest(minima, 50, 63, 4, 4, 10)).toBe(2);
    // of two equally near the cheaper
    expect(nearest(minima, 50, 62, 1, 1, 10)).toBe(1);
  });
  it("steps from the cheapest on, and stays at the ends", () => {
    expect(stepped(3, -1, 1)).toBe(0);
    expect(stepped(3, 0, 1)).toBe(1);
    expect(stepped(3, 2, 1)).toBe(2);
    expect(stepped(3, 0, -1)).toBe(0);
    expect(stepped(0, -1, 1)).toBe(-1);
  });
  it("draws many marks smaller than few", () => {
    expect(markRadius(10)).toBe(5);
    expect(markRadius(5000)).toBe(2.2);
  });
});

import { describe, expect, it } from "vitest";
import { length, type Point } from "../../motion/spline";
import { piece, placeOn } from "./along";

const bend: Point[] = [[0, 0], [0, 4], [4, 4]];

describe("along a line", () => {
  it("a piece has the length that was asked for", () => {
    expect(length(piece(bend, 1, 6))).toBeCloseTo(5, 9);
    expect(piece(bend, 3, 5)).toEqual([[0, 3], [0, 4], [1, 4]]);
    expect(length(piece(bend, 7, 99))).toBeCloseTo(1, 9);
    expect(piece(bend, 2, 2)).toEqual([]);
  });

  it("the nearest place is found by metres", () => {
    expect(placeOn(bend, [1, 2])).toEqual({ s: 2, distance: 1 });
    expect(placeOn(bend, [9, 4])).toEqual({ s: 8, distance: 5 });
  });

  it("a hand at a crossing stays on its way", () => {
    const crossing: Point[] = [[0, 0], [0, 4], [2, 4], [2, 2], [-2, 2]];
    expect(placeOn(crossing, [0.1, 2], 2).s).toBeCloseTo(2, 9);
    expect(placeOn(crossing, [0.1, 2], 10).s).toBeCloseTo(9.9, 9);
  });
});

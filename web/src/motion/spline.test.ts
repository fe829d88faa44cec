import { describe, expect, it } from "vitest";
import { arcLength, at, evaluate, knots, length, nearest, sample } from "./spline";

describe("splines", () => {
  const controls = [
    [0, 0],
    [1, 3],
    [4, 3],
    [5, 0],
    [8, 1],
  ];

  it("are clamped: begun at the first control and ended at the last", () => {
    expect(knots(5, 3)).toEqual([0, 0, 0, 0, 0.5, 1, 1, 1, 1]);
    expect(evaluate(controls, 0)).toEqual([0, 0]);
    evaluate(controls, 1).forEach((value, axis) => expect(value).toBeCloseTo(controls[4]![axis]!, 12));
  });

  it("of four controls are Bézier curves", () => {
    const four = controls.slice(0, 4);
    const t = 0.3;
    const weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
    const expected = [0, 1].map((axis) => weights.reduce((sum, weight, index) => sum + weight * four[index]![axis]!, 0));
    evaluate(four, t).forEach((value, axis) => expect(value).toBeCloseTo(expected[axis]!, 12));
  });

  it("on a straight line stay on it, with heights too", () => {
    for (const point of sample([[0, 0, 0], [1, 2, 1], [2, 4, 2], [3, 6, 3], [4, 8, 4]], 50)) {
      expect(point[1]).toBeCloseTo(2 * point[0]!, 12);
      expect(point[2]).toBeCloseTo(point[0]!, 12);
    }
  });

  it("of two controls are the line between them", () => {
    expect(evaluate([[0, 0], [2, 4]], 0.5)).toEqual([1, 2]);
    expect(evaluate([[3, 4]], 0.5)).toEqual([3, 4]);
  });
});

describe("polylines", () => {
  const corner = [
    [0, 0],
    [3, 0],
    [3, 4],
  ];

  it("have lengths and places along them", () => {
    expect(arcLength(corner)).toEqual([0, 3, 7]);
    expect(length(corner)).toBe(7);
    expect(at(corner, arcLength(corner), 5)).toEqual([3, 2]);
    expect(at(corner, arcLength(corner), 99)).toEqual([3, 4]);
  });

  it("know their nearest place", () => {
    expect(nearest(corner, [4, 1])).toMatchObject({ point: [3, 1], distance: 1, s: 4, segment: 1 });
    expect(nearest(corner, [-1, -1]).point).toEqual([0, 0]);
    expect(nearest([[1, 1]], [1, 2]).distance).toBe(1);
  });
});

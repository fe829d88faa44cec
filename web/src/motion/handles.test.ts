import { describe, expect, it } from "vitest";
import { onCurve, through } from "./handles";
import { evaluate, nearest, type Point, sample } from "./spline";

const ARCH: Point[] = [[0, 0, 0], [0, 1, 2], [2, 0, 3], [3, 0, 1], [5, 2, 0], [6, 0, 4]]; // prettier-ignore

describe("points on a spline", () => {
  for (const degree of [1, 2, 3, 5])
    it(`lie on it and give it back, degree ${degree}`, () => {
      const points = onCurve(ARCH, degree);
      const line = sample(ARCH, 4000, degree);
      for (const point of points) expect(nearest(line, point).distance).toBeLessThan(1e-3);
      through(points, degree).forEach((control, i) => control.forEach((value, axis) => expect(value).toBeCloseTo(ARCH[i]![axis]!, 9)));
    });

  it("stay where they are while one of them is moved", () => {
    const points = onCurve(ARCH);
    const wanted = points.map((point, i) => (i === 2 ? [1, 0, 1] : point));
    onCurve(through(wanted)).forEach((point, i) => point.forEach((value, axis) => expect(value).toBeCloseTo(wanted[i]![axis]!, 9)));
  });

  it("are the controls where these are few, and the ends in any case", () => {
    expect(onCurve([[1, 2]])).toEqual([[1, 2]]);
    expect(through([[0, 0], [0, 3]])).toEqual([[0, 0], [0, 3]]); // prettier-ignore
    expect(onCurve(ARCH)[0]).toEqual(evaluate(ARCH, 0));
    expect(onCurve(ARCH).at(-1)).toEqual(evaluate(ARCH, 1));
  });
});

import { describe, expect, it } from "vitest";
import { length, nearest, type Point } from "../../motion/spline";
import * as drawing from "./drawing";

const corner: Point[] = [[0, 0], [0, 1], [0, 2], [0, 3], [1, 3], [2, 3], [3, 3]];
const lengthOf = (one: drawing.Drawing) => length(drawing.lineOf(one));

describe("a stroke", () => {
  it("is smoothed, with its ends where they were drawn", () => {
    const drawn = drawing.stroke(corner, 0.4)!;
    const line = drawing.lineOf(drawn);
    expect(nearest([line[0]!, line[0]!], [0, 0]).distance).toBeLessThan(1e-9);
    expect(nearest([line.at(-1)!, line.at(-1)!], [3, 3]).distance).toBeLessThan(1e-9);
    // the corner is cut
    expect(nearest(line, [0, 3]).distance).toBeGreaterThan(0.1);
  });

  it("is sent as points that a server takes", () => {
    const path = drawing.sent(drawing.stroke(corner)!) as { points: number[][] };
    expect(path.points.length).toBeGreaterThan(50);
    expect(path.points.length).toBeLessThanOrEqual(5000);
    const long = drawing.sent(drawing.stroke([[0, 0], [0, 900]])!) as { points: number[][] };
    expect(long.points.length).toBeLessThanOrEqual(5000);
  });

  it("is none where the hand only slipped", () => {
    expect(drawing.stroke([[0, 0], [0, 0], [0.1, 0.1]])).toBeNull();
    expect(drawing.stroke([[1, 1]])).toBeNull();
  });
});

describe("a preset", () => {
  const eight = drawing.shape("eight:3", corner);

  it("is sent by its name until it is changed", () => {
    expect(drawing.sent(eight)).toEqual({ shape: "eight:3" });
    expect(drawing.sent(drawing.smoothed(eight, 0.3))).toHaveProperty("points");
    expect(drawing.sent(drawing.mirrored(eight))).toHaveProperty("points");
  });

  it("is bent by controls that come near to it", () => {
    const bent = drawing.moved(drawing.smoothed(eight, 0.3), 0, [0, 0]);
    expect(bent.source?.kind).toBe("spline");
    const line = drawing.lineOf(bent);
    for (const point of drawing.lineOf(drawing.smoothed(eight, 0.3))) expect(nearest(line, point).distance).toBeLessThan(0.15);
  });
});

describe("a spline", () => {
  const three = drawing.spline([[0, 0], [0, 2], [2, 4]]);

  it("is sent by its controls, with a degree that they allow", () => {
    expect(drawing.sent(three)).toEqual({ degree: 2, controls: [[0, 0], [0, 2], [2, 4]] });
    expect(drawing.sent(drawing.spline([[0, 0]]))).toBeNull();
  });

  it("gains and loses points", () => {
    expect(drawing.pointsOf(drawing.extended(three, [5, 5]))).toHaveLength(4);
    const { drawing: more, index } = drawing.inserted(three, [0.1, 1]);
    expect(index).toBe(1);
    drawing.pointsOf(more)[1]!.forEach((value, axis) => expect(value).toBeCloseTo([0.1, 1][axis]!, 9));
    drawing.controlsOf(drawing.removed(more, 1)).forEach((each, i) => each.forEach((value, axis) => expect(value).toBeCloseTo(drawing.controlsOf(three)[i]![axis]!, 9)));
    expect(drawing.removed(drawing.spline([[0, 0]]), 0).source).toBeNull();
  });

  it("goes through the points by which it is bent, and near them where it would run in loops", () => {
    const bent = drawing.moved(drawing.shape("eight:3", corner), 1, [1, 1]);
    const line = drawing.lineOf(bent);
    for (const point of drawing.pointsOf(bent)) expect(nearest(line, point).distance).toBeLessThan(0.01);
    expect(nearest(line, [1, 1]).distance).toBeLessThan(0.01);
    const points: Point[] = [[0, 0], [0, 20], [0.05, 20], [0.05, 19.9], [8, 0]];
    const uneven = points.slice(1).reduce(drawing.extended, drawing.spline([points[0]!]));
    expect(lengthOf(uneven)).toBeLessThan(1.6 * length(points));
  });

  it("can be made from nothing without a mouse, a step ahead each time", () => {
    const one = drawing.ahead(drawing.EMPTY);
    const two = drawing.ahead(one);
    drawing.pointsOf(two).forEach((each, i) => each.forEach((value, axis) => expect(value).toBeCloseTo([0, 1.5 * i][axis]!, 9)));
    expect(lengthOf(two)).toBeCloseTo(3, 6);
  });
});

describe("what can be done to any of them", () => {
  const drawn = drawing.stroke(corner, 0)!;

  it("mirrors and turns round, and twice is as before", () => {
    for (const change of [drawing.mirrored, drawing.turnedRound]) {
      const twice = drawing.lineOf(change(change(drawn)));
      expect(twice[0]![0]).toBeCloseTo(0, 9);
      expect(length(twice)).toBeCloseTo(lengthOf(drawn), 9);
    }
    expect(drawing.lineOf(drawing.mirrored(drawn)).at(-1)).toEqual([-3, 3]);
    expect(drawing.lineOf(drawing.turnedRound(drawn))[0]).toEqual([3, 3]);
    expect(drawing.mirrored(drawing.EMPTY)).toBe(drawing.EMPTY);
  });

  it("comes back from what was saved", () => {
    const points = () => corner;
    for (const path of [{ shape: "eight:3" }, { points: corner }, { degree: 3, controls: [[0, 0], [0, 2], [2, 4], [4, 4]] }])
      expect(drawing.sent(drawing.loaded(path, points))).not.toBeNull();
    expect(drawing.controlsOf(drawing.loaded({ degree: 3, controls: [[0, 1, 2], [3, 4, 5]] }, points))).toEqual([[0, 2], [3, 5]]);
  });
});

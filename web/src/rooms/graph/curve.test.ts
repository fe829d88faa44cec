import { describe, expect, it } from "vitest";
import type { CurvePoint } from "../../api/types";
import { curveRange, readCurve } from "./curve";

const curve: CurvePoint[] = [
  { threshold_cm: 2, transitions: 0, frames: 0, components: 0 },
  { threshold_cm: 4, transitions: 100, frames: 600, components: 2 },
  { threshold_cm: 8, transitions: 500, frames: 1010, components: 1 },
];

describe("readCurve", () => {
  it("gives the points themselves", () => {
    for (const point of curve) expect(readCurve(curve, 1000, point.threshold_cm).transitions).toBe(point.transitions);
  });
  it("is straight between points", () => {
    expect(readCurve(curve, 1000, 3)).toEqual({ transitions: 50, frames: 300, share: 0.3 });
    expect(readCurve(curve, 1000, 6).transitions).toBe(300);
  });
  it("is level beyond its ends, and no share exceeds all", () => {
    expect(readCurve(curve, 1000, 0).transitions).toBe(0);
    expect(readCurve(curve, 1000, 99)).toEqual({ transitions: 500, frames: 1010, share: 1 });
  });
  it("never falls while the curve rises", () => {
    let before = -1;
    for (let cm = 1; cm < 10; cm += 0.05) {
      const now = readCurve(curve, 1000, cm).transitions;
      expect(now).toBeGreaterThanOrEqual(before);
      before = now;
    }
  });
  it("bears an empty curve, one point, two at the same threshold and nothing attainable", () => {
    expect(readCurve([], 1000, 3)).toEqual({ transitions: 0, frames: 0, share: 0 });
    expect(readCurve([curve[1]!], 0, 3)).toEqual({ transitions: 100, frames: 600, share: 0 });
    expect(Number.isFinite(readCurve([curve[1]!, { ...curve[2]!, threshold_cm: 4 }], 9, 4).transitions)).toBe(true);
  });
});

describe("curveRange", () => {
  it("covers the curve and what was chosen, in tenths", () => {
    expect(curveRange(curve, 9.13)).toEqual({ min: 2, max: 9.2 });
    expect(curveRange([], 3.33)).toEqual({ min: 3.3, max: 3.4 });
  });
});

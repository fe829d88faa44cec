import { describe, expect, it } from "vitest";
import { covered, flipped, held, inside, nudge, PlaneMap, type Reliability, reliabilityAt, shaded, type Spot, ticks } from "./plane";

const BOX = { low: [-0.2, 1.1], high: [0.3, 1.6] } as const;

describe("the target plane", () => {
  it("has the figure's left on the left and up at the top", () => {
    const map = new PlaneMap(BOX, 500, 500);
    expect(map.pixel([0.3, 1.6])).toEqual([0, 0].map((value) => expect.closeTo(value, 9)));
    expect(map.pixel([-0.2, 1.1])).toEqual([500, 500].map((value) => expect.closeTo(value, 9)));
  });

  it("finds the place of every pixel again, whatever room there is", () => {
    for (const [width, height] of [[300, 900], [900, 300], [640, 480]] as const) {
      const map = new PlaneMap(BOX, width, height);
      expect(map.width).toBeLessThanOrEqual(width + 1e-9);
      expect(map.height).toBeLessThanOrEqual(height + 1e-9);
      expect(map.width / map.height).toBeCloseTo(1, 9);
      for (const spot of [[0, 1.3], [0.41, 0.9], [-0.6, 1.9]] as Spot[]) {
        const [x, y] = map.spot(...map.pixel(spot));
        expect(x).toBeCloseTo(spot[0], 9);
        expect(y).toBeCloseTo(spot[1], 9);
      }
    }
  });

  it("is seen with left and right exchanged for the other limb", () => {
    expect(flipped({ low: [-1, 0], high: [2, 3] })).toEqual({ low: [-2, 0], high: [1, 3] });
  });

  it("holds targets within it, to the millimetre", () => {
    expect(held([9, 1.23456], BOX)).toEqual([0.3, 1.235]);
    expect(Object.is(held([-0.0001, 1.2], BOX)[0], 0)).toBe(true);
  });

  it("knows inside from outside, in either sense of the corners", () => {
    const corners: Spot[] = [[0, 0], [2, 0], [2, 1], [0, 1]]; // prettier-ignore
    for (const around of [corners, [...corners].reverse()]) {
      expect(inside(around, [1, 0.5])).toBe(true);
      expect(inside(around, [2.01, 0.5])).toBe(false);
      expect(inside(around, [2, 0.5])).toBe(true);
    }
  });

  it("is moved by arrow keys as seen from behind", () => {
    const key = (name: string, shiftKey = false, altKey = false) => nudge({ key: name, shiftKey, altKey });
    expect(key("ArrowLeft")?.[0]).toBeGreaterThan(0);
    expect(key("ArrowUp")?.[1]).toBeGreaterThan(0);
    expect(key("ArrowUp", true)![1]).toBeGreaterThan(key("ArrowUp")![1]);
    expect(key("ArrowUp", false, true)![1]).toBeLessThan(key("ArrowUp")![1]);
    expect(key("x")).toBeNull();
  });

  it("has round ticks", () => {
    expect(ticks(0.93, 1.74, 5)).toEqual([1, 1.2, 1.4, 1.6]);
    expect(ticks(-0.31, 0.42, 7)).toEqual([-0.2, 0, 0.2, 0.4]);
  });
});

describe("reliability", () => {
  const grid: Reliability = { rows: 2, columns: 3, x0: -1, y0: 1, step: 1, values: [0, 0.5, 1, 1, 0.5, 0] };

  it("is read between its points", () => {
    expect(reliabilityAt(grid, [-1, 1])).toBe(0);
    expect(reliabilityAt(grid, [1, 1])).toBe(1);
    expect(reliabilityAt(grid, [-0.5, 1.5])).toBeCloseTo(0.5, 9);
    expect(reliabilityAt(grid, [1, 2])).toBeCloseTo(0, 9);
    expect(reliabilityAt(grid, [1.2, 2])).toBeNull();
  });

  it("is drawn from behind: the greatest x on the left, the highest row at the top", () => {
    const pixels = shaded(grid, [1, 2, 3], 1);
    expect([...pixels].filter((_, i) => i % 4 === 3)).toEqual([0, 128, 255, 255, 128, 0]);
    expect([...pixels.slice(0, 3)]).toEqual([1, 2, 3]);
    expect(covered(grid)).toEqual({ low: [-1.5, 0.5], high: [1.5, 2.5] });
  });
});

import { describe, expect, it } from "vitest";
import { moved, ticks, tickText, toPixel, toValue, within, zoomed } from "./scale";

describe("ticks", () => {
  it("are round and within", () => {
    expect(ticks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
    const fine = ticks(0.13, 0.57, 4);
    expect(fine.map((tick) => tickText(tick, fine))).toEqual(["0.2", "0.4"]);
  });
  it("are none where there is no room", () => {
    expect(ticks(1, 1, 5)).toEqual([]);
    expect(ticks(0, 1, 0)).toEqual([]);
  });
  it("say as many decimals as they differ in, and no minus zero", () => {
    const found = ticks(-0.1, 0.1, 4);
    expect(tickText(found[2]!, found)).toBe("0.00");
    expect(tickText(12, [10, 12])).toBe("12");
  });
});

describe("zoom and move", () => {
  const whole = { low: 0, high: 100 };
  it("keeps the value under the pointer where it is", () => {
    const near = zoomed({ low: 20, high: 80 }, whole, 50, 0.5, 1);
    expect(near).toEqual({ low: 35, high: 65 });
    expect(toPixel(near, 50, 0, 300)).toBe(150);
  });
  it("never leaves the whole, nor comes nearer than the least", () => {
    expect(zoomed({ low: 0, high: 50 }, whole, 10, 8, 1)).toEqual(whole);
    const tiny = zoomed({ low: 0, high: 50 }, whole, 10, 1e-6, 4);
    expect(tiny.high - tiny.low).toBeCloseTo(4);
    expect(moved({ low: 60, high: 90 }, whole, 50)).toEqual({ low: 70, high: 100 });
    expect(within({ low: -5, high: 5 }, whole)).toEqual({ low: 0, high: 10 });
  });
  it("goes to pixels and back, upwards too", () => {
    const span = { low: 3, high: 9 };
    expect(toValue(span, toPixel(span, 5, 400, 20), 400, 20)).toBeCloseTo(5);
  });
});

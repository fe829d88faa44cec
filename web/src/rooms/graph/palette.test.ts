import { describe, expect, it } from "vitest";
import { paint, UNKNOWN } from "./heat";
import { colour, COLOURS, gradientStops, palette } from "./palette";

describe("palette", () => {
  it("falls evenly in lightness from near to far", () => {
    const steps = Array.from({ length: COLOURS - 1 }, (_, n) => colour(n / 255)[0] - colour((n + 1) / 255)[0]);
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan(1e-9);
  });
  it("changes about evenly altogether: no band stands out", () => {
    const steps = Array.from({ length: 63 }, (_, n) => {
      const [one, two] = [colour(n / 63), colour((n + 1) / 63)];
      return Math.hypot(one[0] - two[0], one[1] - two[1], one[2] - two[2]);
    });
    expect(Math.max(...steps) / Math.min(...steps)).toBeLessThan(1.6);
  });
  it("keeps away from white and black", () => {
    const bytes = palette();
    const grey = (n: number): number => 0.2126 * bytes[3 * n]! + 0.7152 * bytes[3 * n + 1]! + 0.0722 * bytes[3 * n + 2]!;
    expect(grey(0)).toBeLessThan(245);
    expect(grey(COLOURS - 1)).toBeGreaterThan(14);
    expect(gradientStops(3).map(([part]) => part)).toEqual([0, 0.5, 1]);
  });
});

describe("paint", () => {
  it("puts the first row at the bottom, spreads the colours over the range and leaves the unknown clear", () => {
    const colours = palette();
    const pixels = paint(Uint16Array.of(10, 20, UNKNOWN, 15), 2, 2, 0.5, { low: 5, high: 10 });
    expect([...pixels.slice(8, 11)]).toEqual([...colours.slice(0, 3)]);
    expect([...pixels.slice(12, 15)]).toEqual([...colours.slice(-3)]);
    expect(pixels[3]).toBe(0);
    expect(pixels[7]).toBe(255);
  });
  it("bears a range without width", () => {
    expect(paint(Uint16Array.of(4), 1, 1, 1, { low: 4, high: 4 })[3]).toBe(255);
  });
});

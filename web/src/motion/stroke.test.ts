import { describe, expect, it } from "vitest";
import { distance, length } from "./spline";
import { mirror, resample, reverse, simplify, smooth } from "./stroke";

const wave = Array.from({ length: 200 }, (_, i) => [i * 0.02, 0.3 * Math.sin(i * 0.05) + 0.02 * Math.sin(i * 2.1)]);

describe("strokes", () => {
  it("are resampled at even steps with both ends", () => {
    const even = resample(wave, 0.1);
    expect(even[0]).toEqual(wave[0]);
    expect(distance(even.at(-1)!, wave.at(-1)!)).toBeLessThan(1e-9);
    const steps = even.slice(1).map((point, i) => distance(point, even[i]!));
    expect(Math.max(...steps)).toBeLessThan(0.101);
  });

  it("become smoother and keep their ends", () => {
    const calm = smooth(wave, 0.15);
    expect(length(calm)).toBeLessThan(length(wave) * 0.97);
    expect(distance(calm[0]!, wave[0]!)).toBeLessThan(1e-9);
    expect(distance(calm.at(-1)!, wave.at(-1)!)).toBeLessThan(1e-9);
  });

  it("stay where they are if they are straight", () => {
    const line = [
      [0, 0],
      [2, 1],
    ];
    for (const [x, z] of smooth(line)) expect(z).toBeCloseTo(x! / 2, 9);
  });

  it("are simplified within the tolerance", () => {
    const few = simplify(wave, 0.03);
    expect(few.length).toBeLessThan(wave.length / 4);
    const along = resample(few, 0.005);
    for (const point of wave) expect(Math.min(...along.map((other) => distance(point, other)))).toBeLessThan(0.035);
  });

  it("are mirrored about where they begin, and turned round", () => {
    expect(mirror([[1, 0], [2, 1], [0, 5]])).toEqual([[1, 0], [0, 1], [2, 5]]);
    expect(reverse([[1, 0], [2, 1]])).toEqual([[2, 1], [1, 0]]);
  });

  it("of one point or none do no harm", () => {
    for (const few of [[], [[1, 2]]]) {
      expect(resample(few)).toEqual(few);
      expect(simplify(few)).toEqual(few);
      expect(mirror(few)).toEqual(few);
      expect(smooth(few)).toEqual(few);
    }
  });
});

import { describe, expect, it } from "vitest";
import { sample } from "../../motion/spline";
import { evenly, fitted } from "../../motion/fit";
import { type Control, curve, deleted, fromJson, hasHeights, inserted, insertedAt, insertedBeside, mirrored, moved, pathJson, placeFor, reversed } from "./curve";
import { PRESETS, presetOf, shaped, sizeFor } from "./presets";

const ARCH: Control[] = [[0, 0, 0], [0, 0, 2], [2, 0, 2], [2, 0, 0]]; // prettier-ignore

describe("an edited curve", () => {
  it("never changes what it was made from", () => {
    const before = curve(ARCH, 3, "arch");
    const after = moved(before, 1, [5, 1, 5]);
    expect(before.controls[1]).toEqual([0, 0, 2]);
    expect(after.controls[1]).toEqual([5, 1, 5]);
    expect(after.shape).toBeNull();
  });

  it("lowers its degree where controls become few, and keeps two", () => {
    const three = deleted(curve(ARCH), 0);
    expect(three.degree).toBe(2);
    const two = deleted(deleted(three, 0), 0);
    expect(two.controls.length).toBe(2);
    expect(two.degree).toBe(1);
  });

  it("puts a new point between the neighbours it is nearest to, or beyond the ends", () => {
    const path = curve(ARCH);
    expect(placeFor(path, 1, 2.1)).toBe(2);
    expect(placeFor(path, 0.1, 1)).toBe(1);
    expect(placeFor(path, 0, -1)).toBe(0);
    expect(placeFor(path, 2, -1)).toBe(4);
  });

  it("gives a new point the height of its neighbours", () => {
    const hilly = moved(curve(ARCH), 1, [0, 1, 2]);
    const made = insertedAt(hilly, 0, 1);
    expect(made.index).toBe(1);
    expect(made.curve.controls[1]).toEqual([0, 0.5, 1]);
    expect(insertedBeside(hilly, 3).index).toBe(3);
  });

  it("says heights only where there are any", () => {
    expect(pathJson(curve(ARCH))).toEqual({ degree: 3, controls: [[0, 0], [0, 2], [2, 2], [2, 0]] }); // prettier-ignore
    const tall = moved(curve(ARCH), 1, [0, 0.25, 2]);
    expect(hasHeights(tall)).toBe(true);
    expect(pathJson(tall)).toEqual({ degree: 3, controls: [[0, 0, 0], [0, 0.25, 2], [2, 0, 2], [2, 0, 0]] }); // prettier-ignore
    expect(pathJson(curve(ARCH, 3, "circle:3"))).toEqual({ shape: "circle:3" });
    expect(fromJson(pathJson(tall) as { controls: readonly (readonly number[])[] })).toEqual(tall);
  });

  it("mirrors about the way it sets out", () => {
    const there = mirrored(curve(ARCH));
    expect(there.controls[2]?.[0]).toBeCloseTo(-2, 12);
    expect(there.controls[2]?.[2]).toBeCloseTo(2, 12);
    const back = mirrored(there);
    back.controls.forEach((control, i) => control.forEach((value, axis) => expect(value).toBeCloseTo(ARCH[i]?.[axis] as number, 12)));
    expect(reversed(curve(ARCH)).controls[0]).toEqual([2, 0, 0]);
  });

  it("takes no more points than can be handled", () => {
    let many = curve(ARCH);
    for (let i = 0; i < 100; i++) many = inserted(many, 1, [0, 0, 1]);
    expect(many.controls.length).toBe(64);
  });
});

describe("a fitted spline", () => {
  it("spaces points evenly along a line", () => {
    expect(evenly([[0, 0], [0, 1], [3, 1]], 5)).toEqual([[0, 0], [0, 1], [1, 1], [2, 1], [3, 1]]); // prettier-ignore
  });

  it("fits a circle to within a centimetre", () => {
    const circle = Array.from({ length: 721 }, (_, i) => [3 * (1 - Math.cos((i * Math.PI) / 360)), 3 * Math.sin((i * Math.PI) / 360)]);
    for (const [x, , z] of sample(fitted(circle, 13, 3).map((c) => [...c]), 400)) expect(Math.abs(Math.hypot(x! - 3, z!) - 3)).toBeLessThan(0.01);
  });

  it("fits corners exactly with straight pieces", () => {
    const zigzag = [[0, 0], [0, 3], [3, 3], [3, 6], [6, 6]]; // prettier-ignore
    fitted(zigzag, 5, 1).forEach(([x, , z], i) => {
      expect(x).toBeCloseTo(zigzag[i]?.[0] as number, 9);
      expect(z).toBeCloseTo(zigzag[i]?.[1] as number, 9);
    });
  });
});

describe("presets", () => {
  it("are read from the text that the server takes", () => {
    for (const preset of PRESETS) {
      const size = sizeFor(preset, 12);
      expect(size).toBeGreaterThanOrEqual(preset.least);
      expect(presetOf(preset.text(size))).toEqual({ preset, size });
    }
    expect(presetOf(null)).toBeNull();
    expect(presetOf("points")).toBeNull();
  });

  it("begin where the clip begins, and go by their name only at the origin", () => {
    const line = PRESETS[0]!;
    const here = shaped(line, 4, [[0, 0], [0, 4]], { x: 0.02, z: 0, heading: 0.01 }); // prettier-ignore
    expect(here.shape).toBe("line:4");
    const there = shaped(line, 4, [[0, 0], [0, 4]], { x: 2, z: 1, heading: Math.PI / 2 }); // prettier-ignore
    expect(there.shape).toBe("line:4");
    expect(pathJson(there)).toHaveProperty("controls");
    expect(pathJson(here)).toEqual({ shape: "line:4" });
    expect(there.controls.at(-1)?.[0]).toBeCloseTo(6, 9);
    expect(there.controls.at(-1)?.[2]).toBeCloseTo(1, 9);
  });
});

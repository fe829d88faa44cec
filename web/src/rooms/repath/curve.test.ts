import { describe, expect, it } from "vitest";
import { sample } from "../../motion/spline";
import { evenly, fitted } from "../../motion/fit";
import { type Control, curve, deleted, fromJson, hasHeights, inserted, insertedAt, insertedBeside, mirrored, moved, pathJson, placeFor, pointsOf, reversed } from "./curve";
import { PRESETS, sizeFor } from "../../path/shapes";
import { drawnBy, pieces, shaped } from "./presets";

const ARCH: Control[] = [[0, 0, 0], [0, 0, 2], [2, 0, 2], [2, 0, 0]]; // prettier-ignore

describe("an edited curve", () => {
  it("never changes what it was made from", () => {
    const before = curve(ARCH, 3, "arch");
    const after = moved(before, 1, [5, 1, 5]);
    expect(before.controls[1]).toEqual([0, 0, 2]);
    pointsOf(after)[1]!.forEach((value, axis) => expect(value).toBeCloseTo([5, 1, 5][axis]!, 9));
    // the others stay where they are on the floor
    for (const [x, , z] of [pointsOf(before)[2]!]) expect([pointsOf(after)[2]![0] - x, pointsOf(after)[2]![2] - z].every((off) => Math.abs(off) < 1e-9)).toBe(true);
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
    // of heights there are controls
    const [low, high] = [hilly.controls[0]![1], hilly.controls[1]![1]];
    expect(made.curve.controls[1]![1]).toBeCloseTo((low + high) / 2, 9);
    [0, 2].forEach((axis) => expect(pointsOf(made.curve)[1]![axis]).toBeCloseTo([0, 0, 1][axis]!, 9));
    expect(insertedBeside(hilly, 3).index).toBe(3);
  });

  it("says heights only where there are any", () => {
    expect(pathJson(curve(ARCH))).toEqual({ degree: 3, controls: [[0, 0], [0, 2], [2, 2], [2, 0]] }); // prettier-ignore
    const tall = moved(curve(ARCH), 1, [0, 0.25, 2]);
    expect(hasHeights(tall)).toBe(true);
    // what is raised swings nowhere below the floor
    expect(Math.min(...sample(tall.controls.map((each) => [...each]), 200).map(([, y]) => y!))).toBeGreaterThanOrEqual(0);
    expect(pathJson(tall)).toHaveProperty("controls.1.1", 0.5625);
    expect(pathJson(curve(ARCH, 3, "circle:3"))).toEqual({ shape: "circle:3" });
    const back = fromJson(pathJson(tall) as { controls: readonly (readonly number[])[] })!;
    back.controls.forEach(([, y], i) => expect(y).toBeCloseTo(tall.controls[i]![1], 4));
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
    for (let i = 0; i < 100; i++) many = inserted(many, 1, [0.01 * i, 0, 1]);
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
  it("are about as long as is wished", () => {
    for (const preset of PRESETS) expect(preset.metres * sizeFor(preset, 30)).toBeGreaterThan(15);
    expect(pieces("square", 20)).toEqual({ count: 5, degree: 1 });
    expect(pieces("drawn", 24).count).toBe(23);
  });

  it("begin where the clip begins, and go by their name only at the origin", () => {
    const here = shaped("line:4", [[0, 0], [0, 4]], { x: 0.02, z: 0, heading: 0.01 }); // prettier-ignore
    expect(here.shape).toBe("line:4");
    const there = shaped("line:4", [[0, 0], [0, 4]], { x: 2, z: 1, heading: Math.PI / 2 }); // prettier-ignore
    expect(there.shape).toBe("line:4");
    expect(pathJson(there)).toHaveProperty("controls");
    expect(pathJson(here)).toEqual({ shape: "line:4" });
    expect(there.controls.at(-1)?.[0]).toBeCloseTo(6, 9);
    expect(there.controls.at(-1)?.[2]).toBeCloseTo(1, 9);
  });

  it("may be drawn by hand", () => {
    const drawn = drawnBy([[0, 0], [0, 3], [2, 6]]); // prettier-ignore
    expect(drawn.shape).toBeNull();
    expect(drawn.controls.length).toBe(9);
    expect(drawn.controls.at(-1)).toEqual([2, 0, 6]);
  });
});

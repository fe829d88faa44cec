import { describe, expect, it } from "vitest";
import { Tween } from "./tween";
import type { LivePose } from "./wire";

const pose = (frame: number, x: number, over = 0.1): LivePose => ({
  frame, wish: 0, held: 0, acting: false, cost: 0, over, root: new Float32Array([x, 1, 0]), rotations: new Float32Array([1, 0, 0, 0]),
}); // prettier-ignore
const out = () => ({ root: new Float32Array(3), rotations: new Float32Array(4), translations: null });

describe("Tween", () => {
  it("shows nothing before the first pose, and that at once", () => {
    const tween = new Tween(1);
    expect(tween.at(0, out())).toBe(false);
    tween.push(pose(1, 5), 0);
    const shown = out();
    tween.at(0, shown);
    expect(shown.root[0]).toBe(5);
  });

  it("is on its way at once, and there in the time that it says", () => {
    const tween = new Tween(1);
    tween.push(pose(1, 0), 0);
    tween.push(pose(2, 1), 1);
    const shown = out();
    for (const [now, x] of [[1, 0], [1.05, 0.5], [1.1, 1], [2, 1]] as const) {
      tween.at(now, shown);
      expect(shown.root[0]).toBeCloseTo(x);
    }
  });

  it("goes on from what is shown where a pose comes early, and never backwards", () => {
    const tween = new Tween(1);
    tween.push(pose(1, 0), 0);
    tween.push(pose(2, 1), 1);
    tween.push(pose(3, 2), 1.05);
    const shown = out();
    tween.at(1.05, shown);
    expect(shown.root[0]).toBeCloseTo(0.5);
    tween.at(1.15, shown);
    expect(shown.root[0]).toBeCloseTo(2);
  });

  it("shows who set out anew where they are", () => {
    const tween = new Tween(1);
    tween.push(pose(50, 9), 0);
    tween.push(pose(1, 0), 1);
    const shown = out();
    tween.at(1, shown);
    expect(shown.root[0]).toBe(0);
  });
});

import { describe, expect, it } from "vitest";
import type { Pack } from "../../api/pack";
import type { PeoplePack } from "../../api/types";
import { Frames } from "./frames";

/** Two people of one joint: the first goes along x by a metre a frame, the second turns about y and waits. */
function part(first: number, frames: number): Pack<PeoplePack> {
  const root: number[] = [];
  const rotations: number[] = [];
  for (let frame = first; frame < first + frames; frame++) {
    root.push(frame, 1, 0, 5, 1, 5);
    const half = (frame * Math.PI) / 8;
    rotations.push(100, 0, 0, 0, Math.round(100 * Math.cos(half)), 0, Math.round(100 * Math.sin(half)), 0);
  }
  const arrays = {
    root: Float32Array.from(root),
    rotations: Int16Array.from(rotations),
    speed: new Uint8Array(frames * 2).map((_, index) => (index % 2 ? 0 : 65)),
    flags: new Uint8Array(frames * 2).map((_, index) => (index % 2 ? 3 : 1)),
  };
  return { facts: { kind: "people", first, frames }, arrays, shape: () => [], scale: (name) => (name === "rotations" ? 0.01 : 0.02) };
}

describe("frames", () => {
  const frames = new Frames(2, 1, 10);
  frames.add(part(0, 3));
  frames.add(part(3, 1));
  frames.add(part(4, 2));
  const pose = { root: new Float32Array(3), rotations: new Float32Array(4), translations: null };

  it("are found in whatever part they came", () => {
    expect(frames.count).toBe(6);
    expect(frames.seconds).toBeCloseTo(0.6);
    expect([0, 1, 2, 3, 4, 5].map((frame) => frames.place(frame, 0)[0])).toEqual([0, 1, 2, 3, 4, 5]);
    expect(frames.place(4, 1)).toEqual([5, 5]);
    expect(frames.speed(4, 0)).toBeCloseTo(1.3);
    expect([frames.isThere(5, 0), frames.waits(5, 0), frames.waits(5, 1), frames.arrived(5, 1)]).toEqual([true, false, true, false]);
    expect(frames.waiting).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it("are gone between, also from one part to the next", () => {
    frames.pose(0.25, 0, pose);
    expect(pose.root[0]).toBeCloseTo(2.5);
    frames.pose(0.25, 1, pose);
    expect(2 * Math.atan2(pose.rotations[2]!, pose.rotations[0]!)).toBeCloseTo((2.5 * Math.PI) / 4, 2);
    frames.pose(99, 0, pose);
    expect(pose.root[0]).toBe(5);
    expect(frames.frameAt(99)).toBe(5);
  });

  it("come in their order", () => {
    expect(() => frames.add(part(9, 1))).toThrow("from 9 on");
  });
});

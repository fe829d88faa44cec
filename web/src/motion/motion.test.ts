import { describe, expect, it } from "vitest";
import type { Pack } from "../api/pack";
import type { MotionFacts } from "../api/types";
import { Motion } from "./motion";
import { multiply, rotateOnto, slerp } from "./quaternion";

const about = (axis: [number, number, number], angle: number): number[] => [Math.cos(angle / 2), ...axis.map((part) => part * Math.sin(angle / 2))];

/** Two frames of an arm of three joints along +Y; its middle joint turns by a right angle about Z. */
function arm(): Motion {
  const rotations = new Int16Array([...about([0, 1, 0], 0), ...about([0, 0, 1], 0), 1, 0, 0, 0, ...about([0, 1, 0], 0), ...about([0, 0, 1], Math.PI / 2), 1, 0, 0, 0].map((value) => Math.round(value * 32767)));
  const arrays = { root: new Float32Array([0, 1, 0, 2, 1, 4]), rotations };
  const facts = {
    name: "arm",
    fps: 10,
    frames: 2,
    joints: ["root", "left_hip", "hand"],
    parents: [-1, 0, 1],
    offsets: [
      [0, 0, 0],
      [0, 1, 0],
      [0, 0.5, 0],
    ],
    tips: { parents: [2], offsets: [[0, 0.2, 0]] },
    roles: { hips: 0, left_knee: 1 },
  };
  return Motion.of({ facts, arrays, shape: () => [], scale: (name: string) => (name === "rotations" ? 1 / 32767 : 1) } as unknown as Pack<MotionFacts>);
}

const near = (a: ArrayLike<number>, b: number[], digits = 3): void => b.forEach((value, index) => expect(a[index]!).toBeCloseTo(value, digits));

describe("quaternions", () => {
  it("turn vectors by the right hand", () => {
    const out = new Float32Array(3);
    rotateOnto(about([0, 1, 0], Math.PI / 2), 0, 0, 0, 1, [10, 0, 0], 0, out, 0);
    near(out, [11, 0, 0]); // +Z turns towards +X
  });

  it("multiply applies the second first", () => {
    const out = new Float32Array(4);
    multiply(about([0, 1, 0], Math.PI / 2), 0, about([1, 0, 0], Math.PI / 2), 0, out, 0);
    const turned = new Float32Array(3);
    rotateOnto(out, 0, 0, 1, 0, [0, 0, 0], 0, turned, 0);
    near(turned, [1, 0, 0]); // +Y to +Z, then +Z to +X
  });

  it("go the short way round and keep their length", () => {
    const out = new Float32Array(4);
    const a = about([0, 0, 1], 0.2);
    const b = about([0, 0, 1], 1.4).map((value) => -value);
    slerp(a, 0, b, 0, 1, 0.5, out, 0);
    near(out, about([0, 0, 1], 0.8), 6);
    slerp(a, 0, about([0, 0, 1], 0.21), 0, 1, 0.25, out, 0);
    near(out, about([0, 0, 1], 0.2025), 6);
    expect(Math.hypot(...out)).toBeCloseTo(1, 6);
  });
});

describe("Motion", () => {
  it("poses frames exactly and between them by slerp", () => {
    const motion = arm();
    expect(motion.seconds).toBeCloseTo(0.2);
    near(motion.positions(0), [0, 1, 0, 0, 2, 0, 0, 2.5, 0]);
    near(motion.positions(1), [2, 1, 4, 2, 2, 4, 1.5, 2, 4]);
    const half = motion.positions(0.5);
    const diagonal = 0.5 * Math.SQRT1_2;
    near(half, [1, 1, 2, 1, 2, 2, 1 - diagonal, 2 + diagonal, 2]);
  });

  it("stays at its ends", () => {
    const motion = arm();
    const pose = motion.newPose();
    motion.pose(-3, pose);
    near(pose.root, [0, 1, 0]);
    motion.pose(99, pose);
    near(pose.root, [2, 1, 4]);
    expect(motion.root(7)).toEqual([2, 1, 4]);
  });

  it("writes where it is told, without new arrays", () => {
    const motion = arm();
    const out = new Float32Array(9);
    expect(motion.positions(1, out)).toBe(out);
  });

  it("tells sides from roles, and from what hangs on them", () => {
    expect(arm().sides()).toEqual([null, "left", "left"]);
  });

  it("averages the root without pulling at the ends", () => {
    const out = new Float32Array(3);
    arm().steady(0, 1, out);
    near(out, [0, 1, 0]);
  });

  it("lays its track on the floor", () => {
    expect(arm().track(0)).toEqual([
      [0, 0, 0],
      [2, 0, 4],
    ]);
  });
});

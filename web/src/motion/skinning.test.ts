import { Matrix4, Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { Pack } from "../api/pack";
import type { MotionFacts } from "../api/types";
import { Motion } from "./motion";
import { Skinning, STRIDE } from "./skinning";

const OFFSETS = [[0, 1, 0], [0, 0.5, 0], [0.3, 0, 0]]; // prettier-ignore
const facts = { name: "", fps: 30, frames: 1, joints: ["a", "b", "c"], parents: [-1, 0, 1], offsets: OFFSETS } as unknown as MotionFacts;
const motion = Motion.of({ facts, arrays: { root: new Float32Array(3), rotations: new Int16Array(12) }, shape: () => [], scale: () => 1 } as Pack<MotionFacts>);

/** Quaternions w x y z of turns about an axis each. */
function turns(...given: [axis: Vector3, angle: number][]): Float32Array {
  return Float32Array.from(given.flatMap(([axis, angle]) => new Quaternion().setFromAxisAngle(axis, angle)).flatMap(({ x, y, z, w }) => [w, x, y, z]));
}

/** World matrices of a chain. */
function worlds(root: number[], rotations: Float32Array): Matrix4[] {
  const out: Matrix4[] = [];
  for (let joint = 0; joint < 3; joint++) {
    const [w, x, y, z] = rotations.subarray(joint * 4, joint * 4 + 4) as unknown as [number, number, number, number];
    const place = new Vector3().fromArray(joint === 0 ? root : OFFSETS[joint]!);
    const own = new Matrix4().compose(place, new Quaternion(x, y, z, w), new Vector3(1, 1, 1));
    out.push(joint === 0 ? own : new Matrix4().multiplyMatrices(out[joint - 1]!, own));
  }
  return out;
}

describe("skinning", () => {
  const [X, Y, Z] = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
  const bind = turns([X, 0.1], [Z, -0.4], [Y, 0.2]);
  const pose = { root: Float32Array.from([2, 0.9, -3]), rotations: turns([Y, 1.2], [X, 0.7], [Z, -0.5]), translations: null };
  const skinning = new Skinning(motion, bind);

  it("takes corners to where bones take them", () => {
    const out = new Float32Array(4 + 3 * STRIDE);
    skinning.write(pose, out, 4);
    const [before, after] = [worlds(OFFSETS[0]!, bind), worlds([...pose.root], pose.rotations)];
    for (let joint = 0; joint < 3; joint++) {
      const corner = new Vector3(0.2, 1.4, -0.1);
      const wanted = corner.clone().applyMatrix4(before[joint]!.clone().invert()).applyMatrix4(after[joint]!);
      const at = 4 + joint * STRIDE;
      const found = corner.applyQuaternion(new Quaternion(out[at], out[at + 1], out[at + 2], out[at + 3])).add(new Vector3(out[at + 4], out[at + 5], out[at + 6]));
      expect(found.distanceTo(wanted)).toBeLessThan(1e-5);
    }
  });

  it("leaves the body as it was made in the pose that it was made in", () => {
    const out = new Float32Array(3 * STRIDE);
    skinning.write({ root: Float32Array.from(OFFSETS[0]!), rotations: bind, translations: null }, out, 0);
    for (let joint = 0; joint < 3; joint++) {
      const [x, y, z, w, ...moved] = out.subarray(joint * STRIDE, joint * STRIDE + 7);
      expect(Math.abs(w!)).toBeCloseTo(1, 5);
      for (const value of [x!, y!, z!, ...moved]) expect(value).toBeCloseTo(0, 5);
    }
  });

  it("makes somebody larger about their root", () => {
    const [plain, large] = [new Float32Array(3 * STRIDE), new Float32Array(3 * STRIDE)];
    skinning.write(pose, plain, 0);
    skinning.write(pose, large, 0, { bones: new Float32Array(3).fill(1.2), skin: new Float32Array(3).fill(1.2) });
    const root = new Vector3(...pose.root);
    for (let joint = 0; joint < 3; joint++) {
      const at = joint * STRIDE;
      const turn = new Quaternion(plain[at], plain[at + 1], plain[at + 2], plain[at + 3]);
      const corner = new Vector3(0.2, 1.4, -0.1).applyQuaternion(turn);
      const usual = corner.clone().add(new Vector3(plain[at + 4], plain[at + 5], plain[at + 6]));
      const found = corner.clone().multiplyScalar(large[at + 7]!).add(new Vector3(large[at + 4], large[at + 5], large[at + 6]));
      expect(found.distanceTo(usual.sub(root).multiplyScalar(1.2).add(root))).toBeLessThan(1e-5);
    }
  });

  it("gives somebody one longer bone, and leaves the others as they are", () => {
    const [plain, long] = [new Float32Array(3 * STRIDE), new Float32Array(3 * STRIDE)];
    skinning.write(pose, plain, 0);
    skinning.write(pose, long, 0, { bones: Float32Array.of(1, 1.5, 1), skin: new Float32Array(3).fill(1) });
    const moved = [0, 1, 2].map((joint) => new Vector3(...[4, 5, 6].map((at) => long[joint * STRIDE + at]! - plain[joint * STRIDE + at]!)));
    // half of the bone of half a metre, and what hangs on it goes along
    expect(moved.map((way) => way.length())).toEqual([0, expect.closeTo(0.25, 5), expect.closeTo(0.25, 5)]);
    expect(moved[1]!.distanceTo(moved[2]!)).toBeLessThan(1e-5);
  });
});

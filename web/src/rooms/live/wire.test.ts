import { describe, expect, it } from "vitest";
import { readPose } from "./wire";

describe("readPose", () => {
  const buffer = new ArrayBuffer(20 + 12 + 8);
  const view = new DataView(buffer);
  view.setUint32(0, 70_000, true);
  view.setUint32(4, 12, true);
  view.setUint32(8, 16 + 2, true);
  view.setFloat32(12, 51.5, true);
  view.setFloat32(16, 0.0625, true);
  [0.5, 0.9, -2].forEach((value, axis) => view.setFloat32(20 + 4 * axis, value, true));
  [32767, 0, -32767, 0].forEach((value, at) => view.setInt16(32 + 2 * at, value, true));

  it("reads what the server writes", () => {
    const pose = readPose(buffer, 1);
    expect(pose).toMatchObject({ frame: 70_000, wish: 12, held: 2, acting: true, cost: 51.5, over: 0.0625 });
    expect(Array.from(pose.root)).toEqual([0.5, Math.fround(0.9), -2]);
    expect(Array.from(pose.rotations)).toEqual([1, 0, -1, 0]);
  });

  it("refuses what is of another body", () => {
    expect(() => readPose(buffer, 2)).toThrow("no pose of 2 joints");
  });
});

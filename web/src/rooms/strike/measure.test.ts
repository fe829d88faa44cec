import { describe, expect, it } from "vitest";
import { jointSpeed, ring } from "./measure";

describe("a strike's figures", () => {
  it("has a ring across the way of the strike, closed", () => {
    const points = ring([0.1, 1.3, 0.6], 0.05, 12);
    expect(points).toHaveLength(13);
    for (const [x, y, z] of points) {
      expect(Math.hypot(x! - 0.1, y! - 1.3)).toBeCloseTo(0.05, 12);
      expect(z).toBe(0.6);
    }
    expect(points[12]![0]).toBeCloseTo(points[0]![0]!, 12);
  });

  it("measures the speed of one joint of many", () => {
    // joint 1 moves by 2 cm a frame, joint 0 stands
    const speed = jointSpeed((frame) => Float32Array.from([0, 0, 0, 0, 1, 0.02 * frame]), 1, 5, 50);
    for (const each of speed) expect(each).toBeCloseTo(1, 5);
    expect(jointSpeed(() => new Float32Array(3), 0, 1, 50)).toEqual(Float32Array.from([0]));
  });
});

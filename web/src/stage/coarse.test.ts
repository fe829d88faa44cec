import { describe, expect, it } from "vitest";
import { coarsened, type Surface } from "./coarse";

/** A tube along y about one joint below and another above: rings of eight corners. */
function tube(rings = 21): Surface {
  const corners = rings * 8;
  const out: Surface = {
    positions: new Float32Array(corners * 3),
    normals: new Float32Array(corners * 3),
    shades: new Float32Array(corners * 3).fill(0.5),
    joints: new Uint8Array(corners * 4),
    weights: new Float32Array(corners * 4),
    faces: new Uint32Array((rings - 1) * 8 * 6),
  };
  let face = 0;
  for (let ring = 0; ring < rings; ring++) {
    for (let side = 0; side < 8; side++) {
      const at = ring * 8 + side;
      const [x, z] = [Math.cos((side * Math.PI) / 4), Math.sin((side * Math.PI) / 4)];
      out.positions.set([0.05 * x, ring * 0.02, 0.05 * z], at * 3);
      out.normals.set([x, 0, z], at * 3);
      const up = ring / (rings - 1);
      out.joints.set([0, 1, 0, 0], at * 4);
      out.weights.set([1 - up, up, 0, 0], at * 4);
      if (ring === 0) continue;
      const next = ring * 8 + ((side + 1) % 8);
      out.faces.set([at, at - 8, next, next, at - 8, next - 8], face);
      face += 6;
    }
  }
  return out;
}

describe("coarsened", () => {
  const fine = tube();
  const coarse = coarsened(fine, 0.08);
  const count = coarse.positions.length / 3;

  it("has far fewer corners, and faces that know them", () => {
    expect(count).toBeLessThan(fine.positions.length / 3 / 3);
    expect(coarse.faces.length).toBeGreaterThan(0);
    for (let at = 0; at < coarse.faces.length; at += 3) {
      const face = [...coarse.faces.subarray(at, at + 3)];
      expect(new Set(face).size).toBe(3);
      expect(Math.max(...face)).toBeLessThan(count);
    }
  });

  it("is where it was, as tall and as wide nearly", () => {
    const ys = [...coarse.positions].filter((_, index) => index % 3 === 1);
    expect(Math.min(...ys)).toBeLessThan(0.05);
    expect(Math.max(...ys)).toBeGreaterThan(0.35);
    const xs = [...coarse.positions].filter((_, index) => index % 3 === 0);
    expect(Math.max(...xs) - Math.min(...xs)).toBeGreaterThan(0.04);
  });

  it("hangs on joints with weights that are one together", () => {
    for (let corner = 0; corner < count; corner++) {
      const weights = [...coarse.weights.subarray(corner * 4, corner * 4 + 4)];
      expect(weights.reduce((sum, one) => sum + one)).toBeCloseTo(1, 5);
      expect(Math.hypot(...coarse.normals.subarray(corner * 3, corner * 3 + 3))).toBeCloseTo(1, 5);
    }
  });
});

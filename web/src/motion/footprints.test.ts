import { describe, expect, it } from "vitest";
import type { Plant } from "../api/types";
import { footprints } from "./footprints";

const plant = (foot: "left" | "right", part: "heel" | "ball", first: number, last: number, z: number): Plant => ({
  foot, part, first, last, x: 0, y: 0, z, heading: 0,
}); // prettier-ignore

describe("footprints", () => {
  it("are one for the heel and the ball that stand together", () => {
    const found = footprints([plant("left", "heel", 0, 10, 1), plant("left", "ball", 4, 16, 1.2)]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ first: 0, last: 16, z: 1.1 });
  });

  it("are two for two feet, and for two steps of one", () => {
    expect(footprints([plant("left", "ball", 0, 9, 0), plant("right", "heel", 5, 14, 1)])).toHaveLength(2);
    expect(footprints([plant("left", "ball", 0, 9, 0), plant("left", "ball", 20, 29, 1)])).toHaveLength(2);
  });

  it("come in the order in which they are made", () => {
    const found = footprints([plant("right", "ball", 20, 29, 1), plant("left", "ball", 30, 39, 2), plant("left", "ball", 0, 9, 0)]);
    expect(found.map((one) => one.first)).toEqual([0, 20, 30]);
  });
});

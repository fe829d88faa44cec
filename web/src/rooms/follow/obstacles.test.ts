import { expect, it } from "vitest";
import { inWords, outline } from "./obstacles";

it("keeps clear of what stands there, all around", () => {
  const disc = outline({ x: 1, z: 4, radius: 0.5 }, 0.3);
  for (const [x, , z] of disc) expect(Math.hypot(x - 1, z - 4)).toBeCloseTo(0.8);
  const box = outline({ x: -1, z: 2, width: 2, depth: 1 }, 0.5);
  expect(Math.min(...box.map(([x]) => x))).toBe(-1.5);
  expect(Math.max(...box.map(([, , z]) => z))).toBe(3.5);
});

it("is told by its size and place", () => {
  expect(inWords({ x: 1, z: 4, radius: 0.5 })).toBe("0.5 m about 1, 4");
});

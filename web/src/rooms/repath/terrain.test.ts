import { expect, it } from "vitest";
import { gridAround, strip } from "./terrain";

it("covers the way and some metres around it", () => {
  const grid = Object.fromEntries(Object.entries(gridAround([[0, 0], [3, 12]])).map(([name, value]) => [name, Number(value)])) as Record<string, number>; // prettier-ignore
  expect(grid["x0"]).toBe(-5);
  expect(grid["x0"]! + (grid["columns"]! - 1) * grid["step"]!).toBeGreaterThanOrEqual(8 - 1e-9);
  expect(grid["z0"]! + (grid["rows"]! - 1) * grid["step"]!).toBeGreaterThanOrEqual(17 - 1e-9);
  expect(Math.max(grid["rows"]!, grid["columns"]!)).toBeLessThanOrEqual(142);
});

it("lays a strip along a line, level across", () => {
  const { vertices, faces } = strip([[0, 0, 0], [0, 0.5, 1], [0, 1, 2]], 0.6); // prettier-ignore
  expect([...vertices.slice(6, 12)].map((value) => Number(value.toFixed(6)))).toEqual([0.3, 0.5, 1, -0.3, 0.5, 1]);
  expect(faces).toHaveLength(12);
  expect(Math.max(...faces)).toBe(5);
});

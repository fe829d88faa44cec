import { expect, it } from "vitest";
import { Trail } from "./trail";

it("a trail has points apart from each other, and forgets what is long past", () => {
  const trail = new Trail();
  expect(trail.add(0, 0, 0)).toBe(true);
  expect(trail.add(0.01, 0, 0)).toBe(false);
  for (let step = 1; step < 2000; step++) trail.add(0.1 * step, 0, 0);
  expect(trail.points.length).toBe(500);
  expect(trail.points.at(-1)![0]).toBeCloseTo(199.9);
  trail.clear();
  expect(trail.points.length).toBe(0);
});

import { expect, it } from "vitest";
import { Trail } from "./trail";

it("a trail has points apart from each other, forgets what is long past, and begins anew elsewhere", () => {
  const trail = new Trail();
  expect(trail.add(0, 0, 0)).toBe(true);
  expect(trail.add(0.01, 0, 0)).toBe(false);
  for (let step = 1; step < 2000; step++) trail.add(0.1 * step, 0, 0);
  expect(trail.points.length).toBe(500);
  trail.add(0, 0, 0);
  expect(trail.points.length).toBe(1);
});

import { expect, it } from "vitest";
import { Steady } from "./steady";

const FRAME = 1 / 60;

it("goes along with an even pace, and averages sway out", () => {
  const steady = new Steady();
  expect(steady.place).toBeNull();
  for (let frame = 0; frame < 240; frame++) steady.add([0.03 * Math.sin(2 * Math.PI * 2 * frame * FRAME), 0.9, 1.3 * frame * FRAME], FRAME);
  expect(Math.abs(steady.place![2]! - 1.3 * 239 * FRAME)).toBeLessThan(0.03);
  expect(Math.abs(steady.place![0]!)).toBeLessThan(0.02);
  steady.forget();
  expect(steady.add([5, 0, 5], FRAME)[0]).toBe(5);
});

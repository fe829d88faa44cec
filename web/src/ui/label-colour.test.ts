import { expect, it } from "vitest";
import { labelColour } from "./label-colour";

it("a label has one colour, whatever the others are", () => {
  expect(labelColour("walk")).toBe(labelColour("walk"));
  expect(labelColour("careful")).toMatch(/^--c-label-([1-9]|1[0-2])$/);
  expect(labelColour("")).toBe("--text-3");
});

it("what is often seen together stays apart", () => {
  for (const together of [["walk", "run", "stand", "jump", "sneak"], ["turn_left", "turn_right", "walk", "run"], ["punch", "kick", "stand", "walk"]])
    expect(new Set(together.map(labelColour)).size).toBe(together.length);
});

import { expect, it } from "vitest";
import { ofGroup, ofSpeed, SPEEDS } from "./colours";

it("speeds lie between the colours of a slower and a faster one", () => {
  expect(ofSpeed(0)).toEqual({ from: SPEEDS[0]!.colour, to: SPEEDS[1]!.colour, share: 0 });
  expect(ofSpeed(1)).toMatchObject({ from: SPEEDS[1]!.colour, to: SPEEDS[2]!.colour });
  expect(ofSpeed(1).share).toBeCloseTo(0.5);
  expect(ofSpeed(9)).toMatchObject({ to: SPEEDS.at(-1)!.colour, share: 1 });
});

it("groups differ from their neighbours", () => {
  expect(ofGroup(0)).not.toBe(ofGroup(1));
  expect(ofGroup(5)).toBe(ofGroup(0));
});

import { expect, it } from "vitest";
import { mostOf, nearest } from "./heroes";

it("those who are nearest are the character, as many as can be drawn", () => {
  const away = [3, 1, 2, 5].map((far, who) => ({ who, far }));
  expect(nearest(away, 2)).toEqual(new Set([1, 2]));
  expect(nearest(away, 9).size).toBe(4);
  expect(mostOf(3, false)).toBe(3);
  expect(mostOf(4000, true)).toBeLessThan(mostOf(4000, false));
});

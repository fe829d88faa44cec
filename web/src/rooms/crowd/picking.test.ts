import { expect, it } from "vitest";
import { picked } from "./picking";

it("the nearest whose body is under the hand is meant", () => {
  const people = [
    { who: 0, x: 100, feet: 200, crown: 100, away: 9 },
    { who: 1, x: 108, feet: 220, crown: 90, away: 6 },
    { who: 2, x: 300, feet: 220, crown: 90, away: 6 },
  ];
  expect(picked(people, 104, 150)).toBe(1);
  expect(picked(people, 82, 150)).toBe(1);
  expect(picked(people.slice(0, 1), 82, 150)).toBe(0);
  expect(picked(people, 200, 150)).toBeNull();
  expect(picked(people, 300, 60)).toBeNull();
});

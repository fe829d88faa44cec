import { expect, it } from "vitest";
import { bearing, runs } from "./actions";

it("finds runs of one value", () => {
  expect(runs([3, 3, 1, 3])).toEqual([
    { first: 0, last: 2, value: 3 },
    { first: 2, last: 3, value: 1 },
    { first: 3, last: 4, value: 3 },
  ]);
  expect(runs([])).toEqual([]);
});

it("tells what is done for longest, and nothing of frames that bear nothing", () => {
  // four frames of two labels each: walk, walk and turn, neither, turn
  const spans = bearing([1, 0, 1, 1, 0, 0, 0, 1], ["walk", "turn"]);
  expect(spans.map(({ first, last, text }) => [first, last, text])).toEqual([
    [0, 2, "walk"],
    [3, 4, "turn"],
  ]);
});

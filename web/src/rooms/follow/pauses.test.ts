import { expect, it } from "vitest";
import { on, stretched, turned } from "./pauses";

const PAUSES = [{ at: 2, seconds: 1 }, { at: 6, seconds: 3 }];

it("are those that lie on the path", () => {
  expect(on(PAUSES, 5)).toEqual([PAUSES[0]]);
  expect(on(undefined, 5)).toEqual([]);
});

it("go with a path that is resized, or walked the other way", () => {
  expect(stretched(PAUSES, 1.5).map((one) => one.at)).toEqual([3, 9]);
  expect(turned(PAUSES, 8)).toEqual([{ at: 2, seconds: 3 }, { at: 6, seconds: 1 }]);
});

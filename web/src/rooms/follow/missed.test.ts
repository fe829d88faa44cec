import { expect, it } from "vitest";
import { missed, missedInWords } from "./missed";

it("finds where a walk leaves its path, and says how far", () => {
  const off = [0, 5, 20, 41.2, 16, 3, 0, 18];
  const found = missed(off);
  expect(found).toEqual([
    { first: 2, last: 5, most: 41.2 },
    { first: 7, last: 8, most: 18 },
  ]);
  expect(missedInWords(found, 10)).toContain("up to 41 cm from 0.2 to 0.5 s and by up to 18 cm");
});

it("says nothing of a walk that keeps to its path", () => {
  expect(missedInWords(missed([0, 3, 14.9]), 30)).toBeNull();
});

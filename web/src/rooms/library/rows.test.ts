import { expect, it } from "vitest";
import { rows } from "./rows";

it("no span covers another", () => {
  const made = rows([{ first: 50, last: 90 }, { first: 0, last: 50 }, { first: 10, last: 60 }, { first: 0, last: 90 }]);
  expect(made.map((row) => row.map(({ first, last }) => `${first}-${last}`))).toEqual([["0-90"], ["0-50", "50-90"], ["10-60"]]);
  expect(rows([])).toEqual([]);
});

import { describe, expect, it } from "vitest";
import { meant, paint, restLabel, reversed, scaled, wish, within } from "./sections";

const run = paint([], 2, 5, "run");

describe("painting", () => {
  it("takes a stretch dragged either way", () => {
    expect(paint([], 5, 2, "run")).toEqual(run);
  });

  it("cuts what lay there", () => {
    expect(paint(run, 3, 4, "sneak")).toEqual([
      { first: 2, last: 3, label: "run" },
      { first: 3, last: 4, label: "sneak" },
      { first: 4, last: 5, label: "run" },
    ]);
  });

  it("joins neighbours of one label and drops slivers", () => {
    expect(paint(run, 5, 7, "run")).toEqual([{ first: 2, last: 7, label: "run" }]);
    expect(paint(run, 2.1, 9, "sneak")).toEqual([{ first: 2.1, last: 9, label: "sneak" }]);
    expect(paint(run, 8, 8.1, "walk")).toBe(run);
  });

  it("wipes", () => {
    expect(paint(run, 0, 3, null)).toEqual([{ first: 3, last: 5, label: "run" }]);
    expect(paint(run, 0, 9, null)).toEqual([]);
  });
});

describe("a painting hand", () => {
  it("means the ends where it is near them, else round numbers", () => {
    expect(meant(0.1, 10)).toBe(0);
    expect(meant(9.9, 10)).toBe(Infinity);
    expect(meant(4.234, 10)).toBeCloseTo(4.2, 9);
  });
});

describe("what a search is asked", () => {
  it("is the label of the whole path where nothing is painted", () => {
    expect(wish([], 10, "", "walk")).toEqual({});
    expect(wish([], 10, "walk", "walk")).toEqual({ label: "walk" });
  });

  it("has no holes and reaches beyond the end", () => {
    const { sections = [] } = wish(run, 10, "", "walk");
    expect(sections.map((one) => one.label)).toEqual(["walk", "run", "walk"]);
    expect(sections[0]?.first).toBe(0);
    sections.slice(1).forEach((one, index) => expect(one.first).toBe(sections[index]?.last));
    expect(sections.at(-1)?.last).toBeGreaterThan(10);
  });

  it("is one label where the paint covers all of the path", () => {
    expect(wish(paint([], 0, Infinity, "run"), 10, "", "walk")).toEqual({ label: "run" });
    expect(wish(paint([], 0.1, 10, "run"), 10, "walk", "walk")).toEqual({ label: "run" });
  });

  it("leaves out what lies past the end of a path that became shorter", () => {
    expect(within(run, 3)).toEqual([{ first: 2, last: 3, label: "run" }]);
    expect(wish(run, 1.5, "walk", "walk")).toEqual({ label: "walk" });
  });

  it("names the rest by the whole path's label, else a walk", () => {
    expect(restLabel("run", ["run", "walk"])).toBe("run");
    expect(restLabel("dance", ["run", "walk"])).toBe("walk");
    expect(restLabel("", ["run", "walk"])).toBe("walk");
    expect(restLabel("", ["run"])).toBe("run");
  });
});

describe("a path that changes", () => {
  it("carries its stretches along as shares", () => {
    expect(scaled(run, 2)).toEqual([{ first: 4, last: 10, label: "run" }]);
  });

  it("turns them round with itself, and back", () => {
    expect(reversed(run, 10)).toEqual([{ first: 5, last: 8, label: "run" }]);
    const end = paint([], 6, Infinity, "run");
    expect(reversed(end, 10)).toEqual([{ first: 0, last: 4, label: "run" }]);
    expect(reversed(reversed(end, 10), 10)).toEqual(end);
  });
});

import { describe, expect, it } from "vitest";
import { labelColour } from "../../ui/label-colour";
import { keptOf, labelColours, playedStretches, renumbered, shownLabels } from "./stretches";

describe("shownLabels", () => {
  it("covers the clip once, the shortest span on top", () => {
    const shown = shownLabels(100, [
      { label: "walk", first: 0, last: 90 },
      { label: "turn_left", first: 30, last: 50 },
    ]);
    expect(shown).toEqual([
      { label: "walk", first: 0, last: 30 },
      { label: "turn_left", first: 30, last: 50 },
      { label: "walk", first: 50, last: 90 },
      { label: "", first: 90, last: 100 },
    ]);
  });
  it("bears spans beyond the clip and none at all", () => {
    expect(shownLabels(5, [{ label: "run", first: -3, last: 9 }])).toEqual([{ label: "run", first: 0, last: 5 }]);
    expect(shownLabels(5, [])).toEqual([{ label: "", first: 0, last: 5 }]);
    expect(shownLabels(0, [])).toEqual([]);
  });
});

describe("keptOf", () => {
  it("cuts the stretches to what is kept", () => {
    const kept = keptOf([{ label: "walk", first: 0, last: 30 }, { label: "", first: 30, last: 40 }], [[5, 12], [28, 33]]);
    expect(kept).toEqual([
      { label: "walk", first: 5, last: 12 },
      { label: "walk", first: 28, last: 30 },
      { label: "", first: 30, last: 33 },
    ]);
  });
});

describe("labelColours", () => {
  it("gives labels the colours that they have everywhere, the longest first", () => {
    const stretches = ["walk", "run", "sneak", "punch", ""].map((label, n) => ({ label, first: 0, last: 10 + n }));
    const colours = labelColours(stretches);
    expect([...colours.keys()]).toEqual(["punch", "sneak", "run", "walk"]);
    expect(colours.get("walk")).toBe(labelColour("walk"));
  });
});

describe("renumbered", () => {
  it("finds the clips of a walk among those of its graph", () => {
    expect([...renumbered([0, 1, 1, 2], ["run", "walk", "gone"], ["jump", "walk", "run"])]).toEqual([2, 1, 1, -1]);
  });
});

describe("playedStretches", () => {
  it("splits where the clip or the place in it changes", () => {
    const played = playedStretches([0, 0, 0, 2, 2, 2, 2], [5, 6, 7, 40, 41, 10, 11]);
    expect(played).toEqual([
      { clip: 0, first: 5, last: 8, from: 0, to: 3 },
      { clip: 2, first: 40, last: 42, from: 3, to: 5 },
      { clip: 2, first: 10, last: 12, from: 5, to: 7 },
    ]);
  });
  it("leaves out frames of no clip", () => {
    expect(playedStretches([-1, -1, 1], [0, 0, 3])).toEqual([{ clip: 1, first: 3, last: 4, from: 2, to: 3 }]);
    expect(playedStretches([], [])).toEqual([]);
  });
});

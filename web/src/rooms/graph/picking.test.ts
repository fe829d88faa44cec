import { describe, expect, it } from "vitest";
import { found, labelsOf } from "./picking";

const clips = [
  { name: "walk_fast", info: { labels: ["walk"] } },
  { name: "16_35", info: { labels: ["walk", "turn_left"] } },
  { name: "Run", info: null },
];
const names = (list: { name: string }[]): string[] => list.map((clip) => clip.name);

describe("found", () => {
  it("asks for every word, in names and labels, whatever the case", () => {
    expect(names(found(clips, "WALK"))).toEqual(["walk_fast", "16_35"]);
    expect(names(found(clips, " walk  left "))).toEqual(["16_35"]);
    expect(names(found(clips, "run"))).toEqual(["Run"]);
    expect(found(clips, "")).toHaveLength(3);
    expect(found(clips, "jump")).toEqual([]);
  });
});

describe("labelsOf", () => {
  it("lists labels with their clips, the most common first", () => {
    expect(labelsOf(clips).map(({ label, clips: of }) => [label, of.length])).toEqual([["walk", 2], ["turn_left", 1]]);
  });
});

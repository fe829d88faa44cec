import { describe, expect, it } from "vitest";
import { found, labelsOf, taken, unfit } from "./picking";

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

describe("what a new graph takes", () => {
  const file = (id: string, name: string, made: string | null = null) => ({ id, name, file: `${id}/${name}.bvh`, info: null, made_by: made });
  const some = [file("a", "walk"), file("b", "walk"), file("c", "run"), file("d", "eight", "kinegraph follow walks.mog eight:2")];
  const ids = (list: { id: string }[]): string => list.map((clip) => clip.id).join("");

  it("leaves results of ours and second clips of a name out, and says why", () => {
    expect(Object.fromEntries(unfit(some))).toEqual({ b: "same name as a/walk.bvh", d: "a result of kinegraph's" });
    expect(ids(taken(some, [], []))).toBe("ac");
    expect(ids(taken(some, ["c"], []))).toBe("a");
  });

  it("takes them where they are asked for, one of a name", () => {
    expect(ids(taken(some, [], ["b"]))).toBe("bc");
    expect(ids(taken(some, [], ["d"]))).toBe("acd");
  });
});

import { describe, expect, it } from "vitest";
import type { Clip } from "../../api/types";
import { between, folderCounts, labelCounts, listed } from "./filter";

const clip = (name: string, labels: string[], seconds = 1, modified = "2026-01-01"): Clip =>
  ({ id: name, name, file: `clips/${name}.bvh`, size: 1, modified, info: { labels, seconds, distance_m: seconds } }) as unknown as Clip;

const clips = [clip("walk_10", ["walk"], 3), clip("walk_9", ["walk", "turn_left"], 5, "2026-02-01"), clip("run", ["run"], 4)];
const names = (list: Clip[]): string[] => list.map((one) => one.name);

describe("the library's list", () => {
  it("finds all words in names and labels", () => {
    expect(names(listed(clips, "walk", [], "name"))).toEqual(["walk_9", "walk_10"]);
    expect(names(listed(clips, "WALK left", [], "name"))).toEqual(["walk_9"]);
    expect(names(listed(clips, "  ", [], "name"))).toHaveLength(3);
  });

  it("keeps clips that have all labels chosen", () => {
    expect(names(listed(clips, "", ["walk", "turn_left"], "name"))).toEqual(["walk_9"]);
  });

  it("is ordered as told, and leaves the clips alone", () => {
    expect(names(listed(clips, "", [], "longest"))).toEqual(["walk_9", "run", "walk_10"]);
    expect(names(listed(clips, "", [], "newest"))[0]).toBe("walk_9");
    expect(names(clips)).toEqual(["walk_10", "walk_9", "run"]);
  });

  it("counts labels", () => {
    expect(labelCounts(clips)[0]).toEqual(["walk", 2]);
  });
});

describe("folders and picking", () => {
  const filed = (file: string): Clip => ({ ...clip(file.replace(/.*\//, ""), []), id: file, file });
  const some = [filed("a.bvh"), filed("cmu/b.bvh"), filed("cmu/c.bvh"), filed("old/cmu/b.bvh")];

  it("counts clips by folder, and shows those of one", () => {
    expect(folderCounts(some)).toEqual([["", 1], ["cmu", 2], ["old/cmu", 1]]);
    expect(listed(some, "", [], "name", "cmu").map((one) => one.id)).toEqual(["cmu/b.bvh", "cmu/c.bvh"]);
    expect(listed(some, "", [], "name", "")).toHaveLength(1);
  });

  it("picks all from one to another, either way", () => {
    expect(between(some, "cmu/b.bvh", "old/cmu/b.bvh")).toHaveLength(3);
    expect(between(some, "cmu/c.bvh", "a.bvh")).toEqual(["a.bvh", "cmu/b.bvh", "cmu/c.bvh"]);
    expect(between(some, "gone", "a.bvh")).toEqual(["a.bvh"]);
  });
});

import { describe, expect, it } from "vitest";
import { fileName, parted, sentenceCase } from "./words";

describe("a file's name", () => {
  it("holds nothing that it may not", () => {
    expect(fileName("eight:2.5, 31.4 m")).toBe("eight 2.5 31.4 m");
    expect(fileName("../../etc/passwd")).toBe("etc passwd");
    expect(fileName(" Grüße ")).toBe("Grüße");
    expect(fileName("→")).toBe("motion");
    expect(fileName("→", "walk")).toBe("walk");
    expect(fileName("x".repeat(200))).toHaveLength(80);
  });
});

describe("a sentence", () => {
  it("begins with a capital and ends with a stop", () => {
    expect(sentenceCase(" feet are held")).toBe("Feet are held.");
    expect(sentenceCase("is that so?")).toBe("Is that so?");
    expect(sentenceCase("")).toBe("");
  });
});

describe("a name that is cut", () => {
  it("keeps what tells takes of one session apart", () => {
    expect(parted("walk_left_gentle")).toEqual(["walk_left_gentle", ""]);
    const [one, other] = ["dataset-1_bow_childish_001", "dataset-1_bow_childish_002"].map(parted);
    expect(one![1]).toBe("_childish_001");
    expect(other![1]).not.toBe(one![1]);
    expect(parted("a".repeat(40))[1]).toHaveLength(9);
  });
  it("loses nothing", () => {
    for (const name of ["x", "take 12 of the long session 3-4", "Walk.Cycle.Final.v002", "ü".repeat(30)]) expect(parted(name).join("")).toBe(name);
  });
});

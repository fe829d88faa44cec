import { describe, expect, it } from "vitest";
import { fileName, sentenceCase } from "./words";

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

import { describe, expect, it } from "vitest";
import { doubt, namesIn, offered } from "./several";

const labels = ["walk", "run", "turn_left", "so-so"];

describe("several labels", () => {
  it("are found in a text, in signs and in words", () => {
    expect(namesIn("walk+!(turn_left|so-so)")).toEqual(["walk", "turn_left", "so-so"]);
    expect(namesIn("walk and not run")).toEqual(["walk", "run"]);
  });

  it("are offered where the graph has all of them", () => {
    expect(offered(labels, ["walk+turn_left", "!run", "walk+happy", "walk"])).toEqual([...labels, "walk+turn_left", "!run"]);
    expect(offered([], ["!run"])).toEqual([]);
  });

  it("are doubted with a reason", () => {
    expect(doubt("walk+happy", labels)).toBe("No frame of this graph is labelled happy.");
    expect(doubt("walk", labels)).toContain("walk+happy for both");
    expect(doubt("", labels)).toContain("walk+happy for both");
    expect(doubt("walk or run", labels)).toBeNull();
  });
});

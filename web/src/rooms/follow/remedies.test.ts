import { describe, expect, it } from "vitest";
import { EMPTY, shape } from "./drawing";
import { AT_RANDOM, isFaulty, ON_PATH, type Asked } from "./remedies";

const plain: Asked = {
  course: { drawing: EMPTY, label: "", stretches: [] },
  following: { search: "fast", warp: true, start: "", speed: 0, prefer: {} },
  wandering: { seconds: 5, seed: 1, label: "", pool: 0 },
};
const offered = (now: Asked) => [...new Set(ON_PATH.filter((one) => one.changed(now)).map(({ words }) => words))];

describe("remedies", () => {
  it("change only what is set", () => {
    expect(offered(plain)).toEqual([]);
    expect(AT_RANDOM.filter((one) => one.changed(plain))).toEqual([]);
    const drawn = { ...plain, course: { ...plain.course, drawing: shape("square:5", [[0, 0], [0, 5], [5, 5]]) } }; // prettier-ignore
    expect(offered(drawn)).toEqual(["Wider turns"]);
    expect(offered({ ...drawn, following: { ...drawn.following, limit: 2, speed: 1 } })).toEqual(["As long as it takes", "At any speed", "Wider turns"]);
    expect(offered({ ...plain, course: { ...plain.course, label: "sneak" } })).toEqual(["Any label"]);
  });

  it("take one wish away and leave all others", () => {
    const asked = { ...plain, following: { ...plain.following, limit: 2, start: "walk" }, course: { ...plain.course, label: "run" } };
    const [mended] = ON_PATH.filter(({ words }) => words === "Start with anything").map((one) => one.changed(asked)!);
    expect(mended!.following).toEqual({ ...asked.following, start: "" });
    expect(mended!.course).toBe(asked.course);
  });

  it("are looked for where a walk ends early, or leaves its path", () => {
    expect(isFaulty({ short: null }, [0, 3, 14])).toBe(false);
    expect(isFaulty({ short: null }, [0, 30, 14])).toBe(true);
    expect(isFaulty({ short: null }, null)).toBe(false);
    expect(isFaulty({ short: "the walk ends" }, [0])).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import { about, next, textOf, wished, wishes, within } from "./stretch";

describe("a stretch", () => {
  it("is said as commands say it", () => {
    expect(textOf({ from: 2, to: 5 + 1 / 3 })).toBe("2-5.333");
  });

  it("lies in the scene, whichever way it was drawn", () => {
    expect(within({ from: 9.3, to: -1 }, 9)).toEqual({ from: 0, to: 9 });
    expect(about(4.256, 9)).toEqual({ from: 4.26, to: 7.26 });
    expect(about(8.5, 9)).toEqual({ from: 6, to: 9 });
    expect(about(1, 2)).toEqual({ from: 0, to: 2 });
  });

  it("is made by another seed each time, never by that of the rest", () => {
    const first = next({ from: 2, to: 5 }, 3, null);
    expect(first).toEqual({ stretch: "2-5", of: 3, seed: 4 });
    expect(next({ from: 2, to: 5 }, 3, first).seed).toBe(5);
    expect(next({ from: 2, to: 6 }, 3, first)).toEqual({ stretch: "2-6", of: 3, seed: 4 });
    expect(next({ from: 2, to: 5 }, 7, first)).toEqual({ stretch: "2-5", of: 7, seed: 8 });
  });

  it("is asked for with the variation of the rest, and known again from what was asked", () => {
    const anew = { stretch: "2-5", of: 3, seed: 4 };
    expect(wishes(3, anew)).toEqual({ seed: 4, stretch: "2-5", of_seed: 3 });
    expect(wishes(0, { ...anew, of: 0, seed: 1 })).toEqual({ seed: 1, stretch: "2-5" });
    expect(wishes(0, null)).toEqual({});
    expect(wishes(2, null)).toEqual({ seed: 2 });
    expect(wished(wishes(3, anew))).toEqual({ seed: 3, anew });
    expect(wished({ seed: 2, stretch: null })).toEqual({ seed: 2, anew: null });
    expect(wished({})).toEqual({ seed: 0, anew: null });
  });
});

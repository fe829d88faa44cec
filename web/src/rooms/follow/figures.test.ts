import { describe, expect, it } from "vitest";
import { givenInWords, turnsInWords, best, figures, given, percent, reached, ROWS, sentences, shares, told, warnings } from "./figures";

describe("figures", () => {
  it("are the server's", () => {
    const found = figures({ deviation_cm: { mean: 0.412, max: 1.1 }, slide_mm: null, transitions: 41, seconds: 27.83 });
    expect(found.deviation).toEqual({ mean: 0.412, max: 1.1 });
    expect(found.slide).toBeNull();
    expect(found.transitions).toBe(41);
    expect(figures(null).seconds).toBeNull();
    expect(found.clipsSlide).toBeNull();
    expect(figures({ source_feet: { slide_mm: { mean: 5.6, max: 19.9 } } }).clipsSlide).toEqual({ mean: 5.6, max: 19.9 });
  });

  it("tell where painted labels are given", () => {
    const sections = [
      { label: "run", asked_m: [5, 11], given_m: [5.4, 10.2], share: 0.8 },
      { label: "hop", asked_m: [11, 12], given_m: null, share: 0 },
    ];
    expect(given({ sections })).toEqual([{ label: "run", first: 5.4, last: 10.2 }]);
    expect(given({})).toEqual([]);
    expect(given(null)).toEqual([]);
  });

  it("are told with a dash where they are unknown", () => {
    expect(told(0.412, 1)).toBe("0.4");
    expect(told(null, 1)).toBe("–");
  });

  it("name a best only where results differ as shown, and only where less is better", () => {
    const [mean, , , , transitions] = ROWS;
    expect(best(mean!, [0.41, 0.52])).toBe(0.41);
    expect(best(mean!, [0.41, 0.42])).toBeNull();
    expect(best(mean!, [0.41, null])).toBeNull();
    expect(best(transitions!, [3, 9])).toBeNull();
  });
});

describe("steps", () => {
  it("are told with when they are reached, and there are none without an order", () => {
    const items = [{ name: "walk", frame: 30, seconds: 1, stayed_s: 2.5, clip: "a", clip_frame: 4 }];
    expect(reached(items)).toEqual([{ name: "walk", seconds: 1, stayed: 2.5 }]);
    expect(reached(undefined)).toEqual([]);
  });
});

describe("shares", () => {
  it("come with the most first, and tell how many are left out", () => {
    const { shown, more } = shares({ a: 0.2, b: 0.5, c: 0.3 }, 2);
    expect(shown.map(([name]) => name)).toEqual(["b", "c"]);
    expect(more).toBe(1);
    expect(shares(null, 3)).toEqual({ shown: [], more: 0 });
  });

  it("are whole percentages", () => {
    expect(percent(0.204)).toBe("20 %");
    expect(percent(0.001)).toBe("< 1 %");
    expect(percent(0)).toBe("0 %");
  });
});

describe("sentences", () => {
  it("begin with why the walk stopped short, and tell nothing twice", () => {
    expect(sentences({ short: "it ended early", notices: ["it ended early", "corners were rounded."] })).toEqual([
      "It ended early.",
      "Corners were rounded.",
    ]);
  });
});

describe("warnings", () => {
  it("are the server's as sentences, and none of what was kept before it told any", () => {
    expect(warnings({ warnings: ["feet slide by 54.3 mm"] })).toEqual(["Feet slide by 54.3 mm."]);
    expect(warnings({})).toEqual([]);
    expect(warnings(null)).toEqual([]);
  });
});

describe("labels that were painted", () => {
  const section = (given_m: [number, number] | null, share: number) => ({ sections: [{ label: "run", asked_m: [3, 6], given_m, share }] });
  it("are told where they come elsewhere, in part, or not at all", () => {
    expect(givenInWords(section([3.1, 6.2], 0.95))).toEqual([]);
    expect(givenInWords(section([3.1, 7], 0.95))).toEqual(["run from 3.0 to 6.0 m comes from 3.1 to 7.0 m, on 95 % of its stretch."]);
    expect(givenInWords(section(null, 0))[0]).toMatch(/is not given/);
    expect(givenInWords(null)).toEqual([]);
  });
});

it("tells the tightest turns", () => {
  expect(turnsInWords({ left_m: 1, right_m: 1 })).toBe("The tightest turn has a radius of 1 m.");
  expect(turnsInWords({ left_m: 0.6, right_m: null })).toBe("The tightest turns have a radius of 0.6 m to the left, not to the right.");
  expect(turnsInWords(null)).toBe("");
});

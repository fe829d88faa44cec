import { describe, expect, it } from "vitest";
import { Responses, Slides } from "./meter";

describe("Responses", () => {
  it("are counted from the first wish of those that one step took up", () => {
    const responses = new Responses();
    expect(responses.figures).toBeNull();
    responses.wished(1, 100);
    responses.wished(2, 120);
    expect(responses.came(0, 110)).toBe(false);
    expect(responses.came(2, 130)).toBe(true);
    expect(responses.figures).toEqual({ last: 30, p95: 30, count: 1 });
  });

  it("do not pile up where nobody answers", () => {
    const responses = new Responses();
    for (let wish = 0; wish < 1000; wish++) responses.wished(wish, wish);
    expect(responses.came(999, 2000)).toBe(true);
    expect(responses.figures!.last).toBe(2000 - 900);
    for (let wish = 1000; wish < 2000; wish++) {
      responses.wished(wish, wish);
      responses.came(wish, wish + 10);
    }
    expect(responses.figures).toEqual({ last: 10, p95: 10, count: 100 });
  });
});

describe("Slides", () => {
  it("are from where a foot came down, as long as it is held", () => {
    const slides = new Slides();
    expect(slides.far([true, false], [[0, 0], [1, 0]], 1 / 30)).toBe(0);
    expect(slides.far([true, true], [[0, 0.002], [1, 0]], 1 / 30)).toBeCloseTo(0.002);
    expect(slides.far([false, true], [[5, 0], [1, 0]], 1 / 30)).toBe(0);
    expect(slides.far([false, false], [[5, 0], [2, 0]], 1 / 30)).toBeNull();
    expect(slides.far([true, false], [[6, 0], [2, 0]], 1 / 30)).toBe(0);
  });

  it("are not those of a step that was missed", () => {
    const slides = new Slides();
    expect(slides.far([true, true], [[0, 0], [1, 0]], 1 / 30)).toBe(0);
    expect(slides.far([true, true], [[0.3, 0], [1.3, 0]], 0.4)).toBe(0);
    expect(slides.far([true, true], [[0.301, 0], [1.3, 0]], 1 / 30)).toBeCloseTo(0.001);
  });
});

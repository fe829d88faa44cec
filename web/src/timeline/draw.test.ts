import { describe, expect, it } from "vitest";
import { clock, largest, tickStep } from "./draw";

describe("the ruler", () => {
  it("labels at least as far apart as told", () => {
    for (const [seconds, width] of [[1, 700], [15, 700], [300, 1200], [7200, 300]] as const) {
      const step = tickStep(seconds, width);
      expect((step / seconds) * width).toBeGreaterThanOrEqual(64);
    }
  });

  it("writes times as people read them", () => {
    expect(clock(4.25, 0.5)).toBe("4.3");
    expect(clock(0.05, 0.05)).toBe("0.05");
    expect(clock(12, 1)).toBe("12");
    expect(clock(65, 5)).toBe("1:05");
    expect(clock(600, 60)).toBe("10:00");
  });
});

describe("largest", () => {
  it("leaves out what is no number", () => {
    expect(largest([1, NaN, 3, -5])).toBe(3);
    expect(largest([])).toBe(0);
  });
});

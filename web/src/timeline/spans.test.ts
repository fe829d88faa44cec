import { describe, expect, it } from "vitest";
import { dragged, snapped, timeAt } from "./spans";

describe("times under the pointer", () => {
  const box = { left: 100, width: 600 };

  it("are those of frames, within the timeline", () => {
    expect(timeAt(400, box, 10, 30)).toBe(5);
    expect(timeAt(403, box, 10, 30)).toBe(5.067);
    expect(timeAt(0, box, 10, 30)).toBe(0);
    expect(timeAt(5000, box, 10, 30)).toBe(9.967);
  });

  it("are written without dust", () => {
    expect(snapped(0.1 + 0.2, 30)).toBe(0.3);
    expect(snapped(1 / 3, 30)).toBe(0.333);
  });
});

describe("a span that is dragged", () => {
  const span = { from: 2, to: 5 };

  it("keeps its length as a whole, and stays within", () => {
    expect(dragged(span, "whole", 1, 12)).toEqual({ from: 3, to: 6 });
    expect(dragged(span, "whole", -9, 12)).toEqual({ from: 0, to: 3 });
    expect(dragged(span, "whole", 99, 12)).toEqual({ from: 9, to: 12 });
  });

  it("does not turn inside out", () => {
    expect(dragged(span, "from", 9, 12).from).toBeLessThan(5);
    expect(dragged(span, "to", -9, 12).to).toBeGreaterThan(2);
    expect(dragged(span, "to", 99, 12)).toEqual({ from: 2, to: 12 });
  });

  it("is a key where both ends are the same", () => {
    expect(dragged({ from: 4, to: 4 }, "whole", 2.5, 12)).toEqual({ from: 6.5, to: 6.5 });
  });
});

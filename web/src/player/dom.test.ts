import { describe, expect, it } from "vitest";
import { clock } from "./dom";

describe("the clock", () => {
  it("shows minutes, seconds and tenths, cut and not rounded", () => {
    expect([0, 0.99, 9.96, 59.99, 60, 65.34, 3600].map(clock)).toEqual(["0:00.0", "0:00.9", "0:09.9", "0:59.9", "1:00.0", "1:05.3", "60:00.0"]);
  });

  it("does not lose a tenth to rounding", () => {
    expect(clock(3 * 0.1)).toBe("0:00.3");
  });
});

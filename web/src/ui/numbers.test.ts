import { describe, expect, it } from "vitest";
import { outside, understood, written } from "./numbers";

describe("numbers as people write them", () => {
  it("are kept as typed", () => {
    expect(understood("1.23456789", false)).toEqual({ value: 1.23456789, reason: null });
    expect(understood(" −2,5 ", false)).toEqual({ value: -2.5, reason: null });
    expect(written(1.23456789)).toBe("1.23456789");
    expect(written(0.1 + 0.2)).toBe("0.3");
    expect(written(null)).toBe("");
  });

  it("are refused with a reason", () => {
    expect(understood("two", false).reason).toContain("“two”");
    expect(understood("", false).reason).not.toBeNull();
    expect(understood("", true)).toEqual({ value: null, reason: null });
    expect(outside(8, 0, 6.28, false, "m")).toBe("Between 0 m and 6.28 m, please.");
    expect(outside(2.5, 1, 10, true)).toBe("A whole number, please.");
    expect(outside(3, 0, Infinity, true)).toBeNull();
    expect(understood("-1", false, (value) => (value > 0 ? null : "Above 0.")).reason).toBe("Above 0.");
  });
});

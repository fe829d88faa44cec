import { describe, expect, it } from "vitest";
import { understood, written } from "./numbers";

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
    expect(understood("-1", false, (value) => (value > 0 ? null : "Above 0.")).reason).toBe("Above 0.");
  });
});

import { describe, expect, it } from "vitest";
import { parse, PRESETS } from "./shapes";

describe("presets", () => {
  it("are read back from their text", () => {
    for (const preset of PRESETS) {
      const found = parse(preset.text(preset.usual, 0));
      expect(found?.preset).toBe(preset);
      expect(found?.size).toBe(preset.usual);
    }
  });

  it("have a text that the server takes", () => {
    const text = (name: string, size: number, variant = 0) => PRESETS.find((one) => one.name === name)?.text(size, variant);
    expect(text("eight", 2.5)).toBe("eight:2.5");
    expect(text("wave", 12)).toBe("wave:12,1.5");
    expect(text("drawn", 24, 7)).toBe("drawn:24,7");
    expect(parse("drawn:24,7")?.variant).toBe(7);
  });

  it("know nothing of other texts", () => {
    expect(parse("heart:3")).toBeNull();
    expect(parse("eight")).toBeNull();
  });
});

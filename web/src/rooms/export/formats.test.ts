import { describe, expect, it } from "vitest";
import { availability, CARDS, cardOf, DEFAULTS, installLine, listed, optionsFor, sizeText } from "./formats";

describe("formats", () => {
  it("are found by every ending, once", () => {
    const endings = CARDS.flatMap((card) => card.endings);
    expect(new Set(endings).size).toBe(endings.length);
    for (const ending of endings) expect(cardOf(ending).endings).toContain(ending);
  });

  it("are told only the options that they take and that were set", () => {
    const settings = { fps: 60, in_place: true, t_pose: true, units: "m", up: "z" } as const;
    expect(optionsFor(".usdc", settings)).toEqual(settings);
    expect(optionsFor(".glb", settings)).toEqual({ fps: 60, in_place: true, t_pose: true });
    expect(optionsFor(".mp4", settings)).toEqual({ fps: 60 });
    expect(optionsFor(".png", settings)).toEqual({});
    for (const card of CARDS) expect(optionsFor(card.endings[0]!, DEFAULTS)).toEqual({});
  });

  it("say why they cannot be written, and what to install", () => {
    const formats = [{ suffix: ".usda", name: "USD", available: false, why: "USD needs usd-core: pip install 'kinegraph[usd]'" }];
    expect(availability(".usda", formats).available).toBe(false);
    expect(availability(".bvh", formats).why).not.toBeNull();
    expect(installLine(formats[0]!.why)).toBe("pip install 'kinegraph[usd]'");
    expect(installLine("there is no Blender")).toBeNull();
  });

  it("are listed the newest first, without sidecars", () => {
    const entry = (file: string, modified: string) => ({ id: file, name: file, file, size: 1, modified });
    const found = listed([entry("exports/a.bvh", "1"), entry("exports/a.bvh.json", "1"), entry("exports/b.glb", "2"), entry("exports/notes.json", "0")]);
    expect(found.map((each) => each.file)).toEqual(["exports/b.glb", "exports/a.bvh", "exports/notes.json"]);
  });

  it("have sizes for people", () => {
    expect([0, 999, 1500, 25_000, 3_400_000].map(sizeText)).toEqual(["0 B", "999 B", "1.5 kB", "25 kB", "3.4 MB"]);
  });
});

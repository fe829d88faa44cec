import { describe, expect, it } from "vitest";
import type { WriteFormat } from "../../api/types";
import { cardsOf, DEFAULTS, endingName, installLine, listed, optionsFor, placed, type Settings, sizeText } from "./formats";

function written(format: string, suffix: string, shown: number, more: Partial<WriteFormat> = {}): WriteFormat {
  const told = { name: format, available: true, why: null, use: "Anybody.", help: "For anybody.", takes: ["fps"], unit: null };
  return { ...told, format, suffix, shown, textual: false, many: false, slow: false, drawn: false, needs: null, ...more };
}

describe("formats", () => {
  it("are cards in the server's order, each with all its endings", () => {
    const formats = [written("BVH", ".bvh", 4), written("USD", ".usda", 3, { textual: true }), written("USD", ".usdc", 3), written("New", ".new", 1000)];
    const cards = cardsOf(formats);
    expect(cards.map((card) => [card.name, ...card.endings.map((ending) => ending.suffix)])).toEqual([["USD", ".usdc", ".usda"], ["BVH", ".bvh"], ["New", ".new"]]);
    expect(cards[0]!.endings.map((ending) => endingName(ending, cards[0]!))).toEqual(["Binary", "Text"]);
    expect(endingName(formats[0]!, cards[1]!)).toBe(".bvh");
    expect(cardsOf([])).toEqual([]);
  });

  it("are told only the options that they take and that were set", () => {
    const settings: Settings = { fps: 60, in_place: true, t_pose: true, units: "m", up: "z", character: null };
    const { character: _, ...own } = settings;
    expect(optionsFor({ takes: ["fps", "in_place", "t_pose", "units", "up"] }, settings)).toEqual(own);
    expect(optionsFor({ takes: ["fps", "in_place", "t_pose", "character"] }, { ...settings, character: "x" })).toEqual({ fps: 60, in_place: true, character: "x" });
    expect(optionsFor({ takes: ["fps", "in_place", "t_pose"] }, settings)).toEqual({ fps: 60, in_place: true, t_pose: true });
    expect(optionsFor({ takes: [] }, settings)).toEqual({});
    expect(optionsFor({ takes: ["fps", "in_place", "t_pose", "units", "up"] }, DEFAULTS)).toEqual({});
  });

  it("have recipes that say where they run", () => {
    const told = { command: "kinegraph clean a.bvh b.bvh", python: "import kinegraph as kg" };
    expect(placed(told, "/home/me/takes").command).toBe("cd /home/me/takes\nkinegraph clean a.bvh b.bvh");
    expect(placed(told, "/it's here").command).toContain(`cd '/it'"'"'s here'\n`);
    expect(placed(told, "C:\\my takes")).toEqual({ command: `cd "C:\\my takes"\n${told.command}`, python: `import os\n\nos.chdir("C:\\\\my takes")\n\n${told.python}` });
  });

  it("say what to install", () => {
    expect(installLine("USD needs usd-core: pip install 'kinegraph[usd]'")).toBe("pip install 'kinegraph[usd]'");
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

import { describe, expect, it } from "vitest";
import type { Pack } from "../../api/pack";
import type { EdgesPack, GraphDetail } from "../../api/types";
import { drawingOf, MOST_ARCS } from "./graph-data";
import { firstWindow, LEAST_ROW, placeOf, rowHeight, shortName, tracksBox, wholeWindow } from "./graph-draw";
import { plotBox } from "./matrix-draw";

function graph(clips: number): GraphDetail {
  const clip = (n: number) => ({ name: `clip_${n}`, frames: 300, mirrored: n % 2 === 1, group: n % 3, spans: [{ label: "walk", first: 0, last: 200 }], kept: [[10, 290]] });
  return {
    id: "a",
    name: "a",
    file: "a.mog",
    fps: 30,
    clips: Array.from({ length: clips }, (_, n) => clip(n)),
    parameters: {},
    labels: ["walk"],
    summary: { groups: [3, 4, 5].map((threshold_cm) => ({ clips: [], threshold_cm })) },
  } as unknown as GraphDetail;
}

function edges(count: number, clips: number): Pack<EdgesPack> {
  const of = (value: (n: number) => number) => Int32Array.from({ length: count }, (_, n) => value(n));
  const arrays = {
    source_clip: of((n) => n % clips),
    target_clip: of((n) => (n * 7) % clips),
    source_frame: of((n) => n % 280),
    target_frame: of((n) => 10 + ((n * 3) % 280)),
    length: of(() => 10),
    kind: Uint8Array.from({ length: count }, (_, n) => (n % 100 === 0 ? 2 : n % 5 === 0 ? 0 : 1)),
    cost_cm: Float32Array.from({ length: count }, (_, n) => n % 7),
  };
  return { facts: { kind: "edges", edges: count, clips, fps: 30 }, arrays, shape: () => [count], scale: () => 1 };
}

describe("drawingOf", () => {
  it("draws no more arcs than can be told apart, and counts them all", () => {
    const drawing = drawingOf(graph(12), edges(20_000, 12));
    expect(drawing.transitions).toHaveLength(MOST_ARCS);
    expect(drawing.bridges).toHaveLength(200);
    expect(drawing.counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(16_000);
    expect(drawing.longest).toBe(10);
    expect(drawing.tracks[0]!.kepts.map(({ label, first, last }) => [label, first, last])).toEqual([["walk", 10, 200], ["", 200, 290]]);
  });
  it("shows a large graph from the top, with rows that can be read", () => {
    const box = tracksBox(440, 500, 120);
    const large = drawingOf(graph(90), edges(100, 90));
    expect(rowHeight(box, firstWindow(large, box))).toBeCloseTo(LEAST_ROW);
    const small = drawingOf(graph(6), edges(100, 6));
    expect(firstWindow(small, box)).toEqual(wholeWindow(small));
    const [x, y] = placeOf(small, box, wholeWindow(small), 0, 150);
    expect(x).toBeGreaterThan(box.left);
    expect(y).toBeGreaterThan(box.top);
  });
  it("gives a mirrored clip the name of its original", () => {
    expect(shortName({ name: "walk_mirrored", mirrored: true })).toBe("walk");
    expect(shortName({ name: "walk_mirrored", mirrored: false })).toBe("walk_mirrored");
  });
});

describe("plotBox", () => {
  it("draws frames of both clips equally long where they are about as long as each other", () => {
    const box = plotBox(600, 500, 200, 300);
    expect((box.bottom - box.top) / (box.right - box.left)).toBeCloseTo(2 / 3, 1);
  });
  it("fills its place where they are not", () => {
    const box = plotBox(600, 500, 40, 900);
    expect(box.bottom - box.top).toBeGreaterThan(400);
  });
});

import { describe, expect, it } from "vitest";
import { arc, arcOpacity, chosenEdges, edgesByClip, rowsOf, type Edges } from "./layout";

function edges(count: number): Edges {
  const of = (value: (n: number) => number): number[] => Array.from({ length: count }, (_, n) => value(n));
  return {
    source_clip: of((n) => n % 3),
    target_clip: of((n) => (n + 1) % 3),
    source_frame: of((n) => n),
    target_frame: of((n) => n),
    length: of(() => 10),
    kind: of((n) => (n % 10 === 0 ? 2 : 1)),
    cost_cm: of((n) => n / 10),
  };
}

describe("rowsOf", () => {
  it("puts groups together with a gap between, the ungrouped last", () => {
    const rows = rowsOf([1, 2, null, 1]);
    expect([...rows.of]).toEqual([0, 2.25, 3.5, 1]);
    expect(rows.groups).toEqual([{ number: 1, first: 0, last: 1 }, { number: 2, first: 2.25, last: 2.25 }]);
    expect(rows.height).toBe(4.5);
  });
  it("leaves room for the heading of a group of several", () => {
    expect(rowsOf([0, 1, 1]).of[1]).toBeGreaterThanOrEqual(2);
  });
  it("gives every clip a row of its own", () => {
    const rows = rowsOf(Array.from({ length: 60 }, (_, n) => (n * 7) % 5));
    expect(new Set(rows.of).size).toBe(60);
  });
  it("bears a graph without groups", () => {
    expect(rowsOf([null, null]).groups).toEqual([]);
    expect(rowsOf([]).height).toBe(0);
  });
});

describe("chosenEdges", () => {
  it("takes all of a kind where they are few", () => {
    expect(chosenEdges(edges(100), 2, 50)).toHaveLength(10);
  });
  it("takes an even choice of many: every pair of clips keeps its share", () => {
    const all = edges(9000);
    const chosen = chosenEdges(all, 1, 300);
    expect(new Set(chosen).size).toBe(300);
    for (const clip of [0, 1, 2]) {
      const share = chosen.filter((edge) => all.source_clip[edge] === clip).length;
      expect(Math.abs(share - 100)).toBeLessThan(3);
    }
  });
  it("finds the edges of a clip", () => {
    const all = edges(6);
    const by = edgesByClip(all, Int32Array.of(1, 2, 4), 3);
    expect(by[1]).toEqual([1, 4]);
    expect(by[2]).toEqual([1, 2, 4]);
  });
});

describe("arc", () => {
  it("leaves and arrives upright between tracks", () => {
    const [x0, , x1, , x2, , x3] = arc(10, 0, 90, 40, 20, 200);
    expect([x0, x2]).toEqual([x1, x3]);
  });
  it("bows above its own track, the higher the longer, and stays below the next", () => {
    const short = arc(10, 100, 20, 100, 20, 200);
    const long = arc(10, 100, 210, 100, 20, 200);
    expect(long[3]).toBeLessThan(short[3]);
    expect(0.75 * (100 - long[3])).toBeLessThan(20);
  });
  it("is fainter where there are many", () => {
    expect(arcOpacity(10)).toBe(0.8);
    expect(arcOpacity(4000)).toBeLessThan(0.11);
  });
});

import { describe, expect, it } from "vitest";
import type { Pack } from "../../api/pack";
import type { EdgesPack, GraphDetail } from "../../api/types";
import { bundlesOf, within } from "./bundles";
import { drawingOf } from "./graph-data";

/** Four clips of two groups, with edges 0→1, 1→0, 0→2 (a bridge), 3→3, and a stretch of original motion. */
function drawing(names: string[]) {
  const clips = names.map((name, n) => ({ name, frames: 100, mirrored: false, group: n < 3 ? 0 : 1, spans: [{ label: "walk", first: 0, last: 50 }], kept: [[10, 90]] }));
  const detail = { fps: 30, clips, labels: [], summary: { groups: [{ threshold_cm: 2 }, { threshold_cm: 3 }] } } as unknown as GraphDetail;
  const arrays = {
    source_clip: Int32Array.of(0, 1, 0, 3, 0),
    target_clip: Int32Array.of(1, 0, 2, 3, 0),
    source_frame: new Int32Array(5),
    target_frame: new Int32Array(5).fill(20),
    length: new Int32Array(5).fill(10),
    kind: Uint8Array.of(1, 1, 2, 1, 0),
    cost_cm: new Float32Array(5),
  };
  return drawingOf(detail, { arrays } as unknown as Pack<EdgesPack>);
}

describe("bundlesOf", () => {
  it("takes folders, with what is kept of them by label, and where they lead", () => {
    const [one, two] = bundlesOf(drawing(["a/1", "b/1", "b/2", "a/2"]));
    expect([one!.name, one!.clips, one!.frames]).toEqual(["a", [0, 3], 200]);
    expect([...one!.kept]).toEqual([["walk", 80], ["", 80]]);
    expect([...one!.leads]).toEqual([[1, 3], [0, 1]]);
    expect([...two!.leads]).toEqual([[0, 3]]);
  });
  it("takes groups where there are no folders; small ones are one", () => {
    expect(bundlesOf(drawing(["p", "q", "r", "s"])).map(({ name, clips }) => [name, clips])).toEqual([["Group 1", [0, 1, 2]], ["Small groups", [3]]]);
  });
});

describe("within", () => {
  it("shows some clips by their numbers, and arcs among them alone", () => {
    const some = within(drawing(["a/1", "b/1", "b/2", "a/2"]), [0, 1], 100);
    expect([...some.transitions]).toEqual([0, 1]);
    expect([...some.bridges]).toEqual([]);
    expect(some.rows.height).toBe(2);
    expect(some.tracks.map(({ row }) => row >= 0)).toEqual([true, true, false, false]);
    expect(some.byClip[0]).toEqual([0, 1]);
  });
});

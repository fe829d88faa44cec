import { describe, expect, it } from "vitest";
import type { GraphDetail, GraphSummary } from "../../api/types";
import { bridgesInWords, droppedInWords, duration, inWords, many, percent, timeLeft } from "./words";

const summary: GraphSummary = {
  clips: 4,
  frames: 3600,
  fps: 30,
  threshold_cm: 6,
  transitions: 1234,
  kept_share: 0.97,
  components: 1,
  bridges: 3,
  attainable: 3000,
  kept: 2900,
  dropped_seconds: 5,
  labels: {},
  styles: {},
  warnings: [],
  end_seconds: 2,
  dropped_clips: [],
  groups: [
    { clips: ["a"], threshold_cm: 3 },
    { clips: ["b"], threshold_cm: 6 },
  ],
  meetings: [{ groups: [1, 2], threshold_cm: 9.12, bridges: 3 }],
  losses: [],
  curve: [],
  cost_cm: { median: 2, max: 6 },
  notices: [],
};

describe("words", () => {
  it("counts", () => {
    expect([many(1, "clip"), many(2, "clip"), many(12345, "clip")]).toEqual(["1 clip", "2 clips", "12,345 clips"]);
  });
  it("says no share that is not so", () => {
    expect([0, 0.001, 0.5, 0.999, 0.9999, 1].map(percent)).toEqual(["0 %", "<1 %", "50 %", "99.9 %", "99.9 %", "100 %"]);
  });
  it("says times", () => {
    expect([3.21, 42.4, 60, 200].map(duration)).toEqual(["3.2 s", "42 s", "1 min 0 s", "3 min 20 s"]);
    expect([null, 0.3, 12.2].map(timeLeft)).toEqual(["", "almost done", "13 s left"]);
  });
  it("tells of a graph", () => {
    const clip = { name: "a", frames: 900, mirrored: true, group: 1, spans: [], kept: [] };
    const graph = { summary, clips: [clip] } as unknown as GraphDetail;
    expect(inWords(graph)).toBe("4 clips, 1 of them mirrored, 2 min 0 s in all. 1,234 transitions keep 97 % of the motion that a graph could keep.");
    expect(bridgesInWords(summary)).toBe("3 bridges join the groups, the dearest at 9.1 cm.");
    expect(bridgesInWords({ ...summary, groups: [] })).toBe("");
    expect(droppedInWords(summary)).toBe("3.0 s of motion from which no way leads on, and 2.0 s in the first and last windows of clips, which no graph keeps.");
    expect(droppedInWords({ ...summary, dropped_seconds: 0 })).toBe("Nothing was dropped.");
  });
});

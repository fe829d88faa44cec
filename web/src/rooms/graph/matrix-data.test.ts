import { describe, expect, it } from "vitest";
import type { Pack } from "../../api/pack";
import type { MatrixPack } from "../../api/types";
import { cellFrame, distanceAt, matrixOf, wholeSpan } from "./matrix-data";

const arrays: Pack["arrays"] = {
  distance: Uint16Array.of(10, 20, 30, 40, 65535, 60),
  first: Int32Array.of(2),
  second: Int32Array.of(4),
  cost_cm: Float32Array.of(1.5),
};
const pack: Pack<MatrixPack> = {
  facts: { kind: "matrix", a: "aa", b: "bb", notices: [], fps: 30, window: 0.333, window_frames: 10, rows: 2, columns: 3, least_cm: 1, most_cm: 6, step: 2, minima: 1 },
  arrays,
  shape: (name) => (name === "distance" ? [2, 3] : [1]),
  scale: (name) => (name === "distance" ? 0.1 : 1),
};

describe("matrixOf", () => {
  const matrix = matrixOf(pack);
  it("reads distances in centimetres at frames", () => {
    expect(matrix.window).toBe(10);
    expect(distanceAt(matrix, 0, 4)).toBeCloseTo(3);
    expect(distanceAt(matrix, 2, 0)).toBeCloseTo(4);
    expect(distanceAt(matrix, 2, 2)).toBeNull();
    expect(distanceAt(matrix, 4, 0)).toBeNull();
    expect(distanceAt(matrix, -2, 0)).toBeNull();
  });
  it("has axes that reach half a cell beyond the outer frames", () => {
    expect(wholeSpan(matrix, matrix.columns)).toEqual({ low: -1, high: 5 });
    expect([-9, 0.9, 1.1, 99].map((value) => cellFrame(matrix, value, 3))).toEqual([0, 0, 2, 4]);
  });
});

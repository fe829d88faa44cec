import { expect, it } from "vitest";
import { speeds } from "./measure";

it("measures speed along a track, at its ends too", () => {
  const track = Float32Array.from({ length: 200 }, (_, i) => (i % 2 ? 0.05 * Math.floor(i / 2) : 1));
  for (const speed of speeds(track, 30)) expect(speed).toBeCloseTo(1.5, 4);
  expect(speeds(new Float32Array(2), 30)).toEqual(Float32Array.from([0]));
});

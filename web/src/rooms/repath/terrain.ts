/** The ground around the way, as the server tells its heights, and a road where the path has heights of its own. */

import { effect, signal, untracked } from "@preact/signals";
import { getPack } from "../../api/client";
import { latest } from "../../api/latest";
import { floats } from "../../api/pack";
import type { GroundPack } from "../../api/types";
import { type GroundGrid, heightOn } from "../../stage/ground";
import { groundAsked, line, opened } from "./model";

/** Metres of ground around what is walked. */
const AROUND = 5;
/** Cells along the longer side, at most. */
const CELLS = 140;
const FINEST = 0.2;

/** the ground under the whole stage; null where it is flat */
export const terrain = signal<GroundGrid | null>(null);

const asking = latest(
  (query: string, abort: AbortSignal) => getPack<GroundPack>(`/api/ground?${query}`, abort),
  (pack) => {
    terrain.value = { ...pack.facts, heights: floats(pack, "heights") };
  },
  () => {
    // what is wrong with it is told where the clip cannot be laid on it
    terrain.value = null;
  },
);

/** Keep the ground what is set, around the paths; returns what ends it. */
export function followGround(): () => void {
  let asked = "";
  const end = effect(() => {
    const text = groundAsked.value;
    const own = opened.value?.own.points;
    const query = text === null || !own ? "" : String(new URLSearchParams({ text, ...gridAround([...own, ...line.value.map(([x, , z]) => [x!, z!])]) }));
    if (query === asked) return;
    asked = query;
    untracked(() => {
      if (query) return asking.request(query);
      asking.cancel();
      terrain.value = null;
    });
  });
  return () => {
    end();
    asking.cancel();
    terrain.value = null;
  };
}

/** How high the ground is at a place of the floor, in metres. */
export function heightAt(x: number, z: number): number {
  return terrain.value ? heightOn(terrain.value, x, z) : 0;
}

/** A grid that covers places [x, z] and some metres around them, as the words of a request. */
export function gridAround(places: readonly (readonly number[])[]): Record<"x0" | "z0" | "step" | "rows" | "columns", string> {
  let [left, right, near, far] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, z] of places) {
    [left, right] = [Math.min(left, x!), Math.max(right, x!)];
    [near, far] = [Math.min(near, z!), Math.max(far, z!)];
  }
  // whole metres, so that the ground does not creep while a point is dragged
  [left, near] = [Math.floor(left - AROUND), Math.floor(near - AROUND)];
  [right, far] = [Math.ceil(right + AROUND), Math.ceil(far + AROUND)];
  const step = Math.max(FINEST, Math.max(right - left, far - near) / CELLS);
  const columns = Math.ceil((right - left) / step) + 1;
  const rows = Math.ceil((far - near) / step) + 1;
  return { x0: `${left}`, z0: `${near}`, step: `${step}`, rows: `${rows}`, columns: `${columns}` };
}

/** A strip along points [x, y, z], so many metres wide and level across: vertices and triangles. */
export function strip(points: readonly (readonly number[])[], width: number): { vertices: Float32Array; faces: Uint32Array } {
  const vertices = new Float32Array(points.length * 6);
  const faces = new Uint32Array(Math.max(points.length - 1, 0) * 6);
  points.forEach(([x, y, z], i) => {
    const [before, after] = [points[Math.max(i - 1, 0)]!, points[Math.min(i + 1, points.length - 1)]!];
    const [dx, dz] = [after[0]! - before[0]!, after[2]! - before[2]!];
    const scale = width / 2 / Math.max(Math.hypot(dx, dz), 1e-9);
    vertices.set([x! + dz * scale, y!, z! - dx * scale, x! - dz * scale, y!, z! + dx * scale], 6 * i);
    if (i > 0) faces.set([2 * i - 2, 2 * i - 1, 2 * i, 2 * i, 2 * i - 1, 2 * i + 1], 6 * (i - 1));
  });
  return { vertices, faces };
}

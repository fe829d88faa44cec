/** When a place on the floor is to be reached that somebody has clicked at. */

import { APART, inOrder, neat, type Key, type Scene } from "./scene";

/** Metres from the way within which a click means the way: it is to bend there. */
const NEAR = 0.9;
/** Seconds after the last key at least, and m/s where nothing tells how fast people are. */
const [SOON, USUAL] = [1, 1.2];
/** Seconds between a new key and its neighbours on the way. */
const ROOM = 0.5;

/** The way somebody goes now: x and z of every frame, and frames a second. */
export interface Way {
  readonly track: ArrayLike<number>;
  readonly fps: number;
}

/** How fast somebody goes on a way, on average while they go. */
export function speedOf({ track, fps }: Way): number {
  let metres = 0;
  let frames = 0;
  for (let i = 2; i + 1 < track.length; i += 2) {
    const step = Math.hypot(track[i]! - track[i - 2]!, track[i + 1]! - track[i - 1]!);
    if (step * fps < 0.3) continue;
    metres += step;
    frames += 1;
  }
  return frames ? (metres / frames) * fps : USUAL;
}

/** The moment at which a way passes a place, as near as it comes, and how near: metres. */
export function passing({ track, fps }: Way, at: readonly [number, number]): { time: number; distance: number } {
  let best = { time: 0, distance: Infinity };
  for (let i = 0; i + 1 < track.length; i += 2) {
    const distance = Math.hypot(track[i]! - at[0], track[i + 1]! - at[1]);
    if (distance < best.distance) best = { time: i / 2 / fps, distance };
  }
  return best;
}

/** Where a way is at a time. */
export function placeAt({ track, fps }: Way, time: number): [number, number] {
  const frame = Math.max(0, Math.min(Math.round(time * fps), track.length / 2 - 1));
  return [neat(track[2 * frame] ?? 0), neat(track[2 * frame + 1] ?? 0)];
}

/**
 * The time of a key at a place that was clicked. On the way, or next to it, the time at which somebody passes there: the way is bent. Elsewhere
 * after the last key, as late as it takes to go there.
 */
export function timeFor(scene: Scene, at: readonly [number, number], way: Way | null): number {
  const timed = scene.key.filter((key) => key.time !== null);
  if (way && way.track.length > 2) {
    const found = passing(way, at);
    const free = timed.every((key) => Math.abs(key.time! - found.time) >= ROOM);
    const inner = timed.length > 0 && found.time < timed.at(-1)!.time!;
    if (found.distance < NEAR && inner && free) return neat(found.time);
  }
  const end = timed.at(-1);
  if (!end) return Math.min(1, scene.seconds / 2);
  const distance = Math.hypot(at[0] - end.at[0], at[1] - end.at[1]);
  // going round a bend takes longer than straight ahead
  return neat(end.time! + Math.max(SOON, (1.12 * distance) / (way ? speedOf(way) : USUAL)), 1);
}

/** The scene with a key there; it lasts longer where it has to. */
export function withPlace(scene: Scene, key: Key): Scene {
  const seconds = key.time !== null && key.time > scene.seconds - APART ? Math.ceil(key.time + 1) : scene.seconds;
  if (seconds === scene.seconds) return { ...scene, key: inOrder([...scene.key, key]) };
  // what lasted to the end still does
  const stretched = <T extends { readonly to: number }>(list: readonly T[]): T[] =>
    list.map((one) => (one.to >= scene.seconds - 1e-6 ? { ...one, to: seconds } : one));
  return { ...scene, seconds, key: inOrder([...scene.key, key]), label: stretched(scene.label) };
}

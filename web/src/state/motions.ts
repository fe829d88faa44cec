/** Motions and bodies that were fetched, kept for as long as there is room. */
import { getPack } from "../api/client";
import type { BodyPack, MotionFacts, ResultPack } from "../api/types";
import { Motion } from "../motion/motion";
import { Body } from "../stage/body";
import { clips, server } from "./store";

const MOST_MOTIONS = 48;
const motions = new Map<string, Promise<Motion>>();
const bodies = new Map<string, Promise<Body>>();

function cached<T>(cache: Map<string, Promise<T>>, key: string, most: number, make: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known) {
    // used again: the last to go
    cache.delete(key);
    cache.set(key, known);
    return known;
  }
  const made = make();
  cache.set(key, made);
  // what failed may be asked for again
  made.catch(() => cache.delete(key));
  for (const old of cache.keys()) {
    if (cache.size <= most) break;
    cache.delete(old);
  }
  return made;
}

/** Where a motion comes from: the address of its clip or result, and what tells versions of it apart. */
export interface MotionAddress {
  readonly url: string;
  readonly key: string;
}

const addresses = new WeakMap<Motion, MotionAddress>();

/** Say where a motion comes from that was not fetched here: that of somebody who is made of a graph's clips as they move. */
export function madeOf(motion: Motion, graph: string): Motion {
  addresses.set(motion, { url: `/api/graphs/${graph}`, key: `graph ${graph}` });
  return motion;
}

/** The clip or result that a motion is of; null where it is of neither. */
export function addressOf(motion: Motion): MotionAddress | null {
  const id = (motion.pack.facts as Partial<ResultPack>).result?.id;
  return id ? { url: `/api/results/${id}`, key: `result ${id}` } : (addresses.get(motion) ?? null);
}

/** Any motion by its address; key tells versions of it apart. */
export function motionAt(url: string, key: string = url): Promise<Motion> {
  return cached(motions, key, MOST_MOTIONS, async () => {
    const motion = Motion.of(await getPack<MotionFacts>(url));
    if (url.endsWith("/motion")) addresses.set(motion, { url: url.slice(0, -"/motion".length), key });
    return motion;
  });
}

/** The motion of a clip, fetched anew when its file has changed. */
export function clipMotion(id: string): Promise<Motion> {
  const known = clips.value.find((clip) => clip.id === id);
  return motionAt(`/api/clips/${id}/motion`, `clip ${id} ${known?.modified ?? ""} ${known?.size ?? ""}`);
}

/** The motion of a result. */
export function resultMotion(id: string): Promise<Motion> {
  const kept = server.value?.results.find((result) => result.id === id);
  return motionAt(`/api/results/${id}/motion`, `result ${id} ${kept?.modified ?? ""} ${kept?.size ?? ""}`);
}

/** A body by its id, fetched from url where it is not known yet. */
export function body(id: string, url: string): Promise<Body> {
  return cached(bodies, id, 16, async () => Body.of(await getPack<BodyPack>(url)));
}

/** The body of a clip's motion. */
export const clipBody = (id: string, motion: Motion): Promise<Body> => body(motion.body, `/api/clips/${id}/body`);
/** The body of a result's motion. */
export const resultBody = (id: string, motion: Motion): Promise<Body> => body(motion.body, `/api/results/${id}/body`);

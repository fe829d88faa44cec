/** Motions and bodies that were fetched, kept for as long as there is room. */
import { getPack } from "../api/client";
import type { BodyPack, MotionFacts } from "../api/types";
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

/** Any motion by its address; key tells versions of it apart. */
export function motionAt(url: string, key: string = url): Promise<Motion> {
  return cached(motions, key, MOST_MOTIONS, async () => Motion.of(await getPack<MotionFacts>(url)));
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

/** Which entries of a scene a sentence of the library is about, and by how much keys are missed. */

import type { Chosen, Kind, Scene } from "./scene";

const KINDS: readonly Kind[] = ["label", "key", "wait", "pose", "strike", "clip", "path", "obstacle"];

/** The entries that a sentence names, the first of which is the one that it is about: "key 2 (at 6 s) is 12.3 m from key 1". */
export function named(sentence: string, scene: Scene): Chosen[] {
  const found: Chosen[] = [];
  const add = (kind: string, number: string): void => {
    const id = scene[kind as Kind][Number(number) - 1]?.id;
    if (id !== undefined && !found.some((one) => one.kind === kind && one.id === id)) found.push({ kind: kind as Kind, id });
  };
  const pattern = new RegExp(`\\b(${KINDS.join("|")})s? (\\d+)(?: and (\\d+))?`, "g");
  for (const match of sentence.matchAll(pattern)) {
    add(match[1]!, match[2]!);
    if (match[3]) add(match[1]!, match[3]);
  }
  return found;
}

/** By how much a key is missed. time: when it is met, which tells where the scene leaves that open. */
export interface Miss {
  readonly time: number;
  readonly place: number;
  readonly heading: number | null;
  readonly late: number;
  readonly met: boolean;
}

/** Centimetres and degrees up to which a key counts as met: those of `kinegraph direct`. */
export const [MOST_CM, MOST_DEG] = [2, 5];

/** The misses of a result, one for each key in their order. */
export function misses(quality: Readonly<Record<string, unknown>> | null | undefined): Miss[] {
  const list = quality?.["keys"];
  if (!Array.isArray(list)) return [];
  return list.map((one: Record<string, unknown>) => {
    const number = (name: string): number => (typeof one[name] === "number" ? (one[name] as number) : NaN);
    const heading = typeof one["heading_deg"] === "number" ? (one["heading_deg"] as number) : null;
    const place = number("place_cm");
    return { time: number("time"), place, heading, late: number("time_s"), met: place <= MOST_CM && (heading === null || heading <= MOST_DEG) };
  });
}

/** How near a strike comes to its target. */
export interface Hit {
  readonly cm: number;
  /** whether it is struck at all */
  readonly struck: boolean;
  readonly met: boolean;
}

/** Centimetres up to which a target counts as hit. */
const MOST_HIT = 1;

/** The hits of a result, one for each strike in their order. */
export function hits(quality: Readonly<Record<string, unknown>> | null | undefined): Hit[] {
  const list = quality?.["strikes"];
  if (!Array.isArray(list)) return [];
  return list.map((one: Record<string, unknown>) => {
    const cm = typeof one["miss_cm"] === "number" ? one["miss_cm"] : NaN;
    const struck = one["struck"] !== false;
    return { cm, struck, met: struck && cm <= MOST_HIT };
  });
}

/** A hit as a sentence. */
export function toldHit(hit: Hit, number: number): string {
  if (!hit.struck) return `Strike ${number} is not struck: give it more time, or put it where somebody comes by.`;
  return hit.met ? `Strike ${number} hits to ${(10 * hit.cm).toFixed(1)} mm.` : `Strike ${number} misses by ${hit.cm.toFixed(1)} cm.`;
}

/** A miss in few signs: 0.4 cm, 1.2°. */
export function short(miss: Miss): string {
  const degrees = miss.heading === null ? "" : `, ${miss.heading.toFixed(miss.heading < 10 ? 1 : 0)}°`;
  return `${miss.place.toFixed(miss.place < 10 ? 1 : 0)} cm${degrees}`;
}

/** The same as a sentence. */
export function told(miss: Miss, number: number): string {
  const heading = miss.heading === null ? "" : ` and ${miss.heading.toFixed(1)}°`;
  const late = miss.late > 0.02 ? `, ${miss.late.toFixed(2)} s off its time` : "";
  if (miss.met) return `Key ${number} is met to ${miss.place.toFixed(1)} cm${heading}${late}.`;
  return `Key ${number} is missed by ${miss.place.toFixed(0)} cm${heading}${late}: give it more time, move it nearer, or make it soft.`;
}

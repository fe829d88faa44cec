/** A scene as it is edited: the tables of its file, each entry with an id of its own. Every edit gives another scene. */

import type { SceneJSON } from "../../api/types";

export interface Label {
  readonly id: number;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly not: boolean;
  /** it is as good as what other labels ask for then */
  readonly may: boolean;
  readonly weight: number | null;
}

/** time: null for within the window, or, without one, whenever it suits. heading: degrees, 0 is +z, 90 is +x. */
export interface Key {
  readonly id: number;
  readonly time: number | null;
  readonly at: readonly [number, number];
  readonly heading: number | null;
  readonly window: readonly [number, number] | null;
  readonly hard: boolean;
  readonly weight: number | null;
}

export interface Wait {
  readonly id: number;
  readonly from: number;
  readonly to: number;
  readonly weight: number | null;
}

export interface PoseKey {
  readonly id: number;
  readonly clip: string;
  readonly frame: number;
  readonly time: number;
  readonly weight: number | null;
}

/** At a time a hand or foot hits a place of the world. by: a space of the graph's own file, null for the only one. */
export interface StrikeKey {
  readonly id: number;
  readonly time: number;
  readonly target: readonly [number, number, number];
  readonly by: string | null;
}

/** A clip that is played from one time to another. */
export interface Pin {
  readonly id: number;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly weight: number | null;
}

/** A path that is followed from one time to another: a shape by its name, or points. */
export interface Along {
  readonly id: number;
  readonly shape: string | null;
  readonly points: readonly (readonly [number, number])[] | null;
  readonly from: number;
  readonly to: number;
  readonly hard: boolean;
  readonly weight: number | null;
}

export interface Obstacle {
  readonly id: number;
  readonly disc: readonly [number, number, number] | null;
  readonly box: readonly [number, number, number, number] | null;
}

export interface Scene {
  readonly name: string;
  readonly seconds: number;
  readonly speed: number | null;
  readonly clearance: number | null;
  readonly label: readonly Label[];
  readonly key: readonly Key[];
  readonly wait: readonly Wait[];
  readonly pose: readonly PoseKey[];
  readonly strike: readonly StrikeKey[];
  readonly clip: readonly Pin[];
  readonly path: readonly Along[];
  readonly obstacle: readonly Obstacle[];
  /** clips, and transitions, that are not used */
  readonly without: readonly string[];
  readonly vetoed: readonly string[];
  /** whether the end is the beginning */
  readonly loop: boolean;
  /** what it happens on, such as hill:2,10; null for a flat floor */
  readonly ground: string | null;
}

/** What a scene has several of. */
export interface Tables {
  label: Label;
  key: Key;
  wait: Wait;
  pose: PoseKey;
  strike: StrikeKey;
  clip: Pin;
  path: Along;
  obstacle: Obstacle;
}
export type Kind = keyof Tables;
/** One entry of a scene. */
export interface Chosen {
  readonly kind: Kind;
  readonly id: number;
}

export const EMPTY: Scene = {
  name: "", seconds: 12, speed: null, clearance: null, loop: false, ground: null, label: [], key: [], wait: [], pose: [], strike: [], clip: [], path: [], obstacle: [], without: [],
  vetoed: [],
}; // prettier-ignore

/** Seconds that a painted interval lasts at least: less is a slip of the hand. */
export const BRIEF = 0.2;
/** Seconds that two keys lie apart at least. */
export const APART = 0.1;

let last = 0;
/** A new id. */
export const another = (): number => ++last;

/** A number as people write it: no more digits than a hundredth of a frame or a tenth of a millimetre needs. */
export function neat(value: number, digits = 2): number {
  const rounded = Number(value.toFixed(digits));
  return rounded === 0 ? 0 : rounded;
}

/** Degrees from −180, which is left out, to 180. */
export function degrees(angle: number): number {
  const turned = ((((angle + 180) % 360) + 360) % 360) - 180;
  return turned === -180 ? 180 : turned;
}

/** When an entry begins, for those that have a place on the timeline. */
export function timeOf(key: Key): number | null {
  return key.time ?? (key.window ? (key.window[0] + key.window[1]) / 2 : null);
}

/** Keys by their times; those that may be met whenever it suits stay behind the key before them. */
export function inOrder(keys: readonly Key[]): readonly Key[] {
  let before = 0;
  const placed = keys.map((key, index) => ({ key, index, at: (before = timeOf(key) ?? before) }));
  const sorted = placed.sort((one, other) => one.at - other.at || one.index - other.index).map(({ key }) => key);
  return sorted.every((key, index) => key === keys[index]) ? keys : sorted;
}

/** The entry that is meant; undefined where it is gone. */
export function entryOf<K extends Kind>(scene: Scene, kind: K, id: number): Tables[K] | undefined {
  return (scene[kind] as readonly Tables[Kind][]).find((one) => one.id === id) as Tables[K] | undefined;
}

/** Whether two entries say the same, whatever they are called here. */
export function same(one: Tables[Kind] | undefined, other: Tables[Kind] | undefined): boolean {
  return one === other || (!!one && !!other && JSON.stringify({ ...one, id: 0 }) === JSON.stringify({ ...other, id: 0 }));
}

/** The number of an entry, as the library counts: from 1. */
export function numberOf(scene: Scene, kind: Kind, id: number): number {
  return scene[kind].findIndex((one) => one.id === id) + 1;
}

/** The scene with one entry changed. */
export function changed<K extends Kind>(scene: Scene, kind: K, id: number, part: Partial<Omit<Tables[K], "id">>): Scene {
  const list = (scene[kind] as readonly Tables[K][]).map((one) => (one.id === id ? { ...one, ...part } : one));
  return { ...scene, [kind]: ordered(kind, list) };
}

/** A table in the order that files have it in: keys and strikes by their times. */
function ordered(kind: Kind, list: readonly Tables[Kind][]): readonly Tables[Kind][] {
  if (kind === "key") return inOrder(list as readonly Key[]);
  return kind === "strike" ? [...(list as readonly StrikeKey[])].sort((one, other) => one.time - other.time) : list;
}

/** The scene with one entry more. */
export function withEntry<K extends Kind>(scene: Scene, kind: K, entry: Tables[K]): Scene {
  return { ...scene, [kind]: ordered(kind, [...(scene[kind] as readonly Tables[Kind][]), entry]) };
}

/** The scene without an entry. */
export function withoutEntry(scene: Scene, kind: Kind, id: number): Scene {
  return { ...scene, [kind]: scene[kind].filter((one) => one.id !== id) };
}

/** The scene with its keys at another time: a key that is dragged over its neighbour passes it. */
export function retimed(scene: Scene, id: number, time: number): Scene {
  const key = entryOf(scene, "key", id);
  if (!key) return scene;
  if (key.time === null && key.window) {
    const by = time - timeOf(key)!;
    return changed(scene, "key", id, { window: [neat(key.window[0] + by), neat(key.window[1] + by)] });
  }
  return changed(scene, "key", id, { time });
}

/**
 * Paint an interval with a label, or, with null, wipe it: what was there of the same kind (asked for, not forbidden) gives way.
 * Several labels at once are said by one name, such as walk+happy, so intervals do not overlap.
 */
export function painted(labels: readonly Label[], from: number, to: number, name: string | null): readonly Label[] {
  if (to - from < BRIEF) return labels;
  const rest = labels.flatMap((one) => (one.not || one.may ? [one] : cut(one, from, to)));
  if (name === null) return rest;
  let whole: Label = { id: another(), name, from, to, not: false, may: false, weight: null };
  const apart: Label[] = [];
  for (const one of rest) {
    const touches = !one.not && !one.may && one.name === name && one.weight === null && one.from <= whole.to + 1e-9 && one.to >= whole.from - 1e-9;
    if (touches) whole = { ...whole, id: one.id, from: Math.min(one.from, whole.from), to: Math.max(one.to, whole.to) };
    else apart.push(one);
  }
  return [...apart, whole].sort((one, other) => one.from - other.from);
}

/** What an interval leaves of another: nothing, one piece or two. */
function cut<T extends { readonly id: number; readonly from: number; readonly to: number }>(one: T, from: number, to: number): T[] {
  if (one.to <= from || one.from >= to) return [one];
  const left = from - one.from >= BRIEF ? [{ ...one, to: from }] : [];
  const right = one.to - to >= BRIEF ? [{ ...one, id: left.length ? another() : one.id, from: to }] : [];
  return [...left, ...right];
}

/** Add a wait; those that it touches become one with it. */
export function waiting(waits: readonly Wait[], from: number, to: number): readonly Wait[] {
  if (to - from < BRIEF) return waits;
  let whole: Wait = { id: another(), from, to, weight: null };
  const apart: Wait[] = [];
  for (const one of waits) {
    if (one.from <= whole.to && one.to >= whole.from) whole = { ...one, from: Math.min(one.from, whole.from), to: Math.max(one.to, whole.to) };
    else apart.push(one);
  }
  return [...apart, whole].sort((one, other) => one.from - other.from);
}

/** A scene as the server takes it: what is as usual is not said. */
export function sent(scene: Scene): SceneJSON {
  const weight = (one: { readonly weight: number | null }) => (one.weight === null ? {} : { weight: one.weight });
  return {
    ...(scene.name ? { name: scene.name } : {}),
    seconds: scene.seconds,
    ...(scene.speed === null ? {} : { speed: scene.speed }),
    ...(scene.clearance === null ? {} : { clearance: scene.clearance }),
    ...some("label", scene.label.map((one) => ({ name: one.name, from: one.from, to: one.to, ...(one.not ? { not: true } : {}), ...(one.may ? { may: true } : {}), ...weight(one) }))),
    ...some("key", scene.key.map((one) => ({
      ...(one.time === null ? {} : { time: one.time }),
      ...(one.window === null ? {} : { window: one.window }),
      at: one.at,
      ...(one.heading === null ? {} : { heading: one.heading }),
      ...(one.hard ? {} : { hard: false }),
      ...weight(one),
    }))),
    ...some("wait", scene.wait.map((one) => ({ from: one.from, to: one.to, ...weight(one) }))),
    ...some("pose", scene.pose.map((one) => ({ clip: one.clip, frame: one.frame, time: one.time, ...weight(one) }))),
    ...some("strike", scene.strike.map((one) => ({ time: one.time, target: one.target, ...(one.by === null ? {} : { by: one.by }) }))),
    ...some("clip", scene.clip.map((one) => ({ name: one.name, from: one.from, to: one.to, ...weight(one) }))),
    ...some("path", scene.path.map((one) => ({ ...(one.shape === null ? { points: one.points } : { shape: one.shape }), from: one.from, to: one.to, ...(one.hard ? {} : { hard: false }), ...weight(one) }))),
    ...(scene.loop ? { loop: true } : {}),
    ...(scene.ground === null ? {} : { ground: scene.ground }),
    ...some("obstacle", scene.obstacle.map(({ disc, box }) => (disc ? { disc } : { box }))),
    ...(scene.without.length || scene.vetoed.length ? { without: { ...some("clips", scene.without), ...some("transitions", scene.vetoed) } } : {}),
  } as SceneJSON; // prettier-ignore
}

function some<T>(name: string, list: readonly T[]): Record<string, readonly T[]> {
  return list.length ? { [name]: list } : {};
}

/** A scene to be edited, from what the server has. */
export function loaded(given: SceneJSON): Scene {
  const { seconds } = given;
  return {
    name: given.name ?? "",
    seconds,
    speed: given.speed ?? null,
    clearance: given.clearance ?? null,
    label: (given.label ?? []).map((one) => ({ id: another(), name: one.name, from: one.from ?? 0, to: one.to ?? seconds, not: one.not ?? false, may: one.may ?? false, weight: one.weight ?? null })),
    key: inOrder((given.key ?? []).map((one) => ({
      id: another(), time: one.time ?? null, at: one.at, heading: one.heading ?? null, window: one.window ?? null, hard: one.hard ?? true, weight: one.weight ?? null,
    }))),
    wait: (given.wait ?? []).map((one) => ({ id: another(), from: one.from ?? 0, to: one.to ?? seconds, weight: one.weight ?? null })),
    pose: (given.pose ?? []).map((one) => ({ id: another(), clip: one.clip, frame: one.frame, time: one.time, weight: one.weight ?? null })),
    strike: (given.strike ?? []).map((one) => ({ id: another(), time: one.time, target: one.target, by: one.by ?? null })),
    clip: (given.clip ?? []).map((one) => ({ id: another(), name: one.name, from: one.from ?? 0, to: one.to ?? seconds, weight: one.weight ?? null })),
    path: (given.path ?? []).map((one) => ({ id: another(), shape: one.shape ?? null, points: one.points ?? null, from: one.from ?? 0, to: one.to ?? seconds, hard: one.hard ?? true, weight: one.weight ?? null })),
    loop: given.loop ?? false,
    ground: given.ground ?? null,
    obstacle: (given.obstacle ?? []).map((one) => ({ id: another(), disc: one.disc ?? null, box: one.box ?? null })),
    without: given.without?.clips ?? [],
    vetoed: given.without?.transitions ?? [],
  }; // prettier-ignore
}

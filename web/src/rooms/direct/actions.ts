/** What hands, buttons and keys do to the scene. */

import { batch } from "@preact/signals";
import * as playback from "../../state/playback";
import { answer, labels, brush, chosen, clipNames, dragging, edit, graphDetail, history, painting, refused, scene, spaces, stretch, stretching, way } from "./state";
import { about, within } from "./stretch";
import { placeAt, timeFor, withPlace } from "./placing";
import { another, changed, entryOf, neat, numberOf, painted, retimed, same, waiting, withEntry, withoutEntry, type Chosen, type Key, type Kind, type Scene, type Tables } from "./scene";
import type { TrackPhase } from "../../timeline/track";

/** Metres ahead of somebody, and above the floor, of a target that is not placed yet. */
const [AHEAD, CHEST] = [0.65, 1.3];

/** How far an edit is: under the hand, done, or one of several by keys. */
export type How = "drag" | "end" | "key";

/** Show an edit, and make it a step where it is done. */
export function put(next: Scene, how: How): void {
  batch(() => {
    dragging.value = how === "drag";
    if (how === "drag") history.preview(next);
    else if (how === "key") history.nudge(next);
    else edit(next);
  });
}

export const howOf = (phase: TrackPhase): How => (phase === "key" ? "key" : phase === "end" ? "end" : "drag");

/** Choose an entry, or none. */
export function choose(kind: Kind, id: number): void {
  const now = chosen.peek();
  if (now?.kind !== kind || now.id !== id) chosen.value = { kind, id };
}

/** Change an entry by a field or a handle. */
export function change<K extends Kind>(kind: K, id: number, part: Partial<Omit<Tables[K], "id">>, how: How = "end"): void {
  const next = changed(scene.value, kind, id, part);
  // a key at the end of its way, or a field that says what it said
  if (how === "key" && same(entryOf(next, kind, id), entryOf(scene.value, kind, id))) return;
  put(next, how);
}

/** A key at another time. */
export function retime(id: number, time: number, how: How): void {
  const next = retimed(scene.value, id, time);
  if (how === "key" && same(entryOf(next, "key", id), entryOf(scene.value, "key", id))) return;
  put(next, how);
}

/** Take an entry away; its neighbour is chosen then, so that keys go on. */
export function remove({ kind, id }: Chosen): void {
  const list = scene.value[kind];
  const index = numberOf(scene.value, kind, id) - 1;
  const next = list[index + 1] ?? list[index - 1];
  batch(() => {
    edit(withoutEntry(scene.value, kind, id));
    chosen.value = next ? { kind, id: next.id } : null;
  });
}

const keyAt = (at: readonly [number, number], time: number): Key => ({ id: another(), time, at, heading: null, window: null, hard: true, weight: null });

/** A key at a place of the floor, at a time that suits it. */
export function addPlace(x: number, z: number): void {
  const at: [number, number] = [neat(x), neat(z)];
  addKey(keyAt(at, timeFor(scene.value, at, way.value)));
}

/** A key at a time, where somebody is then. */
export function addMoment(time: number): void {
  const here = way.value ? placeAt(way.value, time) : ([0, 0] as [number, number]);
  addKey(keyAt(here, neat(time, 3)));
}

function addKey(key: Key): void {
  batch(() => {
    edit(withPlace(scene.value, key));
    chosen.value = { kind: "key", id: key.id };
  });
}

/** The label that is painted: the chosen one, as far as the graph has it; "" wipes. */
export function paintLabel(): string {
  return brush.value === "" || labels.value.includes(brush.value) ? brush.value : (labels.value[0] ?? "");
}

/** Paint a stretch of time with a label, or with a wait; last: the hand has let go. */
export function paint(kind: "label" | "wait", span: { from: number; to: number } | null, last: boolean): void {
  if (!last || !span) {
    painting.value = span && { kind, ...span };
    return;
  }
  const now = scene.value;
  const next: Scene = kind === "wait" ? { ...now, wait: waiting(now.wait, span.from, span.to) } : { ...now, label: painted(now.label, span.from, span.to, paintLabel() || null) };
  const list = next[kind];
  const made = list.find((one) => one.from <= span.from + 1e-9 && one.to >= span.to - 1e-9 && !now[kind].includes(one as never));
  batch(() => {
    painting.value = null;
    if (list !== now[kind]) edit(next);
    if (made) chosen.value = { kind, id: made.id };
  });
}

/** Choose the stretch that is to be made anew; last: the hand has let go. */
export function choosePart(span: { from: number; to: number } | null, last: boolean): void {
  batch(() => {
    refused.value = null;
    stretching.value = !last;
    stretch.value = span && within(span, scene.value.seconds);
  });
}

/** Choose a stretch at the playhead, without a mouse. */
export function choosePartHere(): void {
  choosePart(about(playback.time.value, scene.value.seconds), true);
}

/** A label, a wait or a pose at the playhead, without a mouse. */
export function addHere(kind: "label" | "wait" | "pose"): void {
  const end = scene.value.seconds;
  const from = Math.min(neat(playback.time.value, 2), Math.max(end - 1, 0));
  if (kind !== "pose") return paint(kind, { from, to: Math.min(from + 2, end) }, true);
  addPose(from);
}

/** A pose at a time: the frame of the clip that is shown then, else the middle of the first clip. */
export function addPose(time: number): void {
  const shown = shownAt(time);
  const first = graphDetail.value?.clips[0];
  if (!shown && !first) return;
  const pose = { id: another(), ...(shown ?? { clip: first!.name, frame: Math.floor(first!.frames / 2) }), time: neat(time, 3), weight: null };
  batch(() => {
    edit(withEntry(scene.value, "pose", pose));
    chosen.value = { kind: "pose", id: pose.id };
  });
}

/** A strike at a time: at what is an arm's length ahead of somebody then, as high as a chest. */
export function addStrike(time: number): void {
  const now = answer.value;
  const at = now ? Math.round(time * now.motion.fps) : 0;
  const [x, , z] = now?.motion.root(at) ?? [0, 0, 0];
  const facing = now?.motion.heading(at) ?? 0;
  const target = [neat(x + AHEAD * Math.sin(facing)), CHEST, neat(z + AHEAD * Math.cos(facing))] as const;
  const strike = { id: another(), time: neat(time, 3), target, by: spaces.value.length > 1 ? spaces.value[0]! : null };
  batch(() => {
    edit(withEntry(scene.value, "strike", strike));
    chosen.value = { kind: "strike", id: strike.id };
  });
}

/** Which frame of which clip is shown at a time. */
function shownAt(time: number): { clip: string; frame: number } | null {
  const now = answer.value;
  const { clip: clips, frame: frames } = now?.pack.arrays ?? {};
  if (!now || !clips || !frames) return null;
  const at = Math.min(Math.round(time * now.motion.fps), frames.length - 1);
  const name = now.facts.clips[clips[at]!];
  return name !== undefined && clipNames.value.includes(name) ? { clip: name, frame: frames[at]! } : null;
}

/** Move the chosen key over the floor by so many metres. */
export function nudge(x: number, z: number): void {
  const now = chosen.value;
  const key = now?.kind === "key" ? entryOf(scene.value, "key", now.id) : undefined;
  if (key) change("key", key.id, { at: [neat(key.at[0] + x), neat(key.at[1] + z)] }, "key");
}

/** Choose the entry so many further on, among all that have a time. */
export function chooseNext(by: number): void {
  const { key, label, wait, pose, strike } = scene.value;
  const all = [
    ...key.map((one) => ({ kind: "key" as const, id: one.id, at: one.time ?? one.window?.[0] ?? 0 })),
    ...label.map((one) => ({ kind: "label" as const, id: one.id, at: one.from })),
    ...wait.map((one) => ({ kind: "wait" as const, id: one.id, at: one.from })),
    ...pose.map((one) => ({ kind: "pose" as const, id: one.id, at: one.time })),
    ...strike.map((one) => ({ kind: "strike" as const, id: one.id, at: one.time })),
  ].sort((one, other) => one.at - other.at);
  if (!all.length) return;
  const now = all.findIndex((one) => one.kind === chosen.value?.kind && one.id === chosen.value.id);
  const next = all[now < 0 ? (by > 0 ? 0 : all.length - 1) : (now + by + all.length) % all.length]!;
  chosen.value = { kind: next.kind, id: next.id };
}

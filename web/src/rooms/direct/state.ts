/** What is set in the room, and what came of it. */

import { batch, computed, effect, signal } from "@preact/signals";
import { floats, type Pack } from "../../api/pack";
import type { DirectRequest, Entry, GraphDetail, ResultFacts, ResultPack, SceneJSON } from "../../api/types";
import type { Motion } from "../../motion/motion";
import { History } from "../../state/history";
import { persisted, selection, server } from "../../state/store";
import { hits, misses, named } from "./blame";
import type { Way } from "./placing";
import { wishes, type Anew, type Stretch } from "./stretch";
import { EMPTY, entryOf, loaded, same, sent, type Chosen, type Kind, type Scene } from "./scene";

export type Tool = "place" | "disc" | "box" | "look";

export interface Layers {
  readonly ghosts: boolean;
  readonly way: boolean;
  readonly feet: boolean;
}

/** A question to the server: where, and what. */
export interface Question {
  readonly url: string;
  readonly body: DirectRequest;
}

/** What the server answered, with the motion of it. scene: as it was then, whose keys have ids. */
export interface Answer {
  readonly question: Question;
  readonly scene: Scene;
  readonly facts: ResultFacts;
  readonly pack: Pack<ResultPack>;
  readonly motion: Motion;
}

/** Why there is no answer. scene: as it was then. */
export interface Trouble {
  readonly sentence: string;
  readonly status: number;
  readonly scene: Scene;
}

/** A stretch that was made anew. whole: of what, see `wholeOf`. */
export interface Part extends Anew {
  readonly whole: string;
}

const isRecord = (value: unknown): boolean => typeof value === "object" && value !== null;
const oneOf = (...names: string[]) => (value: unknown) => names.includes(value as string);

export const tool = persisted<Tool>("direct.tool", "place", oneOf("place", "disc", "box", "look"));
export const layers = persisted<Layers>("direct.layers", { ghosts: true, way: true, feet: false }, isRecord);
/** the label that is painted; "" wipes */
export const brush = persisted<string>("direct.brush", "walk", (value) => typeof value === "string");
/** another gives another motion of the same scene */
export const seed = persisted<number>("direct.seed", 0, (value) => Number.isInteger(value) && (value as number) >= 0);

/** graphs that can be used, and the one that is: the chosen one, else the first */
export const graphs = computed(() => (server.value?.graphs ?? []).filter((graph) => graph.error === null && graph.clips !== 0));
export const graph = computed(() => graphs.value.find((one) => one.id === selection.value.graph) ?? graphs.value[0] ?? null);
export const graphVersion = computed(() => (graph.value ? `${graph.value.id} ${graph.value.modified} ${graph.value.size}` : ""));
export const graphDetail = signal<GraphDetail | null>(null);
export const labels = computed(() => graphDetail.value?.labels ?? []);
export const clipNames = computed(() => (graphDetail.value?.clips ?? []).map((clip) => clip.name));
export const rate = computed(() => graphDetail.value?.fps ?? 30);

/** The scene, and how it became what it is. */
export const history = new History<Scene>(EMPTY);
export const scene = history.value;
/** the graph that the scene is for; "" until there is one */
export const sceneOf = signal("");
/** the entry that keys move and the panel shows */
export const chosen = signal<Chosen | null>(null);
/** whether something is being dragged: answers are then wanted as it goes */
export const dragging = signal(false);
/** what is being painted on a track */
export const painting = signal<{ readonly kind: "label" | "wait"; readonly from: number; readonly to: number } | null>(null);
/** the stretch of time that is chosen to be made anew */
export const stretch = signal<Stretch | null>(null);
/** whether the hand is still choosing it */
export const stretching = signal(false);
/** why the chosen stretch was not made: the library's sentence */
export const refused = signal<string | null>(null);
/** the stretch that was made anew, and of which question about all of the scene: of any other it is forgotten */
export const made = persisted<Part | null>("direct.anew", null, (value) => value === null || typeof (value as Part).whole === "string");
/** an obstacle that is being drawn */
export const drawing = signal<{ readonly tool: "disc" | "box"; readonly from: readonly [number, number]; readonly to: readonly [number, number] } | null>(null);
/** scenes of the workspace */
export const kept = signal<readonly Entry[]>([]);

export const searching = signal(false);
export const answer = signal<Answer | null>(null);
export const trouble = signal<Trouble | null>(null);
/** counts the scenes that were not made by hand: they may lie outside the picture */
export const placed = signal(0);

/** The scene of a graph, in a variation, as a text that tells it from others. */
export const wholeOf = (id: string): string => JSON.stringify(asking(id, null));

/** The stretch that was made anew, as long as graph, scene and variation are those of which it was. */
export const anew = computed<Anew | null>(() => {
  const [now, id] = [made.value, graph.value?.id];
  return now && id && now.whole === wholeOf(id) ? now : null;
});

/** What is to be asked of the server as things are; null where something is missing. */
export const question = computed<Question | null>(() => {
  const id = graph.value?.id;
  if (!id || sceneOf.value !== id) return null;
  return asking(id, anew.value);
});

/** The scene as it is now, with a stretch that is made anew or without. */
export function asking(id: string, part: Anew | null): Question {
  return { url: `/api/graphs/${id}/direct`, body: { scene: sent(scene.value), ...wishes(seed.value, part) } };
}

/** The way somebody goes now. */
export const way = computed<Way | null>(() => {
  const now = answer.value;
  return now ? { track: floats(now.pack, "track"), fps: now.motion.fps } : null;
});

/** The misses of keys, by their ids; those of a key that has been changed since are left out. */
export const missed = computed(() => {
  const now = answer.value;
  const found = new Map(misses(now?.facts.quality).map((miss, index) => [now!.scene.key[index]?.id ?? -1, miss]));
  for (const key of now?.scene.key ?? []) if (!same(entryOf(scene.value, "key", key.id), key)) found.delete(key.id);
  return found;
});

/** How near strikes come, likewise. */
export const struck = computed(() => {
  const now = answer.value;
  const found = new Map(hits(now?.facts.quality).map((hit, index) => [now!.scene.strike[index]?.id ?? -1, hit]));
  for (const one of now?.scene.strike ?? []) if (!same(entryOf(scene.value, "strike", one.id), one)) found.delete(one.id);
  return found;
});

/** what a scene may say, by the names of its tables: the server's word */
export const words = signal<ReadonlySet<string>>(new Set());
/** spaces that the graph's own file holds: what can be struck by */
export const spaces = computed(() => (words.value.has("strike") ? (server.value?.spaces ?? []) : []).filter((one) => one.id === graph.value?.id).map((one) => one.space));

/** What is wrong with entries, by kind and id: the library's sentence about them. */
export const wrong = computed(() => {
  const now = trouble.value;
  const found = new Map<string, string>();
  const [first] = now ? named(now.sentence, now.scene) : [];
  if (first) found.set(`${first.kind} ${first.id}`, now!.sentence);
  return found;
});
export const wrongOf = (kind: Kind, id: number): string | null => wrong.value.get(`${kind} ${id}`) ?? null;

/** Make an edit a step that can be undone. */
export function edit(next: Scene): void {
  if (next !== scene.peek()) history.commit(next);
}

/** Undo or redo; what is chosen stays so where it is still there. */
export function back(step: "undo" | "redo"): void {
  batch(() => {
    history[step]();
    const now = chosen.value;
    if (now && !entryOf(scene.value, now.kind, now.id)) chosen.value = null;
  });
}

/** Choose no stretch any more; whether one was chosen. */
export function unstretch(): boolean {
  const was = stretch.peek() !== null;
  batch(() => {
    stretch.value = refused.value = null;
    stretching.value = false;
  });
  return was;
}

/** Begin with another scene. asStep: it can be undone. */
export function open(given: SceneJSON, asStep: boolean): void {
  batch(() => {
    chosen.value = null;
    unstretch();
    if (asStep) history.commit(loaded(given));
    else history.reset(loaded(given));
  });
}

const SCENES = "kinegraph.direct.scenes";
/** Scenes that are remembered, one for each graph. */
const MOST = 12;
/** Milliseconds for which a scene must rest before it is remembered. */
const REST = 300;

function remembered(): Record<string, SceneJSON> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(SCENES) ?? "{}");
    return isRecord(found) ? (found as Record<string, SceneJSON>) : {};
  } catch {
    return {}; // storage is refused or holds something else: the page works without
  }
}

/** The scene that was last edited for a graph; null where there is none. */
export function remember(id: string): SceneJSON | null {
  const found = remembered()[id];
  return found && typeof found.seconds === "number" ? found : null;
}

let resting: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const [now, id] = [scene.value, sceneOf.value];
  clearTimeout(resting);
  if (!id) return;
  resting = setTimeout(() => {
    const { [id]: _, ...others } = remembered();
    const rest = Object.entries(others).slice(-(MOST - 1));
    try {
      localStorage.setItem(SCENES, JSON.stringify(Object.fromEntries([...rest, [id, sent(now)]])));
    } catch {
      // storage is full or refused: the scene lasts as long as the page
    }
  }, REST);
});

/** What the Graph room knows and has chosen. */

import { computed, signal } from "@preact/signals";
import type { Blend, GraphDetail } from "../../api/types";
import { clips, persisted, result, selection } from "../../state/store";
import { type Bundle, bundlesOf, MANY_CLIPS, within } from "./bundles";
import { type Drawing, MOST_ARCS } from "./graph-data";
import type { Matrix } from "./matrix-data";
import { playedStretches, renumbered } from "./stretches";

export type ViewName = "matrix" | "graph";

const one =
  <T extends string>(...names: T[]) =>
  (value: unknown): boolean =>
    names.includes(value as T);

/** which 2D view stands beside the stage */
export const view = persisted<ViewName>("graph.view", "matrix", one("matrix", "graph"));
/** what the panel shows: the graphs there are, or the making of one */
export const tab = persisted<"graphs" | "build">("graph.tab", "graphs", one("graphs", "build"));
export const blend = persisted<Blend>("graph.blend", "anticipation", (value) => typeof value === "string");

/**
 * What a build is asked for. `left` are the clips that are not to be in it: new ones are in by themselves. `asked` are those that are
 * in it though they would not be: results of ours, and clips with a name that another has.
 */
export interface Form {
  name: string;
  left: string[];
  asked: string[];
  window: number;
  auto: boolean;
  threshold: number;
  mirror: boolean;
  bridges: boolean;
}

export const FORM: Form = { name: "", left: [], asked: [], window: 1 / 3, auto: true, threshold: 5, mirror: true, bridges: true };
export const form = persisted<Form>(
  "graph.form",
  FORM,
  (value) => typeof value === "object" && value !== null && Object.keys(FORM).every((key) => key in value),
);
/** words that clips in the list must hold */
export const search = signal("");
/** the job that builds or chooses anew, by its id: its progress shows in the panel */
export const running = persisted<string | null>("graph.job", null);

/** the graph that is open, and what is drawn of it; null while it is fetched */
export const detail = signal<GraphDetail | null>(null);
export const drawing = signal<Drawing | null>(null);
/** the folders or groups of a graph of many clips; null where its clips are shown at once */
export const bundles = computed<Bundle[] | null>(() => (drawing.value && drawing.value.tracks.length > MANY_CLIPS ? bundlesOf(drawing.value) : null));
/** the one of them whose clips are shown, of which graph */
export const opened = signal<{ of: Drawing; name: string } | null>(null);
/** the bundle that is open */
export const openBundle = computed(() => (opened.value?.of === drawing.value ? (bundles.value?.find(({ name }) => name === opened.value?.name) ?? null) : null));
/** the tracks that are shown: those of the open bundle, or all */
export const drawn = computed(() => (drawing.value && openBundle.value ? within(drawing.value, openBundle.value.clips, MOST_ARCS) : drawing.value));
/** whether all transitions are drawn as arcs; else those of the clip that is pointed at */
export const allArcs = persisted<boolean>("graph.arcs", false, (value) => typeof value === "boolean");
/** why the graph could not be opened */
export const refusal = signal<string | null>(null);
/** the threshold under the slider, in centimetres; null: that of the graph */
export const trial = signal<number | null>(null);

/** the pair of the matrix, by the ids of clips */
export const pair = persisted<{ a: string | null; b: string | null }>(
  "graph.pair",
  { a: null, b: null },
  (value) => typeof value === "object" && value !== null && "a" in value && "b" in value,
);
export const matrix = signal<Matrix | null>(null);
export const matrixRefusal = signal<string | null>(null);
/** the chosen minimum, by its place in the list; -1: none */
export const chosen = signal(-1);
/** frames of A and B under the pointer */
export const hovered = signal<{ i: number; j: number } | null>(null);

/** What the stage shows of this room. */
export type Scene =
  | { kind: "none" }
  | { kind: "pair"; i: number; j: number }
  | { kind: "transition"; i: number; j: number; first: number; length: number }
  | { kind: "clip"; clip: number }
  | { kind: "walk" };
export const scene = signal<Scene>({ kind: "none" });

/** clips that can be read */
export const usable = computed(() => clips.value.filter((clip) => !clip.info?.error));

/** The clips of the pair; where none were chosen two that are likely to meet. */
export const pairIds = computed<{ a: string; b: string } | null>(() => {
  const list = usable.value;
  if (list.length === 0) return null;
  const known = (id: string | null): string | undefined => list.find((clip) => clip.id === id)?.id;
  // walks meet often: with them the map shows best what it is
  const walks = list.filter((clip) => clip.info?.labels.includes("walk"));
  const a = known(pair.value.a) ?? known(selection.value.clip) ?? (walks[0] ?? list[0]!).id;
  return { a, b: known(pair.value.b) ?? [...walks, ...list].find((clip) => clip.id !== a)?.id ?? a };
});

/** The name of a clip of the workspace. */
export function clipName(id: string): string {
  return clips.value.find((clip) => clip.id === id)?.name ?? "";
}

/**
 * The threshold up to which the pair's minima become transitions, in centimetres; null where no graph is open.
 *
 * Clips of one group have its own; between groups there are only bridges, so that the slider's or the graph's largest has to do.
 */
export const pairThreshold = computed(() => {
  const summary = detail.value?.summary;
  const ids = pairIds.value;
  if (!summary || !ids) return null;
  if (trial.value !== null) return trial.value;
  const names = [clipName(ids.a), clipName(ids.b)];
  const group = summary.groups.find((one) => names.every((name) => one.clips.includes(name)));
  return (group ?? summary).threshold_cm;
});

/** The walk that is shown, if it is one through the open graph: what it plays, and the clip and frame of each of its frames. */
export const walk = computed(() => {
  const pack = result.value;
  const facts = pack?.facts.result;
  if (!pack || !facts || !detail.value || facts.source.graph !== detail.value.id) return null;
  const { clip: played, frame } = pack.arrays;
  if (!played || !frame || played.length === 0) return null;
  // a result numbers the clips that it plays, the graph all that it has
  const clip = renumbered(played, facts.clips, detail.value.clips.map((one) => one.name));
  return { pack, clip, frame, fps: pack.facts.fps, stretches: playedStretches(clip, frame) };
});

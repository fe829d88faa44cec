/** Clips in bundles, for graphs of so many that tracks and arcs of all of them would be a hairball: folders, or else groups. */

import type { Drawing, Track } from "./graph-data";
import { BRIDGE, chosenEdges, type Edges, edgesByClip, rowsOf, TRANSITION } from "./layout";

/** Clips beyond which bundles are shown first. */
export const MANY_CLIPS = 150;
/** A group of fewer clips is not shown by itself. */
const FEW = 3;
const ALONE = "Small groups";
/** The row of a track that is not shown: far above all that can be seen. */
const NOWHERE = -1e6;

/** Some clips that are shown as one. */
export interface Bundle {
  name: string;
  clips: number[];
  /** frames in all, and those that are kept, by label */
  frames: number;
  kept: Map<string, number>;
  /** bundle → transitions that lead there or come from there */
  leads: Map<number, number>;
}

/** The bundles of all clips, in the order in which they come. */
export function bundlesOf(drawing: Drawing): Bundle[] {
  const names = bundleNames(drawing.tracks);
  const number = new Map([...new Set(names)].map((name, n) => [name, n]));
  const found: Bundle[] = [...number.keys()].map((name) => ({ name, clips: [], frames: 0, kept: new Map(), leads: new Map() }));
  const of = names.map((name) => number.get(name)!);
  drawing.tracks.forEach((track, clip) => {
    const bundle = found[of[clip]!]!;
    bundle.clips.push(clip);
    bundle.frames += track.frames;
    for (const { label, first, last } of track.kepts) bundle.kept.set(label, (bundle.kept.get(label) ?? 0) + last - first);
  });
  join(drawing.edges, of, found);
  return found;
}

/** The folder of each clip; where clips lie in no folders, its group. */
function bundleNames(tracks: readonly Track[]): string[] {
  const folders = tracks.map(({ name }) => (name.includes("/") ? name.slice(0, name.indexOf("/")) : "No folder"));
  if (new Set(folders).size > 1) return folders;
  const size = new Map<number | null, number>();
  for (const { group } of tracks) size.set(group, (size.get(group) ?? 0) + 1);
  return tracks.map(({ group }) => (group !== null && size.get(group)! >= FEW ? `Group ${group + 1}` : ALONE));
}

function join(edges: Edges, of: readonly number[], bundles: readonly Bundle[]): void {
  const add = (from: number, to: number) => bundles[from]!.leads.set(to, (bundles[from]!.leads.get(to) ?? 0) + 1);
  for (let n = 0; n < edges.kind.length; n += 1) {
    if (edges.kind[n] !== TRANSITION && edges.kind[n] !== BRIDGE) continue;
    const [from, to] = [of[edges.source_clip[n]!]!, of[edges.target_clip[n]!]!];
    add(from, to);
    if (to !== from) add(to, from);
  }
}

/** The drawing of some clips alone, which keep their numbers: no other has a row, and only arcs among them are drawn. */
export function within(drawing: Drawing, clips: readonly number[], most: number): Drawing {
  const rows = rowsOf(clips.map((clip) => drawing.tracks[clip]!.group));
  const of = new Float32Array(drawing.tracks.length).fill(NOWHERE);
  clips.forEach((clip, n) => (of[clip] = rows.of[n]!));
  const { edges } = drawing;
  const inside = (edge: number) => of[edges.source_clip[edge]!]! > NOWHERE && of[edges.target_clip[edge]!]! > NOWHERE;
  const transitions = chosenEdges(edges, TRANSITION, most, inside).sort((a, b) => edges.cost_cm[b]! - edges.cost_cm[a]!);
  const bridges = chosenEdges(edges, BRIDGE, most, inside);
  return {
    ...drawing,
    tracks: drawing.tracks.map((track, clip) => ({ ...track, row: of[clip]! })),
    rows: { ...rows, of },
    longest: Math.max(1, ...clips.map((clip) => drawing.tracks[clip]!.frames)) / drawing.fps,
    transitions,
    bridges,
    byClip: edgesByClip(edges, [...transitions, ...bridges], drawing.tracks.length),
    dearest: transitions.reduce((dearest, edge) => Math.max(dearest, edges.cost_cm[edge]!), 0),
  };
}

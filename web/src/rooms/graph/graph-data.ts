/** A graph as the server tells of it, made ready for drawing. */

import type { Pack } from "../../api/pack";
import type { EdgesPack, GraphClip, GraphDetail } from "../../api/types";
import { BRIDGE, chosenEdges, type Edges, edgesByClip, type Rows, rowsOf, TRANSITION } from "./layout";
import { keptOf, type Labelled, labelColours, shownLabels } from "./stretches";

/** A track: the clip, its row and its stretches by label, what is kept of them and all. */
export interface Track extends GraphClip {
  row: number;
  kepts: Labelled[];
}

/** All that the graph view draws. Edges are those chosen for drawing. */
export interface Drawing {
  fps: number;
  tracks: Track[];
  rows: Rows;
  thresholds: number[];
  longest: number;
  colours: Map<string, string>;
  edges: Edges;
  transitions: Int32Array;
  bridges: Int32Array;
  byClip: number[][];
  /** transitions that leave or enter each clip, drawn or not */
  counts: Int32Array;
  dearest: number;
}

/** Arcs beyond this many only blacken the picture. */
export const MOST_ARCS = 4000;

/** Make a graph ready for drawing. */
export function drawingOf(detail: GraphDetail, pack: Pack<EdgesPack>): Drawing {
  const rows = rowsOf(detail.clips.map((clip) => clip.group));
  const tracks = detail.clips.map((clip, n) => ({
    ...clip,
    row: rows.of[n]!,
    kepts: keptOf(shownLabels(clip.frames, clip.spans), clip.kept),
  }));
  const edges = pack.arrays as unknown as Edges;
  // the dearest first: they are drawn below
  const transitions = chosenEdges(edges, TRANSITION, MOST_ARCS).sort((a, b) => edges.cost_cm[b]! - edges.cost_cm[a]!);
  const bridges = chosenEdges(edges, BRIDGE, MOST_ARCS);
  return {
    fps: detail.fps,
    tracks,
    rows,
    thresholds: detail.summary.groups.map((group) => group.threshold_cm),
    longest: Math.max(1, ...tracks.map((track) => track.frames)) / detail.fps,
    colours: labelColours(tracks.flatMap((track) => track.kepts)),
    edges,
    transitions,
    bridges,
    byClip: edgesByClip(edges, [...transitions, ...bridges], tracks.length),
    counts: counted(edges, tracks.length),
    dearest: transitions.reduce((most, edge) => Math.max(most, edges.cost_cm[edge]!), 0),
  };
}

function counted(edges: Edges, clips: number): Int32Array {
  const counts = new Int32Array(clips);
  for (let n = 0; n < edges.kind.length; n += 1) {
    if (edges.kind[n] !== TRANSITION && edges.kind[n] !== BRIDGE) continue;
    const [from, to] = [edges.source_clip[n]!, edges.target_clip[n]!];
    counts[from]! += 1;
    if (to !== from) counts[to]! += 1;
  }
  return counts;
}

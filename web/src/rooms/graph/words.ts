/** The figures of a graph as sentences. */

import type { GraphDetail, GraphSummary } from "../../api/types";

/** A number with its thousands apart. */
export function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

/** A number and its thing, which takes an s unless it is one (or says its own plural). */
export function many(value: number, thing: string, things = `${thing}s`): string {
  return `${count(value)} ${Math.round(value) === 1 ? thing : things}`;
}

/** A share of something in per cent; never 100 while some of it is missing, never 0 while there is some. */
export function percent(share: number): string {
  const value = 100 * share;
  if (share > 0 && value < 1) return "<1 %";
  if (share < 1 && value > 99) return `${(Math.floor(value * 10) / 10).toFixed(1)} %`;
  return `${Math.round(value)} %`;
}

/** Minutes and seconds, as people say them. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** What the graph is, in a sentence or two. */
export function inWords(graph: GraphDetail): string {
  const { summary } = graph;
  const mirrored = graph.clips.filter((clip) => clip.mirrored).length;
  const clips = mirrored ? `${many(summary.clips, "clip")}, ${count(mirrored)} of them mirrored` : many(summary.clips, "clip");
  const length = duration(summary.frames / summary.fps);
  return `${clips}, ${length} in all. ${keptInWords(summary)}`;
}

function keptInWords(summary: GraphSummary): string {
  const kept = percent(summary.kept_share);
  return `${many(summary.transitions, "transition")} keep ${kept} of the motion that a graph could keep.`;
}

/** How the groups were joined, in a sentence; empty where there is but one. */
export function bridgesInWords(summary: GraphSummary): string {
  if (summary.groups.length < 2) return "";
  if (summary.bridges === 0) return "The groups are not joined: only one of them is in the graph.";
  const dearest = Math.max(...summary.meetings.map((meeting) => meeting.threshold_cm));
  return `${many(summary.bridges, "bridge")} join the groups, the dearest at ${dearest.toFixed(1)} cm.`;
}

/** What was dropped, in a sentence. */
export function droppedInWords(summary: GraphSummary): string {
  const inside = Math.max(0, summary.dropped_seconds - summary.end_seconds);
  if (summary.dropped_seconds < 0.05) return "Nothing was dropped.";
  const ends = `${duration(summary.end_seconds)} in the first and last windows of clips, which no graph keeps`;
  if (inside < 0.05) return `Nothing but ${ends}.`;
  return `${duration(inside)} of motion from which no way leads on, and ${ends}.`;
}

/** The time that is left, in words; empty where it is not known. */
export function timeLeft(eta: number | null): string {
  return eta === null || !Number.isFinite(eta) ? "" : eta < 1 ? "almost done" : `${duration(Math.ceil(eta))} left`;
}

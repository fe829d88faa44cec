/** What the room asks of the server. */

import { batch, effect } from "@preact/signals";
import { del, get, getPack, post, sentence } from "../../api/client";
import { latest } from "../../api/latest";
import type { Clip, GraphFile, Job } from "../../api/types";
import { complain, finished, noteJob, refresh, select, selection, server, toast } from "../../state/store";
import { drawingOf, type GraphDetail } from "./graph-data";
import { matrixOf } from "./matrix-data";
import { chosen, detail, drawing, form, hovered, matrix, matrixRefusal, pairIds, refusal, running, scene, tab, trial, usable, view } from "./model";
import { showPair } from "./scene";

/** Keep the open graph and the matrix what the choices say, for as long as the room is entered; returns what ends it. */
export function followChoices(): () => void {
  const ends = [
    effect(() => {
      const id = openId();
      const known = server.value?.graphs.find((graph) => graph.id === id);
      // the time of the file tells a graph that was chosen anew
      opening.request(known && !known.error ? { id: known.id, version: `${known.modified} ${known.size}` } : null);
    }),
    effect(() => {
      const ids = pairIds.value;
      if (view.value === "matrix") comparing.request(ids ? { ...ids, ...measure() } : null);
    }),
  ];
  return () => ends.forEach((end) => end());
}

/** The graph that is open: the chosen one, or the only one, or that which the studio was started on. */
function openId(): string | null {
  const graphs = server.value?.graphs ?? [];
  const wanted = [selection.value.graph, server.value?.open ?? null];
  return wanted.find((id) => graphs.some((graph) => graph.id === id)) ?? graphs[0]?.id ?? null;
}

let shown: { graph: string; matrix: string } = { graph: "", matrix: "" };

const opening = latest(
  async (wanted: { id: string; version: string } | null, signal) => {
    if (wanted === null || shown.graph === `${wanted.id} ${wanted.version}`) return null;
    const [told, edges] = await Promise.all([
      get<GraphDetail>(`/api/graphs/${wanted.id}`, signal),
      getPack(`/api/graphs/${wanted.id}/edges`, signal),
    ]);
    return { told, drawn: drawingOf(told, edges) };
  },
  (answer, wanted) => {
    if (wanted === null) close();
    else if (answer) {
      shown.graph = `${wanted.id} ${wanted.version}`;
      batch(() => {
        // frames of another graph mean nothing in this one
        if (scene.value.kind === "clip" && detail.value?.id !== wanted.id) scene.value = { kind: "none" };
        detail.value = answer.told;
        drawing.value = answer.drawn;
        refusal.value = null;
        trial.value = null;
        if (selection.value.graph !== wanted.id) select({ graph: wanted.id });
      });
    }
  },
  (problem) => {
    close();
    refusal.value = sentence(problem);
  },
  { abort: true },
);

function close(): void {
  shown.graph = "";
  batch(() => {
    detail.value = null;
    drawing.value = null;
    refusal.value = null;
    trial.value = null;
  });
}

/** Whether a graph is being fetched. */
export const busyOpening = opening.busy;

/** Frames a second and window of the open graph, else those that a new one is to have. */
function measure(): { fps: number; window: number } {
  const parameters = detail.value?.parameters ?? {};
  const number = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise);
  return { fps: number(parameters["fps"], 30), window: number(parameters["window"], form.value.window) };
}

interface Compared {
  a: string;
  b: string;
  fps: number;
  window: number;
}

const comparing = latest(
  async (wanted: Compared | null, signal) => {
    if (wanted === null || shown.matrix === key(wanted)) return null;
    const query = new URLSearchParams({ a: wanted.a, b: wanted.b, fps: `${wanted.fps}`, window: `${wanted.window}` });
    const read = matrixOf(await getPack(`/api/matrix?${query}`, signal));
    // facts may name the clips in words: the room asks on by their ids
    return { ...read, a: wanted.a, b: wanted.b };
  },
  (read, wanted) => {
    if (wanted !== null && !read) return;
    shown.matrix = wanted ? key(wanted) : "";
    batch(() => {
      matrix.value = read;
      matrixRefusal.value = null;
      hovered.value = null;
      chosen.value = read && read.minima.cost.length > 0 ? 0 : -1;
    });
    if (read && chosen.value === 0) showPair(read.minima.first[0]!, read.minima.second[0]!);
  },
  (problem) => {
    shown.matrix = "";
    batch(() => {
      matrix.value = null;
      matrixRefusal.value = sentence(problem);
    });
  },
  { abort: true },
);

const key = ({ a, b, fps, window }: Compared): string => `${a} ${b} ${fps} ${window}`;

/** Whether a pair is being compared. */
export const busyComparing = comparing.busy;

/** The clips that the form takes. */
export function takenClips(): Clip[] {
  const left = new Set(form.value.left);
  return usable.value.filter((clip) => !left.has(clip.id));
}

/** Build a graph as the form says; it is opened when it is done. */
export async function build(): Promise<void> {
  const { name, window, auto, threshold, mirror, bridges } = form.value;
  const clips = takenClips().map((clip) => clip.id);
  const request = { name: name.trim() || "graph", clips, fps: 30, window, threshold_cm: auto ? null : threshold, mirror, bridges };
  try {
    watch(await post<Job>("/api/graphs", request));
  } catch (problem) {
    complain(problem);
  }
}

/** Choose the open graph's transitions anew, up to a threshold; null lets each group find its own. */
export async function rechoose(threshold: number | null): Promise<void> {
  const open = detail.value;
  if (!open) return;
  const bridges = open.parameters["bridges"] !== false;
  try {
    const answer = await post<Job | GraphFile>(`/api/graphs/${open.id}/rechoose`, { threshold_cm: threshold, bridges });
    if ("state" in answer) watch(answer);
    else await opened(answer.id);
  } catch (problem) {
    complain(problem);
  }
}

/** Show a job in the panel, and open what it has made. */
function watch(job: Job): void {
  noteJob(job);
  running.value = job.id;
  void ended(job.id);
}

async function ended(id: string): Promise<void> {
  const job = await finished(id);
  if (job.state === "done") await opened(graphOf(job)).catch(complain);
}

/** The graph that a job has made. */
function graphOf(job: Job): string | null {
  const made = job.result?.["graph"] ?? job.result?.["id"];
  if (typeof made === "string") return made;
  return typeof made === "object" && made !== null && "id" in made ? String(made.id) : null;
}

async function opened(id: string | null): Promise<void> {
  await refresh();
  if (id === null) return;
  batch(() => {
    select({ graph: id });
    tab.value = "graphs";
  });
}

/** Go on watching a job after the page was reloaded. */
export function resumeWatching(): void {
  const job = server.value?.jobs.find((one) => one.id === running.value);
  if (job && (job.state === "queued" || job.state === "running")) void ended(job.id);
}

/** Call a job off. */
export async function cancelJob(id: string): Promise<void> {
  await post(`/api/jobs/${id}/cancel`).catch(complain);
}

/** Let a job go on where it was stopped. */
export async function resumeJob(id: string): Promise<void> {
  try {
    watch(await post<Job>(`/api/jobs/${id}/resume`));
  } catch (problem) {
    complain(problem);
  }
}

/** Forget a job that has stopped short. */
export async function dismissJob(id: string): Promise<void> {
  if (running.value === id) running.value = null;
  await del(`/api/jobs/${id}`).then(refresh).catch(complain);
}

/** Delete a graph; the toast brings it back. */
export async function deleteGraph(graph: GraphFile): Promise<void> {
  try {
    const { trash } = await del<{ trash: string }>(`/api/graphs/${graph.id}`);
    await refresh();
    toast(`Deleted the graph “${graph.name}”.`, "info", {
      label: "Undo",
      run: async () => {
        await post(`/api/trash/${trash}/restore`);
        await refresh();
        select({ graph: graph.id });
      },
    });
  } catch (problem) {
    complain(problem);
  }
}

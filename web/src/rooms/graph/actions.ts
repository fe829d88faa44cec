/** What the room asks of the server. */

import { batch, computed, effect } from "@preact/signals";
import { del, get, getPack, post, sentence } from "../../api/client";
import { latest } from "../../api/latest";
import type { AddRequest, Clip, EdgesPack, GraphDetail, GraphFile, GraphRequest, Job, MatrixPack, ThresholdRequest, Trashed } from "../../api/types";
import { complain, finished, noteJob, refresh, select, selection, server, toast } from "../../state/store";
import { drawingOf } from "./graph-data";
import { matrixOf } from "./matrix-data";
import { chosen, detail, drawing, FORM, form, hovered, matrix, matrixRefusal, pairIds, refusal, running, scene, tab, trial, usable, view } from "./model";
import { taken } from "./picking";
import { showPair } from "./scene";

/** The graph that is open: the chosen one, or that which the studio was started on, or the first. The time of its file tells when it was chosen anew. */
const wantedGraph = computed(() => {
  const graphs = server.value?.graphs.filter((graph) => !graph.error) ?? [];
  const ids = [selection.value.graph, server.value?.open ?? null];
  const id = ids.find((one) => graphs.some((graph) => graph.id === one)) ?? graphs[0]?.id;
  const file = graphs.find((graph) => graph.id === id);
  return file ? `${file.id} ${file.modified} ${file.size}` : null;
});

/** The pair to be compared, as the words of the request. */
const wantedPair = computed(() => {
  const ids = pairIds.value;
  if (!ids || view.value !== "matrix") return null;
  const parameters = detail.value?.parameters ?? {};
  const number = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise);
  const fps = number(parameters["fps"], 30);
  const window = number(parameters["window"], form.value.window);
  // the usual window is left to the server, which shortens it for short and fast clips as a build does
  const own: Record<string, string> = Math.abs(window - FORM.window) > 1e-3 ? { window: `${window}` } : {};
  return new URLSearchParams({ ...ids, fps: `${fps}`, ...own }).toString();
});

/** Keep the open graph and the matrix what the choices say, for as long as the room is entered; returns what ends it. */
export function followChoices(): () => void {
  const ends = [effect(() => opening.request(wantedGraph.value)), effect(() => comparing.request(wantedPair.value))];
  return () => ends.forEach((end) => end());
}

/** what was fetched last: entering the room again asks for nothing anew */
const shown: { graph: string | null; pair: string | null } = { graph: null, pair: null };

const opening = latest(
  async (wanted: string | null, signal) => {
    if (wanted === null || shown.graph === wanted) return null;
    const id = wanted.split(" ")[0]!;
    const [told, edges] = await Promise.all([get<GraphDetail>(`/api/graphs/${id}`, signal), getPack<EdgesPack>(`/api/graphs/${id}/edges`, signal)]);
    return { told, drawn: drawingOf(told, edges) };
  },
  (answer, wanted) => {
    if (wanted === null) close();
    else if (answer) {
      shown.graph = wanted;
      const { id } = answer.told;
      batch(() => {
        // clips of another graph mean nothing in this one
        if (scene.value.kind === "clip" && detail.value?.id !== id) scene.value = { kind: "none" };
        detail.value = answer.told;
        drawing.value = answer.drawn;
        refusal.value = null;
        trial.value = null;
        if (selection.value.graph !== id) select({ graph: id });
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
  shown.graph = null;
  batch(() => {
    detail.value = null;
    drawing.value = null;
    refusal.value = null;
    trial.value = null;
  });
}

/** Whether a graph is being fetched. */
export const busyOpening = opening.busy;

const comparing = latest(
  async (wanted: string | null, signal) => {
    if (wanted === null || shown.pair === wanted) return null;
    const read = matrixOf(await getPack<MatrixPack>(`/api/matrix?${wanted}`, signal));
    const asked = new URLSearchParams(wanted);
    // facts may name the clips in words: the room asks on by their ids
    return { ...read, a: asked.get("a")!, b: asked.get("b")! };
  },
  (read, wanted) => {
    if (!read) {
      // no pair is wanted while the other view is shown: the map stays for its return
      if (wanted === null && pairIds.value === null) forget(null);
      return;
    }
    shown.pair = wanted;
    batch(() => {
      matrix.value = read;
      matrixRefusal.value = null;
      hovered.value = null;
      chosen.value = read.minima.cost.length > 0 ? 0 : -1;
    });
    if (chosen.value === 0) showPair(read.minima.first[0]!, read.minima.second[0]!);
  },
  (problem) => forget(sentence(problem)),
  { abort: true },
);

function forget(why: string | null): void {
  shown.pair = null;
  batch(() => {
    matrix.value = null;
    matrixRefusal.value = why;
  });
}

/** Whether a pair is being compared. */
export const busyComparing = comparing.busy;

/** The clips that the form takes. */
export function takenClips(): Clip[] {
  return taken(usable.value, form.value.left, form.value.asked);
}

/** Build a graph as the form says; it is opened when it is done. */
export async function build(): Promise<void> {
  const { name, window, auto, threshold, mirror, bridges } = form.value;
  const clips = takenClips().map((clip) => clip.id);
  const request: GraphRequest = { name: name.trim() || "graph", clips, fps: 30, window, threshold_cm: auto ? null : threshold, mirror, bridges };
  try {
    watch(await post<Job, GraphRequest>("/api/graphs", request));
  } catch (problem) {
    complain(problem);
  }
}

/** Add clips to the open graph; it is opened anew when they are in it. */
export async function addToGraph(clips: readonly string[]): Promise<void> {
  const open = detail.value;
  if (!open) return;
  try {
    watch(await post<Job, AddRequest>(`/api/graphs/${open.id}/add`, { clips: [...clips] }));
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
    watch(await post<Job, ThresholdRequest>(`/api/graphs/${open.id}/rechoose`, { threshold_cm: threshold, bridges }));
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
    const { trash } = await del<Trashed>(`/api/graphs/${graph.id}`);
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

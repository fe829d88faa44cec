/** The first minute: from an empty workspace to a walk along a line. */

import { computed, effect, signal } from "@preact/signals";
import { post } from "../../api/client";
import type { GraphFile, GraphRequest, Job } from "../../api/types";
import { clips, complain, jobs, noteJob, refresh, select, server } from "../../state/store";
import { place } from "./actions";
import { edit, mode } from "./state";

const FIRST_SHAPE = "eight:2.5";

/** id of the job that is waited for; null while none is */
const waiting = signal<string | null>(null);
/** whether the first graph is being made */
export const preparing = signal(false);
/** the job that is waited for, as it stands */
export const step = computed<Job | null>(() => jobs.value.find((job) => job.id === waiting.value) ?? null);

/** Make a graph of the samples (where asked for), else of all clips, and an eight to follow. */
export async function begin(withSamples: boolean): Promise<void> {
  if (preparing.value) return;
  preparing.value = true;
  try {
    const made = withSamples ? await done(await post<Job>("/api/samples")) : null;
    if (withSamples && !made) return;
    await refresh();
    const ids = (made?.result?.["clips"] as string[] | undefined) ?? clips.value.filter((clip) => !clip.info?.error).map((clip) => clip.id);
    const name = withSamples ? "samples" : (server.value?.workspace.name ?? "graph");
    const built = await done(await post<Job, GraphRequest>("/api/graphs", { name, clips: ids }));
    if (!built) return;
    await refresh();
    await open((built.result?.["graph"] ?? built.result) as Partial<GraphFile> | null);
  } catch (error) {
    complain(error);
  } finally {
    preparing.value = false;
    waiting.value = null;
  }
}

async function open(made: Partial<GraphFile> | null): Promise<void> {
  const all = server.value?.graphs ?? [];
  const graph = all.find((one) => one.id === made?.id) ?? all.at(-1);
  if (!graph) return;
  select({ graph: graph.id });
  mode.value = "path";
  edit({ label: "walk", stretches: [] });
  await place(FIRST_SHAPE, false);
}

/** The job when it has ended well; null when it has not, which the page tells by itself. */
function done(job: Job): Promise<Job | null> {
  if (!jobs.value.some((one) => one.id === job.id)) noteJob(job);
  waiting.value = job.id;
  return new Promise((resolve) => {
    const end = effect(() => {
      const now = step.value ?? job;
      if (now.state === "queued" || now.state === "running") return;
      resolve(now.state === "done" ? now : null);
      queueMicrotask(() => end());
    });
  });
}

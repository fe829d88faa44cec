/** Building a space: which clips, and what is asked of the server. */

import { computed, signal } from "@preact/signals";
import { post } from "../../api/client";
import type { Clip, Job, SpaceRequest } from "../../api/types";
import { clips, complain, finished, jobs, noteJob, refresh, toast } from "../../state/store";
import { choose, chosen, plural, spaces } from "./model";

export type Kind = SpaceRequest["kind"];

/** Kinds of which there are built-in clips. */
export const SAMPLED: readonly Kind[] = ["punch", "kick"];
/** A space takes at least so many strikes. */
export const FEWEST = 3;

export const kind = signal<Kind>("punch");
export const name = signal("");
/** clips that were ticked by hand; null: those that seem to be of the kind */
const ticked = signal<ReadonlySet<string> | null>(null);
export const search = signal("");
/** whether something was begun and has not come back yet */
export const starting = signal(false);

/** Whether a clip seems to be of a kind: by its name or its labels. */
export function seems(clip: Clip, of: Kind): boolean {
  return clip.name.toLowerCase().includes(of) || (clip.info?.labels ?? []).some((label) => label.toLowerCase().includes(of));
}

/** The clips that the space will be built from. */
export const taken = computed<ReadonlySet<string>>(
  () => ticked.value ?? new Set(clips.value.filter((clip) => seems(clip, kind.value)).map((clip) => clip.id)),
);
/** The clips to choose from: those of the kind first. */
export const offered = computed(() => {
  const words = search.value.toLowerCase();
  const found = clips.value.filter((clip) => !clip.info?.error && clip.name.toLowerCase().includes(words));
  return [...found.filter((clip) => seems(clip, kind.value)), ...found.filter((clip) => !seems(clip, kind.value))];
});
/** The job that builds a space now. */
export const job = computed<Job | null>(
  () => jobs.value.find((each) => each.kind === "space" && (each.state === "queued" || each.state === "running")) ?? null,
);

/** What the build of the chosen space said: which strikes were left out, and why. */
export const said = computed<readonly string[]>(() => {
  const of = chosen.value;
  const built = jobs.value.find((each) => each.kind === "space" && each.state === "done" && of !== null && each.result?.id === of.id);
  const notices = built?.result?.notices;
  return Array.isArray(notices) ? notices.map(String) : [];
});

/** Take another kind, and with it the clips that seem to be of it. */
export function setKind(next: Kind): void {
  kind.value = next;
  ticked.value = null;
}

/** Tick or untick a clip. */
export function toggle(id: string): void {
  const next = new Set(taken.value);
  if (!next.delete(id)) next.add(id);
  ticked.value = next;
}

/** Build the space of the clips that are taken, and open it when it is there. */
export async function build(): Promise<void> {
  await start([...taken.value], kind.value, name.value.trim() || plural(kind.value));
}

/** Build from the built-in clips, which are written to the workspace first where they are not there yet. */
export async function buildFromSamples(of: Kind): Promise<void> {
  const samples = () => clips.value.filter((clip) => clip.name.startsWith(`${of}_`)).map((clip) => clip.id);
  if (samples().length < FEWEST) {
    starting.value = true;
    try {
      const written = await post<Job>("/api/samples");
      noteJob(written);
      const ended = await finished(written.id);
      if (ended.state !== "done") return;
      await refresh();
    } catch (failure) {
      complain(failure);
      return;
    } finally {
      starting.value = false;
    }
  }
  await start(samples(), of, plural(of));
}

async function start(ids: string[], of: Kind, called: string): Promise<void> {
  starting.value = true;
  try {
    const begun = await post<Job, SpaceRequest>("/api/spaces", { name: called, clips: ids, kind: of });
    noteJob(begun);
    const before = new Set(spaces.value.map((each) => `${each.id} ${each.space}`));
    const ended = begun.state === "done" ? begun : await finished(begun.id);
    if (ended.state !== "done") return;
    await refresh();
    const made = spaces.value.find((each) => !before.has(`${each.id} ${each.space}`));
    if (made) choose(made);
    else toast("The space was built anew.", "good");
    name.value = "";
  } catch (failure) {
    complain(failure);
  } finally {
    starting.value = false;
  }
}

/** What is chosen in the library, and what can be done with clips. */
import { computed, signal } from "@preact/signals";
import { del, get, patch, post } from "../../api/client";
import type { Clip, ClipChange, ClipDetail, Job, LabelSpan, Taken, Trashed, TrimRequest } from "../../api/types";
import { clip, clips, complain, finished, noteJob, persisted, refresh, select, server, toast } from "../../state/store";
import { trim } from "../../timeline/lanes";
import { folderCounts, labelCounts, listed, type Order } from "./filter";

export const search = signal("");
export const chosenLabels = signal<string[]>([]);
/** the folder that is shown; null: all */
export const chosenFolder = signal<string | null>(null);
export type Layout = "cards" | "list";
export const layout = persisted<Layout>("library.layout", "cards", (value) => value === "cards" || value === "list");
export const order = persisted<Order>("library.order", "name");
/** the clip beside the chosen one */
export const secondId = persisted<string | null>("library.second", null);
/** the chosen clip with its spans; null until they are here */
export const detail = signal<ClipDetail | null>(null);
/** files on their way to the server, by number */
export const uploading = signal(0);

/** folders with clips in them; the chosen one is forgotten when its last clip has gone */
export const folders = computed(() => folderCounts(clips.value));
const folder = computed(() => (folders.value.some(([name]) => name === chosenFolder.value) ? chosenFolder.value : null));
export const shown = computed(() => listed(clips.value, search.value, chosenLabels.value, order.value, folder.value));
export const labels = computed(() => labelCounts(clips.value));
/** ids of the clips that are picked together with the chosen one; empty where there is only that */
export const pickedIds = signal<ReadonlySet<string>>(new Set());
/** the clips that are picked, as they are listed; empty where there is only one */
export const picked = computed(() => {
  const some = clips.value.filter((one) => pickedIds.value.has(one.id) || one.id === clip.value?.id);
  return some.length > 1 && pickedIds.value.size ? some : [];
});
/** clips that share their name with others: a folder beside it tells them apart */
export const twins = computed(() => {
  const [seen, twice] = [new Set<string>(), new Set<string>()];
  for (const { name } of clips.value) (seen.has(name) ? twice : seen).add(name);
  return twice;
});
export const second = computed(() => clips.value.find((one) => one.id === secondId.value && one.id !== clip.value?.id) ?? null);

/** Fetch the spans of a clip; nothing where another was chosen meanwhile. */
export async function loadDetail(id: string): Promise<void> {
  try {
    const found = await get<ClipDetail>(`/api/clips/${id}`);
    if (clip.value?.id === id) detail.value = found;
  } catch (error) {
    if (clip.value?.id === id) complain(error);
  }
}

/** Send files; what is refused is told with the reader's sentence. The first clip taken is shown. */
export async function upload(files: File[]): Promise<void> {
  if (!files.length) return;
  const form = new FormData();
  for (const file of files) form.append("files", file, file.name);
  uploading.value += files.length;
  try {
    const taken = await post<Taken, FormData>("/api/clips", form);
    await refresh();
    if (taken.clips[0]) select({ clip: taken.clips[0].id });
    if (taken.clips.length) toast(taken.clips.length === 1 ? `${taken.clips[0]!.name} is in the library.` : `${taken.clips.length} clips are in the library.`, "good");
    for (const { file, error } of taken.refused.slice(0, 3)) toast(`${file} was not taken: ${error}`, "error");
    if (taken.refused.length > 3) toast(`${taken.refused.length - 3} more files were not taken.`, "error");
  } catch (error) {
    complain(error, { label: "Try again", run: () => upload(files) });
  } finally {
    uploading.value -= files.length;
  }
}

/** Ask for files by the browser's own dialogue. */
export function chooseFiles(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = [...(server.value?.formats.read ?? []), ".asf"].join(",");
  input.onchange = () => void upload([...(input.files ?? [])]);
  input.click();
}

/** Write the built-in clips into the workspace. */
export async function addSamples(): Promise<void> {
  try {
    const job = await post<Job>("/api/samples");
    noteJob(job);
    await finished(job.id);
    await refresh();
    const walk = clips.value.find((one) => one.name === "walk") ?? clips.value[0];
    if (walk && !clip.value) select({ clip: walk.id });
  } catch (error) {
    complain(error);
  }
}

/** Give a clip another name. Its id is that of its file, so it changes with it. */
export async function rename(one: Clip, name: string): Promise<void> {
  const wanted = name.trim();
  if (!wanted || wanted === one.name) return;
  try {
    const changed = await patch<Clip, ClipChange>(`/api/clips/${one.id}`, { name: wanted });
    await refresh();
    select({ clip: changed.id });
    if (secondId.value === one.id) secondId.value = changed.id;
  } catch (error) {
    complain(error);
  }
}

/** Into the trash, and back by the toast's button. */
export async function remove(...some: Clip[]): Promise<void> {
  const gone = new Set(some.map((one) => one.id));
  const list = shown.value;
  const at = list.findIndex((other) => gone.has(other.id));
  const next = list.slice(at).find((other) => !gone.has(other.id)) ?? list.slice(0, Math.max(at, 0)).findLast((other) => !gone.has(other.id)) ?? null;
  const tokens: string[] = [];
  try {
    for (const one of some) tokens.push((await del<Trashed>(`/api/clips/${one.id}`)).trash);
  } catch (error) {
    complain(error);
  }
  if (!tokens.length) return;
  pickedIds.value = new Set();
  if (clip.value && gone.has(clip.value.id)) select({ clip: next?.id ?? null });
  await refresh().catch(complain);
  toast(tokens.length === 1 ? `${some[0]!.name} was deleted.` : `${tokens.length} clips were deleted.`, "info", {
    label: "Undo",
    run: async () => {
      let back: Clip | null = null;
      for (const token of tokens) back = await post<Clip>(`/api/trash/${token}/restore`);
      await refresh();
      if (back) select({ clip: back.id });
    },
  });
}

/** Keep some frames as a clip of its own, and show it. */
export async function cut(one: Clip, first: number, last: number, name: string): Promise<void> {
  try {
    const made = await post<Clip, TrimRequest>(`/api/clips/${one.id}/trim`, { first, last, name: name.trim() || undefined });
    trim.value = null;
    await refresh();
    select({ clip: made.id });
    toast(`Frames ${first} to ${last - 1} are a clip of their own: ${made.name}.`, "good", { label: "Back to the whole", run: () => select({ clip: one.id }) });
  } catch (error) {
    complain(error);
  }
}

/** Whether a label is only a guess; below that confidence `kinegraph inspect` puts a question mark behind it, too. */
export function guessed(span: LabelSpan): boolean {
  return (span.confidence ?? 1) < 0.75;
}

/** A label as the server takes it: small letters, digits, underscores and hyphens. */
export function labelOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 40);
}

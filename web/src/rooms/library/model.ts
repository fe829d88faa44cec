/** What is chosen in the library, and what can be done with clips. */
import { computed, signal } from "@preact/signals";
import { del, get, patch, post } from "../../api/client";
import type { Clip, ClipChange, ClipDetail, Job, LabelSpan, Taken, Trashed, TrimRequest } from "../../api/types";
import { clip, clips, complain, finished, noteJob, persisted, refresh, select, server, toast } from "../../state/store";
import { trim } from "../../timeline/lanes";
import { labelCounts, listed, type Order } from "./filter";

export const search = signal("");
export const chosenLabels = signal<string[]>([]);
export const order = persisted<Order>("library.order", "name");
/** the clip beside the chosen one */
export const secondId = persisted<string | null>("library.second", null);
/** the chosen clip with its spans; null until they are here */
export const detail = signal<ClipDetail | null>(null);
/** files on their way to the server, by number */
export const uploading = signal(0);

export const shown = computed(() => listed(clips.value, search.value, chosenLabels.value, order.value));
export const labels = computed(() => labelCounts(clips.value));
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
export async function remove(one: Clip): Promise<void> {
  const list = shown.value;
  const next = list[list.findIndex((other) => other.id === one.id) + 1] ?? list.at(-2) ?? null;
  try {
    const { trash } = await del<Trashed>(`/api/clips/${one.id}`);
    if (clip.value?.id === one.id) select({ clip: next?.id ?? null });
    await refresh();
    toast(`${one.name} was deleted.`, "info", {
      label: "Undo",
      run: async () => {
        const back = await post<Clip>(`/api/trash/${trash}/restore`);
        await refresh();
        select({ clip: back.id });
      },
    });
  } catch (error) {
    complain(error);
  }
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

/** Labels that people gave; the others were found or come from the name. */
export function given(spans: readonly LabelSpan[]): LabelSpan[] {
  return spans.filter((span) => span.origin === "file");
}

/** Whether a label is only a guess; below that confidence `kinegraph inspect` puts a question mark behind it, too. */
export function guessed(span: LabelSpan): boolean {
  return (span.confidence ?? 1) < 0.75;
}

/** Say all labels of a clip, in frames; the server keeps them in seconds. */
export async function saveLabels(one: ClipDetail, spans: Omit<LabelSpan, "origin">[]): Promise<void> {
  const info = one.info;
  if (!info) return;
  const whole = (last: number): boolean => last >= info.frames;
  try {
    await patch<Clip, ClipChange>(`/api/clips/${one.id}`, {
      labels: spans.map(({ label, first, last }) => ({ label, from: first / info.fps, to: whole(last) ? null : last / info.fps })),
    });
    await loadDetail(one.id);
    await refresh();
  } catch (error) {
    complain(error);
  }
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

/** Results that were kept, to be compared with what is shown now. */

import { computed, signal } from "@preact/signals";
import { del, patch, post } from "../../api/client";
import type { KeptResult, NameRequest, Trashed } from "../../api/types";
import type { Motion } from "../../motion/motion";
import { keepAs } from "../../shell/keep-result";
import { resultMotion } from "../../state/motions";
import { complain, persisted, refresh, server, toast } from "../../state/store";
import { answer } from "./state";

// the first is the blue of what is walked now
const COLOURS = ["--c-kept-2", "--c-kept-3", "--c-kept-4", "--c-kept-5"] as const;

/** A kept result with the token of its colour. */
export interface Kept extends KeptResult {
  readonly colour: string;
}

/** ids of those that are shown beside the one of now */
export const shownIds = persisted<readonly string[]>("follow.kept", [], Array.isArray);
/** motions of those that are shown, as they arrive */
export const ghosts = signal<ReadonlyMap<string, Motion>>(new Map());

/** Walks that were kept, the oldest first, each with a colour of its own as long as there are enough. */
export const kept = computed<readonly Kept[]>(() =>
  (server.value?.results ?? [])
    .filter((one) => one.room === "follow" || one.room === "walk")
    .sort((one, other) => (one.modified < other.modified ? -1 : one.modified > other.modified ? 1 : 0))
    .map((one, index) => ({ ...one, colour: COLOURS[index % COLOURS.length] as string })),
);
/** those that are shown */
export const shown = computed(() => kept.value.filter((one) => shownIds.value.includes(one.id)));

/** Keep what is shown now under a name. */
export async function keep(name: string): Promise<void> {
  const now = answer.value;
  if (!now) return;
  try {
    const made = await keepAs(now.facts.id, name);
    shownIds.value = [...shownIds.value, made.id];
  } catch (error) {
    complain(error);
  }
}

/** Show one beside the one of now, or hide it. */
export function toggle(id: string): void {
  shownIds.value = shownIds.value.includes(id) ? shownIds.value.filter((one) => one !== id) : [...shownIds.value, id];
}

/** Give one another name. */
export async function rename(id: string, name: string): Promise<void> {
  try {
    const renamed = await patch<KeptResult, NameRequest>(`/api/results/${id}`, { name });
    // its id is that of its file
    shownIds.value = shownIds.value.map((one) => (one === id ? renamed.id : one));
    await refresh();
  } catch (error) {
    complain(error);
  }
}

/** Delete one; a toast takes it back. */
export async function remove(one: KeptResult): Promise<void> {
  try {
    const { trash } = await del<Trashed>(`/api/results/${one.id}`);
    await refresh();
    toast(`Deleted ${one.name}.`, "info", {
      label: "Undo",
      run: async () => {
        await post(`/api/trash/${trash}/restore`);
        await refresh();
      },
    });
  } catch (error) {
    complain(error);
  }
}

/** Fetch the motions of those that are shown and are not here yet; forget the others. */
export async function gather(): Promise<void> {
  const wanted = shown.value.map((one) => one.id);
  for (const id of wanted) {
    if (ghosts.value.has(id)) continue;
    try {
      const motion = await resultMotion(id);
      ghosts.value = new Map(ghosts.value).set(id, motion);
    } catch (error) {
      complain(error);
    }
  }
  // one that was deleted may come back under its name as another
  const left = [...ghosts.value].filter(([id]) => shown.value.some((one) => one.id === id));
  if (left.length !== ghosts.value.size) ghosts.value = new Map(left);
}

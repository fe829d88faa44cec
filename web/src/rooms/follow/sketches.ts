/** Paths that are kept in the workspace, where the command line reads them too. */

import { computed } from "@preact/signals";
import { del, get, put } from "../../api/client";
import type { Drawn, Entry, PathJSON } from "../../api/types";
import { Owned, type Saved } from "../../state/owned";
import { complain, refresh, server, toast } from "../../state/store";
import { loaded, sent } from "./drawing";
import { playNext } from "./search";
import { course, draw, placed } from "./state";

/** All sketches, by name. */
export const sketches = computed<readonly Entry[]>(() =>
  [...(server.value?.sketches ?? [])].sort((one, other) => one.name.localeCompare(other.name)),
);

const mine = new Owned("follow.sketches", "sketch");

/** Save the path under a name. An older one of that name is replaced where it is this tab's own; else it says so. */
export async function save(name: string, replace: boolean): Promise<Saved> {
  const path = sent(course.value.drawing);
  if (!path) return false;
  try {
    await refresh();
    const there = sketches.value.find((sketch) => sketch.name === name);
    const another = mine.another(there);
    if (another && !replace) return another;
    mine.own(await put<Entry, PathJSON>(address(name), path));
    await refresh();
    toast(`Saved the path as ${name}.`, "good");
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

/** Lay a sketch on the floor. */
export async function open(sketch: Entry): Promise<void> {
  try {
    const path = await get<PathJSON>(`/api/sketches/${sketch.id}`);
    const points =
      "shape" in path ? (await get<Drawn>(`/api/paths?shape=${encodeURIComponent(path.shape)}`)).points : [];
    playNext();
    draw(loaded(path, () => points));
    mine.own(sketch);
    placed.value += 1;
  } catch (error) {
    complain(error);
  }
}

/** Delete a sketch; a toast takes it back. */
export async function remove(sketch: Entry): Promise<void> {
  try {
    const path = await get<PathJSON>(`/api/sketches/${sketch.id}`);
    await del(`/api/sketches/${sketch.id}`);
    await refresh();
    toast(`Deleted the sketch ${sketch.name}.`, "info", {
      label: "Undo",
      run: async () => {
        await put<Entry, PathJSON>(address(sketch.name), path);
        await refresh();
      },
    });
  } catch (error) {
    complain(error);
  }
}

function address(name: string): string {
  return `/api/sketches/${encodeURIComponent(name)}`;
}

/** Scenes as files: opened, kept in the workspace, downloaded, copied. */

import { del, get, inquire, post, put } from "../../api/client";
import type { Entry, Recipe, SceneJSON, SceneText, Trashed } from "../../api/types";
import { copy } from "../../state/clipboard";
import { Owned, type Saved } from "../../state/owned";
import { complain, toast } from "../../state/store";
import { fileName } from "../../ui";
import { playNext } from "./search";
import { sent } from "./scene";
import { answer, edit, kept, open, scene } from "./state";

const mine = new Owned("direct.scenes", "scene");

/** Ask which scenes the workspace has. */
export async function list(): Promise<void> {
  try {
    kept.value = await get<Entry[]>("/api/scenes");
  } catch (error) {
    complain(error);
  }
}

/** Open a scene that a file of the user's holds; it can be undone. Whether it was one. */
export async function openFile(file: File): Promise<void> {
  try {
    const found = await inquire<SceneJSON, SceneText>("/api/scenes/read", { text: await file.text(), file: file.name });
    playNext();
    open({ ...found, name: found.name ?? file.name.replace(/\.\w+$/, "") }, true);
  } catch (error) {
    complain(error);
  }
}

/** Take a .toml or .json file that was dropped. */
export function dropped(files: File[]): boolean {
  const found = files.length === 1 && /\.(toml|json)$/i.test(files[0]!.name) ? files[0]! : null;
  if (found) void openFile(found);
  return found !== null;
}

/** Open a scene of the workspace. */
export async function openKept(entry: Entry): Promise<void> {
  try {
    const found = await get<SceneJSON>(`/api/scenes/${entry.id}`);
    playNext();
    open({ ...found, name: found.name ?? entry.name }, true);
    mine.own(entry);
  } catch (error) {
    complain(error);
  }
}

/** Save the scene in the workspace under a name. An older one of that name is replaced where it is this tab's own; else it says so. */
export async function save(name: string, replace: boolean): Promise<Saved> {
  try {
    const called = fileName(name, "scene");
    await list();
    const another = mine.another(kept.value.find((one) => one.name === called));
    if (another && !replace) return another;
    const made = await put<Entry, SceneJSON>(`/api/scenes/${encodeURIComponent(called)}`, sent({ ...scene.value, name }));
    mine.own(made);
    if (scene.value.name !== name) edit({ ...scene.value, name });
    await list();
    toast(`Saved as ${made.file}.`, "good");
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

/** Delete a scene of the workspace; a toast takes it back. */
export async function discard(entry: Entry): Promise<void> {
  try {
    const { trash } = await del<Trashed>(`/api/scenes/${entry.id}`);
    await list();
    toast(`Deleted ${entry.name}.`, "info", {
      label: "Undo",
      run: async () => {
        await post(`/api/trash/${trash}/restore`);
        await list();
      },
    });
  } catch (error) {
    complain(error);
  }
}

const written = (): Promise<SceneText> => inquire<SceneText, SceneJSON>("/api/scenes/write", sent(scene.value));

/** Copy the scene as TOML. */
export async function copyToml(): Promise<void> {
  try {
    await copy((await written()).text, "The scene");
  } catch (error) {
    complain(error);
  }
}

/** Copy what makes the shown motion again. */
export async function copyRecipe(part: keyof Recipe): Promise<void> {
  const now = answer.value;
  if (!now) return;
  try {
    const found = await get<Recipe>(`/api/results/${now.facts.id}/recipe?format=.glb&name=${encodeURIComponent(fileName(scene.value.name || "scene", "scene"))}`);
    await copy(found[part], part === "command" ? "The command" : "The Python script");
  } catch (error) {
    complain(error);
  }
}

/** Download the scene as a TOML file. */
export async function download(): Promise<void> {
  try {
    const { text } = await written();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
    link.download = `${fileName(scene.value.name || "scene", "scene")}.toml`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  } catch (error) {
    complain(error);
  }
}

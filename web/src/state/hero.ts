/** The character that the stage shows, if one was chosen: any rigged mesh of the workspace. */
import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { get, getBlob, getPack, post, sentence } from "../api/client";
import type { CharacterDetail, Entry, FitPack, MovedPack } from "../api/types";
import type { Motion } from "../motion/motion";
import { TALL } from "../stage/camera";
import { type Hero, heroMotion, type HeroMotion, HeroShape } from "../stage/hero";
import { addressOf } from "./motions";
import { stage } from "./stage";
import { complain, figure, persisted, refresh, server, toast } from "./store";

/** Endings of files that hold characters. */
export const ENDINGS = [".glb", ".gltf", ".vrm"] as const;

/** the chosen character's file in the workspace; null: mannequins */
export const heroFile = persisted<string | null>("character", null, (value) => value === null || typeof value === "string");
export const characters = computed<readonly Entry[]>(() => server.value?.characters ?? []);
/** the chosen character; null where there is none (any more) */
export const hero = computed<Entry | null>(() => characters.value.find((one) => one.file === heroFile.value) ?? null);
/** whether it is on its way */
export const coming = signal(false);

/** bytes that were dropped here, which need not be fetched again */
const dropped = new Map<string, Promise<HeroShape>>();

/** Have the stage follow what is chosen; returns what ends it. */
export function follow(): () => void {
  let newest = 0;
  // a file that was replaced is another character; the same one in a newer state is not
  const version = computed(() => hero.value && `${hero.value.id} ${hero.value.modified} ${hero.value.size}`);
  return effect(() => {
    const on = stage.value;
    void version.value;
    if (!on) return;
    const turn = ++newest;
    untracked(() => {
      const chosen = hero.value;
      if (!chosen) return void replace(null);
      coming.value = true;
      shapeOf(chosen)
        .then(({ shape, notices }) => {
          if (turn !== newest) return shape.dispose();
          const height = shape.height();
          const poses = async (motion: Motion): Promise<HeroMotion | null> => {
            const found = await posesOf(chosen, motion);
            // it is seen whole from then on, wherever the camera is asked to look
            if (found && turn === newest) on.camera.tall = Math.max(TALL, found.size * height);
            return found;
          };
          replace({ shape, poses });
          for (const notice of notices.slice(0, 2)) toast(`${chosen.name}: ${notice}.`);
        })
        .catch((error: unknown) => {
          if (turn !== newest) return;
          replace(null);
          complain(error);
        })
        .finally(() => turn === newest && (coming.value = false));
    });
    function replace(next: Hero | null): void {
      const before = on!.hero;
      on!.hero = next;
      on!.camera.tall = TALL;
      before?.shape.dispose();
    }
  });
}

async function shapeOf(chosen: Entry): Promise<{ shape: HeroShape; notices: readonly string[] }> {
  const known = dropped.get(chosen.file);
  dropped.delete(chosen.file);
  const shape = known ?? getBlob(`/api/characters/${chosen.id}/file`).then((blob) => blob.arrayBuffer()).then((bytes) => HeroShape.of(bytes)); // prettier-ignore
  shape.catch(() => {}); // told below, where both are waited for
  // refusals first: they say more than a loader does
  const detail = await get<CharacterDetail>(`/api/characters/${chosen.id}`);
  try {
    return { shape: await shape, notices: detail.notices };
  } catch (error) {
    throw new Error(`${chosen.name} cannot be shown. ${sentence(error)}`);
  }
}

const MOST = 24;
const known = new Map<string, Promise<HeroMotion | null>>();

/** The poses of a motion on a character; null for motions that are of no clip or result, and where the server refuses. */
function posesOf(chosen: Entry, motion: Motion): Promise<HeroMotion | null> {
  const address = addressOf(motion);
  if (!address) return Promise.resolve(null);
  const key = `${address.key} on ${chosen.id} ${chosen.modified}`;
  let found = known.get(key);
  if (!found) {
    found = getPack<MovedPack | FitPack>(`${address.url}/on/${chosen.id}`)
      .then(heroMotion)
      .catch((error: unknown) => {
        known.delete(key);
        complain(error);
        return null;
      });
    known.set(key, found);
    for (const old of known.keys()) {
      if (known.size <= MOST) break;
      known.delete(old);
    }
  }
  return found;
}

/** Whether a file may hold a character, by its name. */
export function mayBeCharacter(file: File): boolean {
  return ENDINGS.some((ending) => file.name.toLowerCase().endsWith(ending));
}

/** Take a file as a character, and show it; otherwise: what else it might be taken as. */
export async function takeCharacter(file: File, otherwise?: () => void): Promise<void> {
  const form = new FormData();
  form.append("files", file, file.name);
  coming.value = true;
  // parsed here while the server looks at it
  const shape = file.arrayBuffer().then((bytes) => HeroShape.of(bytes));
  shape.catch(() => {});
  try {
    const taken = await post<Entry, FormData>("/api/characters", form);
    dropped.set(taken.file, shape);
    batch(() => {
      const state = server.value;
      if (state && !state.characters.some((one) => one.id === taken.id)) server.value = { ...state, characters: [...state.characters, taken] };
      figure.value = "mannequin";
      heroFile.value = taken.file;
    });
    const clip = otherwise && { label: "Take it as a clip", run: otherwise };
    toast(`${taken.name} is the body on the stage now.`, "good", clip);
    void refresh();
  } catch (error) {
    coming.value = false;
    complain(error, otherwise && { label: "Take it as a clip", run: otherwise });
  }
}

/** Ask for a character by the browser's own dialogue. */
export function chooseCharacter(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ENDINGS.join(",");
  input.onchange = () => input.files?.[0] && void takeCharacter(input.files[0]);
  input.click();
}

/** What the export room holds: what is exported, as what, with which options, and the commands that do the same. */

import { computed, effect, signal, untracked } from "@preact/signals";
import { get, isAborted, post, sentence } from "../../api/client";
import { latest } from "../../api/latest";
import type { Entry, ExportRequest, Job, Recipe, WriteFormat, Written } from "../../api/types";
import { hero } from "../../state/hero";
import { clips, complain, finished, noteJob, persisted, refresh, result, selection, server, toast } from "../../state/store";
import { fileName as named } from "../../ui";
import { cardsOf, DEFAULTS, listed, optionsFor, type Settings } from "./formats";

/** What is exported. */
export interface Source {
  readonly kind: "clip" | "result";
  readonly id: string;
  readonly name: string;
  /** what it is, in a few words */
  readonly what: string;
}

const key = (source: Source) => `${source.kind} ${source.id}`;

const kept = persisted<Settings>("export.settings", DEFAULTS, (value) => typeof value === "object" && value !== null && "up" in value);
/** how it is written: on the stage's character, unless that was declined */
export const settings = computed<Settings>(() => ({ ...kept.value, character: onCharacter.value ? (hero.value?.id ?? null) : null }));
/** whether the character that is on the stage is written too */
export const onCharacter = persisted("export.character", true, (value) => typeof value === "boolean");

/** Change some settings. */
export function set(part: Partial<Settings>): void {
  kept.value = { ...kept.value, ...part };
}
/** the ending that was chosen last */
const suffix = persisted<string>("export.suffix", ".glb", (value) => typeof value === "string");
/** the source that was chosen by hand, as "kind id"; null: what was last made or looked at */
const wanted = signal<string | null>(null);
/** the name that was typed; null: that of the source */
export const typed = signal<string | null>(null);
/** the same by other means: a line for the shell and a script */
export const recipe = signal<Recipe | null>(null);
export const recipeProblem = signal<string | null>(null);
/** why what is to be exported cannot be shown */
export const shownProblem = signal<string | null>(null);
export const exporting = signal(false);
/** the file that was written last */
export const written = signal<Entry | null>(null);

/** All that can be exported: what is on screen first. */
export const sources = computed<Source[]>(() => {
  const found: Source[] = [];
  const add = (source: Source) => {
    if (!found.some((other) => key(other) === key(source))) found.push(source);
  };
  const facts = result.value?.facts.result;
  if (facts) add({ kind: "result", id: facts.id, name: facts.title, what: "the result on screen" });
  const clip = clips.value.find((each) => each.id === selection.value.clip);
  if (clip) add({ kind: "clip", id: clip.id, name: clip.name, what: "the clip that is open" });
  for (const kept of server.value?.results ?? []) add({ kind: "result", id: kept.id, name: kept.name, what: "kept result" });
  for (const each of clips.value) if (!each.info?.error) add({ kind: "clip", id: each.id, name: each.name, what: "clip" });
  return found;
});
export const source = computed<Source | null>(() => sources.value.find((each) => key(each) === wanted.value) ?? sources.value[0] ?? null);
export const sourceKey = computed(() => (source.value ? key(source.value) : ""));
/** The name of the file to be written, without its ending. */
export const fileName = computed(() => typed.value ?? named(source.value?.name ?? ""));
export const cards = computed(() => cardsOf(server.value?.formats.write ?? []));
/** The format that is chosen, with its ending; null until the server has told what there is. */
export const format = computed<WriteFormat | null>(() => {
  const all = cards.value.flatMap((card) => card.endings);
  return all.find((each) => each.suffix === suffix.value) ?? all[0] ?? null;
});
export const card = computed(() => cards.value.find((each) => each.name === format.value?.format) ?? null);
/** What was written, the newest first; sidecars go with their files. */
export const exports = computed(() => listed(server.value?.exports ?? []));

/** Write it in another format. */
export function chooseFormat(ending: WriteFormat): void {
  suffix.value = ending.suffix;
}

/** Export another motion. */
export function choose(next: string): void {
  wanted.value = next;
  typed.value = null;
}

const asking = latest(
  (url: string, abort: AbortSignal) => get<Recipe>(url, abort),
  (found) => {
    recipe.value = found;
    recipeProblem.value = null;
  },
  (failure) => {
    if (isAborted(failure)) return;
    recipe.value = null;
    recipeProblem.value = sentence(failure);
  },
);

/** Begin to follow what is chosen and set; returns what ends it. */
export function begin(): () => void {
  const end = effect(() => {
    const [from, as] = [source.value, format.value];
    const query = new URLSearchParams({ format: as?.suffix ?? "" });
    if (fileName.value) query.set("name", fileName.value);
    for (const [option, value] of Object.entries(as ? optionsFor(as, settings.value) : {})) if (value !== undefined) query.set(option, String(value));
    if (!from || !as) recipe.value = null;
    else untracked(() => asking.request(`/api/${from.kind}s/${from.id}/recipe?${query}`));
  });
  return () => {
    end();
    asking.cancel();
  };
}

/** Write the file with its sidecar. Films take a while and are jobs. */
export async function write(): Promise<void> {
  const [from, as] = [source.value, format.value];
  if (!from || !as || exporting.value) return;
  exporting.value = true;
  try {
    const body: ExportRequest = {
      source: { kind: from.kind, id: from.id },
      // the types know those that the page was built with; there may be others by now
      format: as.suffix as ExportRequest["format"],
      name: fileName.value,
      options: optionsFor(as, settings.value),
    };
    const answer = await post<Written | Job, ExportRequest>("/api/export", body);
    let done: Partial<Written> = {};
    if ("state" in answer) {
      noteJob(answer);
      const ended = await finished(answer.id);
      if (ended.state !== "done") return;
      done = (ended.result ?? {}) as Partial<Written>;
    } else done = answer;
    await refresh();
    if (!done.export) return;
    written.value = done.export;
    const entry = done.export;
    toast(`${entry.file} was written.`, "good", { label: "Download", run: () => download(entry) });
  } catch (failure) {
    complain(failure);
  } finally {
    exporting.value = false;
  }
}

/** The address of an export's file. */
export function address(entry: Entry): string {
  return `/api/exports/${entry.id}/file`;
}

/** Download an export. */
export function download(entry: Entry): void {
  const link = document.createElement("a");
  link.href = address(entry);
  link.download = entry.file.split("/").at(-1) ?? entry.name;
  link.click();
}

/** What can be written, as the server tells it: cards to choose from, and the options that a format takes. */

import type { Entry, ExportOptions, Recipe, WriteFormat } from "../../api/types";

/** An option of an export. */
export type OptionName = keyof ExportOptions;

/** One format to choose, with all its endings: more than one where the same is written as text or packed. */
export interface FormatCard {
  readonly name: string;
  readonly endings: readonly WriteFormat[];
}

/** All formats in the order in which they are shown, those that are packed before those that are text. */
export function cardsOf(formats: readonly WriteFormat[]): FormatCard[] {
  const ordered = [...formats].sort((one, other) => one.shown - other.shown || Number(one.textual) - Number(other.textual));
  const names = [...new Set(ordered.map((each) => each.format))];
  return names.map((name) => ({ name, endings: ordered.filter((each) => each.format === name) }));
}

/** What an ending is called beside the others of its card. */
export function endingName(ending: WriteFormat, card: FormatCard): string {
  if (ending.textual) return "Text";
  return card.endings.some((other) => other.textual) ? "Binary" : ending.suffix;
}

/** The options that are set; all are kept while another format is shown. */
export type Settings = Required<ExportOptions> & { readonly up: "y" | "z" };

export const DEFAULTS: Settings = { fps: null, in_place: false, t_pose: false, units: null, up: "y", character: null };

/** What the server is told: only what the format takes, and only what differs from what it does anyway; the rest is undefined. */
export function optionsFor({ takes }: Pick<WriteFormat, "takes">, settings: Settings): ExportOptions {
  const told = <Name extends OptionName>(name: Name): Settings[Name] | undefined =>
    takes.includes(name) && settings[name] !== DEFAULTS[name] ? settings[name] : undefined;
  const character = told("character");
  const [fps, in_place] = [told("fps"), told("in_place")];
  // a character's file stays as it is
  if (character) return { fps, in_place, character };
  return { fps, in_place, t_pose: told("t_pose"), units: told("units"), up: told("up") };
}

/** What is to be typed to have a format, where a reason names it. */
export function installLine(why: string): string | null {
  return /pip install (?:'[^']+'|"[^"]+"|\S+)/.exec(why)?.[0] ?? null;
}

/** A recipe that can be run from anywhere: it begins by going to the folder that its files are in. */
export function placed({ command, python }: Recipe, folder: string): Recipe {
  const plain = /^[\w@%+=:,./-]+$/.test(folder);
  const quoted = plain ? folder : folder.includes("\\") ? `"${folder}"` : `'${folder.replaceAll("'", `'"'"'`)}'`;
  return { command: `cd ${quoted}\n${command}`, python: `import os\n\nos.chdir(${JSON.stringify(folder)})\n\n${python}` };
}

/** Exports the newest first, without the sidecars of those that are there. */
export function listed(entries: readonly Entry[]): Entry[] {
  const files = new Set(entries.map((entry) => entry.file));
  const own = entries.filter((entry) => !(entry.file.endsWith(".json") && files.has(entry.file.slice(0, -".json".length))));
  return own.sort((one, other) => (one.modified < other.modified ? 1 : one.modified > other.modified ? -1 : 0));
}

/** A size in bytes for people. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, "kB"] : bytes < 1e9 ? [bytes / 1e6, "MB"] : [bytes / 1e9, "GB"];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

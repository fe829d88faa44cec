/** What can be written, what each format is for, and which options it takes. */

import type { Entry, ExportOptions, WriteFormat } from "../../api/types";

/** An option of an export. */
export type OptionName = keyof ExportOptions;

/** One format to choose. endings: more than one where the same is written as text or packed. use: what it is for; more: the same as a sentence. */
export interface FormatCard {
  readonly key: string;
  readonly name: string;
  readonly endings: readonly string[];
  readonly use: string;
  readonly more: string;
  readonly takes: readonly OptionName[];
  /** the unit in which it is written unless told */
  readonly unit?: string;
}

const MOTION = ["fps", "in_place", "t_pose"] as const;

/** All formats in the order in which they are shown. */
export const CARDS: readonly FormatCard[] = [
  { key: "glb", name: "GLB", endings: [".glb", ".gltf"], use: "Blender, Godot, three.js.", more: "Body, bones and animation in one file: the safest way into Blender, Godot and three.js.", takes: MOTION },
  { key: "fbx", name: "FBX", endings: [".fbx"], use: "Unity and Unreal.", more: "For Unity and Unreal, with bones that they take for a rig of their own.", takes: [...MOTION, "units", "up"], unit: "cm" },
  { key: "usd", name: "USD", endings: [".usdc", ".usda"], use: "Maya, Houdini, Omniverse.", more: "A skinned body as UsdSkel, for Maya, Houdini, Omniverse and usdview.", takes: [...MOTION, "units", "up"], unit: "m" },
  { key: "bvh", name: "BVH", endings: [".bvh"], use: "Nearly every mocap tool.", more: "What nearly every mocap tool reads, and kinegraph itself.", takes: [...MOTION, "units"], unit: "cm" },
  { key: "amc", name: "AMC", endings: [".amc"], use: "Acclaim tools.", more: "For tools that read Acclaim files; the skeleton is written beside it as ASF.", takes: MOTION },
  { key: "npz", name: "NPZ", endings: [".npz"], use: "NumPy, with nothing lost.", more: "Every number as it is, for NumPy and for kinegraph.", takes: MOTION },
  { key: "csv", name: "CSV", endings: [".csv"], use: "Spreadsheets and notebooks.", more: "Joint positions in a table, a row a frame, for spreadsheets and notebooks.", takes: [...MOTION, "units", "up"], unit: "m" },
  { key: "html", name: "Player", endings: [".html"], use: "A page that plays it.", more: "One page that plays the motion in any browser, with no network.", takes: ["fps"] },
  { key: "mp4", name: "MP4", endings: [".mp4"], use: "A film for slides.", more: "A film for slides and messages.", takes: ["fps"] },
  { key: "gif", name: "GIF", endings: [".gif"], use: "A film for any page.", more: "A film that plays anywhere, also where no films are allowed.", takes: ["fps"] },
  { key: "png", name: "PNG", endings: [".png"], use: "Poses for print.", more: "A strip of poses, for print and reports.", takes: [] },
]; // prettier-ignore

/** Endings under which a format is written as text and not packed. */
export const TEXTUAL = new Set([".gltf", ".usda"]);

/** The card of an ending such as `.bvh`. */
export function cardOf(suffix: string): FormatCard {
  return CARDS.find((card) => card.endings.includes(suffix)) ?? CARDS[0]!;
}

/** Whether this machine can write an ending, and why not: the server's word, which ends with what to install. */
export function availability(suffix: string, formats: readonly WriteFormat[]): { available: boolean; why: string | null } {
  const told = formats.find((each) => each.suffix === suffix);
  if (!told) return { available: false, why: "This version of the studio does not write it." };
  return { available: told.available, why: told.available ? null : told.why };
}

/** The options that are set; all are kept while another format is shown. */
export type Settings = Required<ExportOptions> & { readonly up: "y" | "z" };

export const DEFAULTS: Settings = { fps: null, in_place: false, t_pose: false, units: null, up: "y" };

/** What the server is told: only what the format takes, and only what differs from what it does anyway; the rest is undefined. */
export function optionsFor(suffix: string, settings: Settings): ExportOptions {
  const { takes } = cardOf(suffix);
  const told = <Name extends OptionName>(name: Name): Settings[Name] | undefined =>
    takes.includes(name) && settings[name] !== DEFAULTS[name] ? settings[name] : undefined;
  return { fps: told("fps"), in_place: told("in_place"), t_pose: told("t_pose"), units: told("units"), up: told("up") };
}

/** What is to be typed to have a format, where a reason names it. */
export function installLine(why: string): string | null {
  return /pip install (?:'[^']+'|"[^"]+"|\S+)/.exec(why)?.[0] ?? null;
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

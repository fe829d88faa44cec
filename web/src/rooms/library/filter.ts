/** Which clips are listed, and in which order. */
import type { Clip } from "../../api/types";

export type Order = "name" | "newest" | "longest" | "farthest";

export const ORDERS: { value: Order; label: string }[] = [
  { value: "name", label: "By name" },
  { value: "newest", label: "Newest first" },
  { value: "longest", label: "Longest first" },
  { value: "farthest", label: "Farthest first" },
];

const byName = new Intl.Collator("en", { numeric: true, sensitivity: "base" }).compare;

const COMPARE: Record<Order, (a: Clip, b: Clip) => number> = {
  name: (a, b) => byName(a.name, b.name) || byName(a.file, b.file),
  newest: (a, b) => String(b.modified).localeCompare(String(a.modified)) || byName(a.name, b.name),
  longest: (a, b) => (b.info?.seconds ?? -1) - (a.info?.seconds ?? -1) || byName(a.name, b.name),
  farthest: (a, b) => (b.info?.distance_m ?? -1) - (a.info?.distance_m ?? -1) || byName(a.name, b.name),
};

/** Clips whose name or labels hold every word of the search, which have all the labels chosen, and lie in the folder; null: in any. */
export function listed(clips: readonly Clip[], search: string, labels: readonly string[], order: Order, folder: string | null = null): Clip[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return clips
    .filter((clip) => {
      const own = clip.info?.labels ?? [];
      const text = `${clip.name} ${clip.file} ${own.join(" ")}`.toLowerCase();
      return (folder === null || folderOf(clip) === folder) && words.every((word) => text.includes(word)) && labels.every((label) => own.includes(label));
    })
    .sort(COMPARE[order]);
}

/** All labels of some clips with how many clips have each, the most frequent first. */
export function labelCounts(clips: readonly Clip[]): [label: string, count: number][] {
  return counted(clips.flatMap((clip) => clip.info?.labels ?? [])).sort((a, b) => b[1] - a[1] || byName(a[0], b[0]));
}

/** The folder of a clip's file within the workspace; "" is the workspace itself. */
export function folderOf(clip: Pick<Clip, "file">): string {
  return clip.file.slice(0, Math.max(clip.file.lastIndexOf("/"), 0));
}

/** The folders of some clips with how many lie in each, by name. */
export function folderCounts(clips: readonly Clip[]): [folder: string, count: number][] {
  return counted(clips.map(folderOf)).sort((a, b) => byName(a[0], b[0]));
}

function counted(words: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts];
}

/** The clips of a list from one to another, both with it, in whichever order they stand; the other alone where one is not in the list. */
export function between(list: readonly Clip[], one: string | null, other: string): string[] {
  const [from, to] = [list.findIndex((clip) => clip.id === one), list.findIndex((clip) => clip.id === other)];
  if (from < 0 || to < 0) return [other];
  return list.slice(Math.min(from, to), Math.max(from, to) + 1).map((clip) => clip.id);
}

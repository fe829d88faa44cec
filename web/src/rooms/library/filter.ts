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
  name: (a, b) => byName(a.name, b.name),
  newest: (a, b) => String(b.modified).localeCompare(String(a.modified)) || byName(a.name, b.name),
  longest: (a, b) => (b.info?.seconds ?? -1) - (a.info?.seconds ?? -1) || byName(a.name, b.name),
  farthest: (a, b) => (b.info?.distance_m ?? -1) - (a.info?.distance_m ?? -1) || byName(a.name, b.name),
};

/** Clips whose name or labels hold every word of the search, and which have all the labels chosen. */
export function listed(clips: readonly Clip[], search: string, labels: readonly string[], order: Order): Clip[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return clips
    .filter((clip) => {
      const own = clip.info?.labels ?? [];
      const text = `${clip.name} ${clip.file} ${own.join(" ")}`.toLowerCase();
      return words.every((word) => text.includes(word)) && labels.every((label) => own.includes(label));
    })
    .sort(COMPARE[order]);
}

/** All labels of some clips with how many clips have each, the most frequent first. */
export function labelCounts(clips: readonly Clip[]): [label: string, count: number][] {
  const counts = new Map<string, number>();
  for (const clip of clips) for (const label of clip.info?.labels ?? []) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || byName(a[0], b[0]));
}

/** Finding clips by words and by label. */

interface Named {
  name: string;
  info: { labels: readonly string[] } | null;
}

/** The clips whose name or labels hold every word, whatever the case. */
export function found<C extends Named>(clips: readonly C[], words: string): C[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return clips.filter((clip) => {
    const text = [clip.name, ...(clip.info?.labels ?? [])].join(" ").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** The labels there are with their clips, the most common first. */
export function labelsOf<C extends Named>(clips: readonly C[]): { label: string; clips: C[] }[] {
  const by = new Map<string, C[]>();
  for (const clip of clips) for (const label of new Set(clip.info?.labels ?? [])) by.set(label, [...(by.get(label) ?? []), clip]);
  const labels = [...by].map(([label, clips]) => ({ label, clips }));
  return labels.sort((a, b) => b.clips.length - a.clips.length || (a.label < b.label ? -1 : 1));
}

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

interface Filed extends Named {
  id: string;
  file: string;
  made_by: string | null;
}

/**
 * Clips that a new graph does not take unless told, with the reason: results of ours, which repeat what their clips hold, and those
 * whose name an earlier clip has, since a graph has one clip of a name.
 */
export function unfit(clips: readonly Filed[]): Map<string, string> {
  const reasons = new Map<string, string>();
  const first = new Map<string, Filed>();
  for (const clip of clips) {
    if (clip.made_by !== null) reasons.set(clip.id, "a result of kinegraph's");
    else if (first.has(clip.name)) reasons.set(clip.id, `same name as ${first.get(clip.name)!.file}`);
    else first.set(clip.name, clip);
  }
  return reasons;
}

/** The clips that a form takes: all but those left out, and those that do not fit only where they are asked for. */
export function taken<C extends Filed>(clips: readonly C[], left: readonly string[], asked: readonly string[]): C[] {
  const reasons = unfit(clips);
  const names = new Set<string>();
  const out = new Set(left);
  // what is asked for goes before another of its name
  const first = new Set(clips.filter((clip) => asked.includes(clip.id) && reasons.has(clip.id)).map((clip) => clip.id));
  const wanted = [...clips.filter((clip) => first.has(clip.id)), ...clips.filter((clip) => !first.has(clip.id) && !reasons.has(clip.id) && !out.has(clip.id))];
  const kept = new Set(wanted.filter((clip) => !names.has(clip.name) && names.add(clip.name)).map((clip) => clip.id));
  return clips.filter((clip) => kept.has(clip.id));
}

/** The labels there are with their clips, the most common first. */
export function labelsOf<C extends Named>(clips: readonly C[]): { label: string; clips: C[] }[] {
  const by = new Map<string, C[]>();
  for (const clip of clips) for (const label of new Set(clip.info?.labels ?? [])) by.set(label, [...(by.get(label) ?? []), clip]);
  const labels = [...by].map(([label, clips]) => ({ label, clips }));
  return labels.sort((a, b) => b.clips.length - a.clips.length || (a.label < b.label ? -1 : 1));
}

/** Stretches of frames: which label shows where, what is kept, and which parts of which clips a walk plays. */
import { labelColour } from "../../ui/label-colour";

/** Frames `first` … `last`−1 that bear a label; an empty one means none. */
export interface Labelled {
  label: string;
  first: number;
  last: number;
}

/**
 * The whole clip as stretches with one label each, in order.
 *
 * Where several labels hold, the one of the shortest span shows: it says more of the moment.
 */
export function shownLabels(frames: number, spans: readonly Labelled[]): Labelled[] {
  const shown = new Int32Array(frames).fill(-1);
  const ordered = [...spans].sort((a, b) => b.last - b.first - (a.last - a.first));
  ordered.forEach((span, n) => shown.fill(n, Math.max(0, span.first), Math.min(frames, span.last)));
  const found: Labelled[] = [];
  for (let first = 0; first < frames; ) {
    let last = first + 1;
    while (last < frames && shown[last] === shown[first]) last += 1;
    found.push({ label: ordered[shown[first]!]?.label ?? "", first, last });
    first = last;
  }
  return found;
}

/** What of the stretches lies within the kept frames. */
export function keptOf(stretches: readonly Labelled[], kept: readonly (readonly [number, number])[]): Labelled[] {
  return stretches.flatMap(({ label, first, last }) =>
    kept
      .map(([from, to]) => ({ label, first: Math.max(first, from), last: Math.min(last, to) }))
      .filter((part) => part.last > part.first),
  );
}

/** The colour of what bears no label. */
export const OTHER = "--c-other";

/** Label → the token of its colour, the label that holds longest first. */
export function labelColours(stretches: readonly Labelled[]): Map<string, string> {
  const frames = new Map<string, number>();
  for (const { label, first, last } of stretches) if (label) frames.set(label, (frames.get(label) ?? 0) + last - first);
  const often = [...frames.keys()].sort((a, b) => frames.get(b)! - frames.get(a)! || (a < b ? -1 : 1));
  return new Map(often.map((label) => [label, labelColour(label)]));
}

/** Places in one list of names as places in another: -1 where a name is not in it. */
export function renumbered(places: ArrayLike<number>, names: readonly string[], others: readonly string[]): Int32Array {
  const by = new Map(others.map((name, n) => [name, n]));
  const to = names.map((name) => by.get(name) ?? -1);
  return Int32Array.from({ length: places.length }, (_, n) => to[places[n]!] ?? -1);
}

/** Frames `from` … `to`−1 of a walk play frames `first` … `last`−1 of a clip. */
export interface Played {
  clip: number;
  first: number;
  last: number;
  from: number;
  to: number;
}

/** The stretches of clips that a walk plays, one after another, by the clip and the frame of each of its frames. */
export function playedStretches(clip: ArrayLike<number>, frame: ArrayLike<number>): Played[] {
  const found: Played[] = [];
  for (let from = 0; from < clip.length; ) {
    let to = from + 1;
    // a transition may repeat or skip a frame; more than a few is a jump to another place
    while (to < clip.length && clip[to] === clip[from] && frame[to]! >= frame[to - 1]! && frame[to]! - frame[to - 1]! <= 3) to += 1;
    if (clip[from]! >= 0) found.push({ clip: clip[from]!, first: frame[from]!, last: frame[to - 1]! + 1, from, to });
    from = to;
  }
  return found;
}

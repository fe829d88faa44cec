/** One colour for a label, in every room: on timelines, chips, paths and tracks. */

/** How many colours there are; `--c-label-1` and so on in the style sheet. */
const COLOURS = 12;

/** What automatic labels and the usual words of names have, so that those that are often seen together stay apart. */
const KNOWN: Readonly<Record<string, number>> = {
  walk: 1, run: 2, stand: 11, jump: 4, turn_left: 3, turn_right: 5, sneak: 8, punch: 6, kick: 10, backward: 7, sideways: 9,
  sit: 12, crouch: 7, lie: 8, crawl: 9, climb: 9, wave: 10, reach: 5, start: 9, stop: 12, other: 12,
}; // prettier-ignore

/** The token of a label's colour. It depends on the label alone, so it is the same everywhere and always. */
export function labelColour(label: string): string {
  if (!label) return "--text-3";
  return `--c-label-${KNOWN[label] ?? 1 + (hash(label) % COLOURS)}`;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value;
}

/** Words as people read them. */

/** With a capital at its beginning. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A notice as a sentence: begun with a capital, ended with a stop. */
export function sentenceCase(text: string): string {
  const begun = capital(text.trim());
  return !begun || /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** A title as a name that a file can have: letters, digits, spaces, points, hyphens and underscores. otherwise: where nothing is left of it. */
export function fileName(title: string, otherwise = "motion", most = 80): string {
  const plain = title.replace(/[^\p{L}\p{N} ._-]+/gu, " ").replace(/\s+/g, " ").replace(/^[ .]+/, "");
  return plain.slice(0, most).trim() || otherwise;
}

/** Characters of a name's end that are always seen. */
const TAIL = 9;

/** A name in two: its beginning, which is cut where there is no room, and its end, which tells takes of one session apart. Short names are whole. */
export function parted(name: string): [head: string, tail: string] {
  if (name.length <= 2 * TAIL) return [name, ""];
  // not within a number or a word, where there is a sign near by
  const tail = /[_\-. ][^_\-. ]{1,8}(?:[_\-. ][^_\-. ]{1,4})?$/.exec(name)?.[0] ?? name.slice(-TAIL);
  return tail.length <= TAIL + 4 ? [name.slice(0, -tail.length), tail] : [name.slice(0, -TAIL), name.slice(-TAIL)];
}

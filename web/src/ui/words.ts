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

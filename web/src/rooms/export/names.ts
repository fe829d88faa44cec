/** Names of files. */

/** A title as a name that the server takes for a file. */
export function named(title: string): string {
  const tidy = title.replace(/[^\p{L}\p{N} ._-]+/gu, " ").replace(/\s+/g, " ").trim();
  return tidy.replace(/^[. ]+/, "").slice(0, 80).trim() || "motion";
}

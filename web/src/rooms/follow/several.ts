/** Several labels at once: walk+happy, walk|run, !jump. The server understands and refuses them; here they are only offered. */

const WORDS = ["and", "or", "not"];

/** The labels that a text names. */
export function namesIn(text: string): string[] {
  return (text.match(/[A-Za-z0-9_-]+/g) ?? []).filter((name) => !WORDS.includes(name));
}

/** Why a text cannot be offered beside the labels of a graph; null where it can. */
export function doubt(text: string, labels: readonly string[]): string | null {
  const names = namesIn(text);
  const strange = names.find((name) => !labels.includes(name));
  if (strange !== undefined) return `No frame of this graph is labelled ${strange}.`;
  if (names.length === 0 || !/[+|!()]|\b(and|or|not)\b/.test(text)) return "Say walk+happy for both, walk|run for either, !jump for not.";
  return null;
}

/** The labels of a graph, and behind them what was said of several of them, as far as it has these. */
export function offered(labels: readonly string[], said: readonly string[]): readonly string[] {
  return [...labels, ...said.filter((text) => !labels.includes(text) && doubt(text, labels) === null)];
}

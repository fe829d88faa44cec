/** The figures of a result, as the page tells them. Numbers are the server's, only rounded for reading. */

import type { ResultFacts, Turns } from "../../api/types";
import { sentenceCase } from "../../ui/words";
import type { Stretch } from "./sections";

/** Mean and maximum. */
export interface Spread {
  readonly mean: number;
  readonly max: number;
}

/** The few figures that are compared. */
export interface Figures {
  readonly deviation: Spread | null;
  readonly slide: Spread | null;
  /** how feet slide in the clips, seen as in the result */
  readonly clipsSlide: Spread | null;
  readonly transitions: number | null;
  readonly seconds: number | null;
  readonly walked: number | null;
}

/** Those of the quality that the server tells; all null where it tells none. */
export function figures(quality: Record<string, unknown> | null | undefined): Figures {
  const told = quality ?? {};
  return {
    deviation: spread(told["deviation_cm"]),
    slide: spread(told["slide_mm"]),
    clipsSlide: spread((told["source_feet"] as Record<string, unknown> | null | undefined)?.["slide_mm"]),
    transitions: number(told["transitions"]),
    seconds: number(told["seconds"]),
    walked: number(told["walked_m"]),
  };
}

/** Where the result bears the labels that were painted, as the quality tells it. */
export function given(quality: Record<string, unknown> | null | undefined): readonly Stretch[] {
  const sections = quality?.["sections"];
  if (!Array.isArray(sections)) return [];
  return sections.flatMap(({ label, given_m }: { label: string; given_m: readonly [number, number] | null }) =>
    given_m ? [{ label, first: given_m[0], last: given_m[1] }] : [],
  );
}

/** Metres and share by which what is given of a stretch may differ before it is worth a word. */
const [APART, BORNE] = [0.3, 0.9];

/** What to say of painted labels that are given elsewhere, or only in part. */
export function givenInWords(quality: Record<string, unknown> | null | undefined): readonly string[] {
  const sections = quality?.["sections"];
  if (!Array.isArray(sections)) return [];
  return sections.flatMap(({ label, asked_m: [from, to], given_m: got, share }: Section) => {
    const asked = `${label} from ${from.toFixed(1)} to ${to.toFixed(1)} m`;
    if (!got) return [`${asked} is not given: changing to it and from it takes more metres than these.`];
    if (Math.abs(got[0] - from) <= APART && Math.abs(got[1] - to) <= APART && share >= BORNE) return [];
    return [`${asked} comes from ${got[0].toFixed(1)} to ${got[1].toFixed(1)} m, on ${percent(share)} of its stretch.`];
  });
}

interface Section {
  label: string;
  asked_m: readonly [number, number];
  given_m: readonly [number, number] | null;
  share: number;
}

/** How tightly people turn about in a graph, in a sentence; empty until that is known. */
export function turnsInWords(turns: Turns | null): string {
  if (!turns) return "";
  const { left_m: left, right_m: right } = turns;
  if (left === null && right === null) return "Nobody turns about in it.";
  const one = (metres: number | null, side: string) => (metres === null ? `not to the ${side}` : `${metres} m to the ${side}`);
  return left === right ? `The tightest turn has a radius of ${left} m.` : `The tightest turns have a radius of ${one(left, "left")}, ${one(right, "right")}.`;
}

/** One line of a table that compares results. */
export interface Row {
  readonly name: string;
  readonly unit: string;
  /** whether less is better; null where neither is */
  readonly less: boolean | null;
  value(of: Figures): number | null;
  digits: number;
}

export const ROWS: readonly Row[] = [
  { name: "Off the path, mean", unit: "cm", less: true, digits: 1, value: (of) => of.deviation?.mean ?? null },
  { name: "Off the path, most", unit: "cm", less: true, digits: 1, value: (of) => of.deviation?.max ?? null },
  { name: "Feet slide, mean", unit: "mm", less: true, digits: 1, value: (of) => of.slide?.mean ?? null },
  { name: "Feet slide, most", unit: "mm", less: true, digits: 1, value: (of) => of.slide?.max ?? null },
  { name: "Transitions", unit: "", less: null, digits: 0, value: (of) => of.transitions },
  { name: "Time", unit: "s", less: null, digits: 1, value: (of) => of.seconds },
  { name: "Walked", unit: "m", less: null, digits: 1, value: (of) => of.walked },
];

/** A number with so many decimals, or a dash. */
export function told(value: number | null, digits: number): string {
  return value === null ? "–" : value.toFixed(digits);
}

/** Which of the values is best, where there is a best and they differ as shown. */
export function best(row: Row, values: readonly (number | null)[]): number | null {
  const known = values.filter((value): value is number => value !== null);
  if (row.less === null || known.length < 2) return null;
  const least = Math.min(...known);
  if (known.every((value) => told(value, row.digits) === told(least, row.digits))) return null;
  return least;
}

/** Names with their share of the frames, most first: at most `most` of them, and how many more there are. */
export function shares(of: unknown, most: number): { shown: readonly (readonly [string, number])[]; more: number } {
  const all = Object.entries((of ?? {}) as Record<string, number>).sort((one, other) => other[1] - one[1]);
  return { shown: all.slice(0, most), more: Math.max(0, all.length - most) };
}

/** A step of a walk in order: when it is reached, and for how long it lasts, in seconds. */
export interface Reached {
  readonly name: string;
  readonly seconds: number;
  readonly stayed: number;
}

/** The steps that a walk in order has reached; none for other walks. */
export function reached(of: unknown): readonly Reached[] {
  const items = Array.isArray(of) ? (of as readonly Record<string, unknown>[]) : [];
  return items.map((item) => ({ name: String(item["name"]), seconds: number(item["seconds"]) ?? 0, stayed: number(item["stayed_s"]) ?? 0 }));
}

/** A share as a whole percentage; what is there but below one stays visible as such. */
export function percent(share: number): string {
  const rounded = Math.round(100 * share);
  return rounded === 0 && share > 0 ? "< 1 %" : `${rounded} %`;
}

/** What to tell of a result beyond its figures: first why it stopped short, then its notices, none of them twice. */
export function sentences(result: Pick<ResultFacts, "short" | "notices">): readonly string[] {
  const all = [...(result.short ? [result.short] : []), ...result.notices].map(sentenceCase);
  return all.filter((one, index) => all.indexOf(one) === index);
}

/** Where a result is worse than its clips, as sentences; none of what was kept before the server told. */
export function warnings(result: { readonly warnings?: readonly string[] } | null | undefined): readonly string[] {
  return (result?.warnings ?? []).map(sentenceCase);
}

function spread(value: unknown): Spread | null {
  const { mean, max } = (value ?? {}) as Partial<Spread>;
  return typeof mean === "number" && typeof max === "number" ? { mean, max } : null;
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Numbers as people write them. */

/** A number with all its digits, without the dust of binary fractions; empty for none. */
export function written(value: number | null): string {
  return value === null ? "" : String(Number(value.toPrecision(12)));
}

/** Why a number cannot be where others are wanted: from `least` to `most`, whole where `whole`; null: it can. */
export function outside(value: number, least: number, most: number, whole: boolean, unit = ""): string | null {
  const told = (number: number): string => `${Number(number.toFixed(2)).toLocaleString("en")}${unit && ` ${unit}`}`;
  if (whole && !Number.isInteger(value)) return "A whole number, please.";
  if (value >= least && value <= most) return null;
  if (!Number.isFinite(most)) return `${told(least)} or more, please.`;
  return Number.isFinite(least) ? `Between ${told(least)} and ${told(most)}, please.` : `At most ${told(most)}, please.`;
}

/** What a text means as a number, or why it cannot be taken. A comma is a decimal point. */
export function understood(text: string, mayBeEmpty: boolean, refuse?: (value: number) => string | null): { value: number | null; reason: string | null } {
  const plain = text.trim().replace(",", ".").replace("−", "-");
  if (plain === "") return mayBeEmpty ? { value: null, reason: null } : { value: null, reason: "A number is needed here." };
  const value = Number(plain);
  if (!Number.isFinite(value)) return { value: null, reason: `“${text.trim()}” is no number.` };
  return { value, reason: refuse?.(value) ?? null };
}

/** Numbers as people write them. */

/** A number with all its digits, without the dust of binary fractions; empty for none. */
export function written(value: number | null): string {
  return value === null ? "" : String(Number(value.toPrecision(12)));
}

/** What a text means as a number, or why it cannot be taken. A comma is a decimal point. */
export function understood(text: string, mayBeEmpty: boolean, refuse?: (value: number) => string | null): { value: number | null; reason: string | null } {
  const plain = text.trim().replace(",", ".").replace("−", "-");
  if (plain === "") return mayBeEmpty ? { value: null, reason: null } : { value: null, reason: "A number is needed here." };
  const value = Number(plain);
  if (!Number.isFinite(value)) return { value: null, reason: `“${text.trim()}” is no number.` };
  return { value, reason: refuse?.(value) ?? null };
}

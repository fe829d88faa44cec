/** The preset shapes: what their size is called, and the text by which the server knows them. */

/** A preset with its one size, in metres. */
export interface Preset {
  readonly name: string;
  readonly title: string;
  /** what the size measures */
  readonly size: string;
  readonly least: number;
  readonly most: number;
  readonly usual: number;
  /** how many metres its path is long for each metre of that size */
  readonly metres: number;
  /** the text of that size; `variant` counts up where a shape has more than one form */
  text(size: number, variant: number): string;
}

function preset(
  name: string,
  title: string,
  size: string,
  [least, usual, most]: readonly [number, number, number],
  metres: number,
  rest: (size: number, variant: number) => string = () => "",
): Preset {
  return { name, title, size, least, most, usual, metres, text: (metres, variant) => `${name}:${plain(metres)}${rest(metres, variant)}` };
}

/** All presets, in the order of the menu. */
export const PRESETS: readonly Preset[] = [
  preset("line", "Line", "Length", [1, 8, 60], 1),
  preset("circle", "Circle", "Radius", [1, 3, 10], 2 * Math.PI),
  preset("eight", "Eight", "Radius", [1, 2.5, 8], 4 * Math.PI),
  preset("square", "Square", "Side", [2, 5, 20], 4),
  preset("wave", "Wave", "Length", [4, 12, 60], 1.14, (size) => `,${plain(Math.max(0.5, size / 8))}`),
  preset("spiral", "Spiral", "Radius", [2, 4, 10], 8.4),
  preset("zigzag", "Zigzag", "Leg", [2, 3, 12], 4),
  preset("drawn", "As if drawn", "Length", [6, 24, 80], 1, (_, variant) => `,${variant}`),
];

/** A size at which its path is about so many metres long, in half metres. */
export function sizeFor(preset: Preset, metres: number): number {
  const size = Math.round((2 * metres) / preset.metres) / 2;
  return Math.max(preset.least, Math.min(preset.most, size));
}

/** The preset of a text such as `eight:2.5`, with its size; null where there is none. */
export function parse(text: string): { preset: Preset; size: number; variant: number } | null {
  const [name, rest = ""] = text.split(":");
  const found = PRESETS.find((one) => one.name === name);
  const numbers = rest.split(",").map(Number);
  const size = numbers[0];
  if (!found || size === undefined || !(size > 0)) return null;
  return { preset: found, size, variant: found.name === "drawn" ? (numbers[1] ?? 0) : 0 };
}

function plain(metres: number): string {
  return String(Math.round(metres * 100) / 100);
}

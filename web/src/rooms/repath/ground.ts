/** The ground to walk on, as sliders set it and as the server is told: `hill:1,6`. */

import type { Ground } from "../../api/types";

/** The ground that is set, by its name; "" where it is flat. Every ground keeps its numbers while another is shown. */
export interface GroundSetting {
  readonly name: string;
  /** the height field that is walked on, by its file */
  readonly file?: string;
  readonly numbers: Readonly<Record<string, readonly number[]>>;
}

/** What a height field of the folder is called among the grounds. */
export const FIELD = "field";

export const FLAT: GroundSetting = { name: "", numbers: {} };

/** The numbers of a ground as they are set. */
export function numbersOf(setting: GroundSetting, ground: Ground): number[] {
  return ground.numbers.map((number, index) => setting.numbers[ground.name]?.[index] ?? number.usual);
}

/** With one number of a ground changed. */
export function withNumber(setting: GroundSetting, ground: Ground, index: number, value: number): GroundSetting {
  const numbers = numbersOf(setting, ground).map((before, at) => (at === index ? value : before));
  return { ...setting, numbers: { ...setting.numbers, [ground.name]: numbers } };
}

/** What the server is told: null where the ground is flat, or is none that there is. */
export function groundText(setting: GroundSetting, grounds: readonly Ground[], fields: readonly string[] = []): string | null {
  if (setting.name === FIELD) return fields.find((file) => file === setting.file) ?? fields[0] ?? null;
  const ground = grounds.find((one) => one.name === setting.name);
  if (!ground) return null;
  const values = numbersOf(setting, ground);
  // how much it rises comes first
  if (values[0] === 0) return null;
  const words = ground.numbers.map(({ unit }, index) => written(values[index]!, unit));
  // what is as usual anyway need not be said at the end
  while (isUsual(ground.numbers[words.length - 1], values[words.length - 1]!)) words.pop();
  return `${ground.name}:${words.join(",")}`;
}

function isUsual(number: Ground["numbers"][number] | undefined, value: number): boolean {
  return number !== undefined && number.optional && number.usual === value;
}

/** A number without the noise of a slider's steps. */
function written(value: number, unit: string): string {
  return `${Number(value.toFixed(3))}${unit === "%" ? unit : ""}`;
}

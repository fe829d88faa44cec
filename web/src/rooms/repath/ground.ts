/** The ground to walk on, as sliders set it and as the server is told: `hill:1,6`. */

import type { Ground } from "../../api/types";

/** The ground that is set, by its name; "" where it is flat. Every ground keeps its numbers while another is shown. */
export interface GroundSetting {
  readonly name: string;
  readonly numbers: Readonly<Record<string, readonly number[]>>;
}

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
export function groundText(setting: GroundSetting, grounds: readonly Ground[]): string | null {
  const ground = grounds.find((one) => one.name === setting.name);
  if (!ground) return null;
  return `${ground.name}:${numbersOf(setting, ground).map((value, index) => `${tidy(value)}${ground.numbers[index]!.unit === "%" ? "%" : ""}`).join(",")}`;
}

/** A number without the noise of a slider's steps. */
function tidy(value: number): string {
  return String(Number(value.toFixed(3)));
}

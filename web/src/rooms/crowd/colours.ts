/** Colours of people: by their group, their speed, or whether they wait. */
import type { Colour } from "../../stage/palette";

/** Groups in their order; with more of them they begin anew. */
const GROUPS: readonly Colour[] = ["c-kept-1", "c-kept-5", "c-kept-2", "c-kept-3", "c-kept-4"];
export const WAITING: Colour = "danger";
export const UNDER_WAY: Colour = "c-original";
/** Slow to fast, and the m/s at which each is whole. */
export const SPEEDS: readonly { readonly speed: number; readonly colour: Colour }[] = [
  { speed: 0, colour: "#3b4cc0" },
  { speed: 0.7, colour: "#52a7c9" },
  { speed: 1.3, colour: "#6cbf6c" },
  { speed: 1.9, colour: "#e3a32b" },
];

export const ofGroup = (group: number): Colour => GROUPS[group % GROUPS.length]!;

/** Between which two colours a speed lies, and how far from the first. */
export function ofSpeed(speed: number): { from: Colour; to: Colour; share: number } {
  let at = 0;
  while (at + 2 < SPEEDS.length && speed >= SPEEDS[at + 1]!.speed) at += 1;
  const [a, b] = [SPEEDS[at]!, SPEEDS[at + 1]!];
  return { from: a.colour, to: b.colour, share: Math.min(Math.max((speed - a.speed) / (b.speed - a.speed), 0), 1) };
}

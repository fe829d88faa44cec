/** Plots of the result below the stage, which scrub with the playhead. */

import { floats } from "../../api/pack";
import { setLanes, type Lane } from "../../timeline/lanes";
import type { Answer } from "./state";

/** How far off the path and how far feet slide, at each frame, with the transitions marked in both. */
export function lanesOf(now: Answer): Lane[] {
  const marks = now.facts.transitions.map(({ first, length }) => ({ first, last: first + length, colour: "--c-transition" }));
  const lane = (id: string, label: string, name: string, unit: string, colour: string, least: number): Lane[] => {
    const values = floats(now.pack, name);
    // what is next to nothing is drawn as such
    return values.length ? [{ id, label, values, unit, colour, marks, most: Math.max(least, most(values)) }] : [];
  };
  return [
    ...lane("follow.deviation", "Off the path", "deviation_cm", "cm", "--c-path", 4),
    ...lane("follow.slide", "Feet slide", "slide_mm", "mm", "--c-left", 4),
  ];
}

function most(values: Float32Array): number {
  let found = 0;
  for (const value of values) if (value > found) found = value;
  return found;
}

/** Show the plots of a result; none where there is none. */
export function showLanes(now: Answer | null): void {
  setLanes(now ? lanesOf(now) : []);
}

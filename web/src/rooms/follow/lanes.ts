/** Plots of the result below the stage, which scrub with the playhead. */

import { floats } from "../../api/pack";
import { actionLanes } from "../../timeline/actions";
import type { Lane } from "../../timeline/lanes";
import type { Answer } from "./state";

interface Plot {
  id: string;
  label: string;
  array: string;
  unit: string;
  colour: string;
  /** what the lane shows at least: what is next to nothing is drawn as such */
  least: number;
}

const DEVIATION: Plot = { id: "follow.deviation", label: "Off the path", array: "deviation_cm", unit: "cm", colour: "--c-path", least: 4 };
const SLIDE: Plot = { id: "follow.slide", label: "Feet slide", array: "slide_mm", unit: "mm", colour: "--c-left", least: 4 };

/**
 * What is done and in which clip, then how far off the path and how far feet slide, at each frame, with the transitions marked in both. The lanes are there
 * before their result is: a stage that changed its size under a stroke would bend it.
 */
export function lanesOf(now: Answer | null, onPath: boolean): Lane[] {
  const marks = (now?.facts.transitions ?? []).map(({ first, length }) => ({ first, last: first + length, colour: "--c-transition" }));
  const plots = (onPath ? [DEVIATION, SLIDE] : [SLIDE]).map(({ id, label, array, unit, colour, least }) => {
    const values = now ? floats(now.pack, array) : new Float32Array(0);
    return { id, label, unit, colour, marks, ...(values.length ? { values, most: Math.max(least, most(values)) } : {}) };
  });
  return [...actionLanes(now?.pack ?? null), ...plots];
}

function most(values: Float32Array): number {
  let found = 0;
  for (const value of values) if (value > found) found = value;
  return found;
}

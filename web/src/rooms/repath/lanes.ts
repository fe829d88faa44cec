/** What the timeline shows of a motion on a path: its speed, how far planted feet slide, and how high the ground is. */

import { effect } from "@preact/signals";
import { floats } from "../../api/pack";
import { type Lane, setLanes } from "../../timeline/timeline";
import { speeds } from "./measure";
import { made } from "./model";

/** Millimetres: lanes that slide less are drawn low, not blown up. */
const LITTLE_SLIDE = 5;
/** Metres: ground that rises less is level. */
const LEVEL = 0.005;

/** The value at the top of a lane: somewhat above the largest, and at least so much. */
function top(values: ArrayLike<number>, least: number): number {
  let most = least;
  for (let i = 0; i < values.length; i++) most = Math.max(most, 1.1 * values[i]!);
  return most;
}

/** Keep the lanes of the timeline up to date; returns what ends it. */
export function showLanes(): () => void {
  const end = effect(() => {
    const now = made.value;
    if (!now) return setLanes([]);
    const { pack, motion } = now;
    const speed = speeds(floats(pack, "track"), motion.fps);
    const slide = floats(pack, "slide_mm");
    const altitude = floats(pack, "altitude");
    const lanes: Lane[] = [
      { id: "speed", label: "Speed", values: speed, unit: "m/s", colour: "c-walked", digits: 2, most: top(speed, 1) },
      { id: "slide", label: "Slide", values: slide, unit: "mm", colour: "c-right", most: top(slide, LITTLE_SLIDE) },
    ];
    if (altitude.some((each) => Math.abs(each) > LEVEL)) lanes.push({ id: "altitude", label: "Altitude", values: altitude, unit: "m", colour: "c-path", digits: 2 });
    setLanes(lanes);
  });
  return () => {
    end();
    setLanes([]);
  };
}

/** What the timeline shows of a motion on a path: its speed, how far planted feet slide, and how high the ground is. */

import { effect } from "@preact/signals";
import { floats } from "../../api/pack";
import { setLanes } from "../../timeline/timeline";
import { speeds } from "./measure";
import { made } from "./model";

/** Keep the lanes of the timeline up to date; returns what ends it. */
export function showLanes(): () => void {
  const end = effect(() => {
    const now = made.value;
    if (!now) return setLanes([]);
    const { pack, motion } = now;
    const lanes = [];
    if (pack.arrays["track"]) lanes.push({ id: "speed", label: "Speed", values: speeds(pack.arrays["track"], motion.fps), unit: "m/s", colour: "c-walked" });
    if (pack.arrays["slide_mm"]) lanes.push({ id: "slide", label: "Slide", values: floats(pack, "slide_mm"), unit: "mm", colour: "c-right" });
    const altitude = pack.arrays["altitude"] ? floats(pack, "altitude") : null;
    if (altitude?.some((each) => Math.abs(each) > 0.005)) lanes.push({ id: "altitude", label: "Altitude", values: altitude, unit: "m", colour: "c-path" });
    setLanes(lanes);
  });
  return () => {
    end();
    setLanes([]);
  };
}

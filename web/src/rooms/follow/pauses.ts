/** Where somebody stands for a while: places on the path, put there by a click and moved along it. */

import { batch } from "@preact/signals";
import { arcLength, at as pointAt, length } from "../../motion/spline";
import { isMain } from "../../path/hands";
import type { Stage, Tool as Hand } from "../../stage/stage";
import { placeOn } from "./along";
import { lineOf } from "./drawing";
import { course, edit, layers, mode, preview, shownLength, stroke } from "./state";

/** At so many metres along the path, for so many seconds. */
export interface Pause {
  readonly at: number;
  readonly seconds: number;
}

/** Seconds of a new one; metres from the path at which a hand means it; metres above the floor. */
const [USUAL, REACH, HEIGHT] = [2, 0.6, 0.014];
const HANDLES = "follow.pauses";

const neat = (metres: number): number => Math.round(metres * 10) / 10;
const inOrder = (pauses: readonly Pause[]): readonly Pause[] => [...pauses].sort((one, other) => one.at - other.at);

/** Those that lie on a path of that length. */
export function on(pauses: readonly Pause[] | undefined, metres: number): readonly Pause[] {
  return (pauses ?? []).filter(({ at }) => at <= metres);
}

/** Pauses of a path that has become so many times as long. */
export function stretched(pauses: readonly Pause[] | undefined, factor: number): readonly Pause[] {
  return (pauses ?? []).map((one) => ({ ...one, at: factor === 1 ? one.at : neat(one.at * factor) }));
}

/** Pauses of a path that is walked the other way. */
export function turned(pauses: readonly Pause[] | undefined, metres: number): readonly Pause[] {
  return inOrder(on(pauses, metres).map((one) => ({ ...one, at: neat(metres - one.at) })));
}

/** One more: there, or in the middle of the longest way that has none. */
export function addPause(at?: number): void {
  const metres = shownLength.value;
  const held = on(course.value.pauses, metres);
  const stops = [0, ...held.map((one) => one.at), metres];
  const widest = stops.slice(1).reduce((best, stop, index) => (stop - stops[index]! > stops[best + 1]! - stops[best]! ? index : best), 0);
  const place = at ?? (stops[widest]! + stops[widest + 1]!) / 2;
  edit({ pauses: inOrder([...(course.value.pauses ?? []), { at: neat(place), seconds: USUAL }]) });
}

/** Change one of them. */
export function changePause(index: number, part: Partial<Pause>): void {
  edit({ pauses: inOrder((course.value.pauses ?? []).map((one, which) => (which === index ? { ...one, ...part } : one))) });
}

/** Take one away. */
export function removePause(index: number): void {
  edit({ pauses: (course.value.pauses ?? []).filter((_, which) => which !== index) });
}

/** The hand that puts them on the path. */
export function pauser(): Hand {
  return {
    cursor: "crosshair",
    down(place, event) {
      if (!isMain(event)) return false;
      const found = placeOn(lineOf(course.value.drawing), [place.x, place.z]);
      if (found.distance > REACH) return false;
      addPause(found.s);
      return true;
    },
    move() {},
    up() {},
  };
}

/** Show them on the path; each has a point by which it is moved along, and a double click on that removes it. */
export function showPauses(stage: Stage): void {
  const line = lineOf(course.value.drawing);
  const visible = mode.value === "path" && layers.value.path && !stroke.value && line.length > 1;
  const held = visible ? on(course.value.pauses, length(line)) : [];
  const lengths = arcLength(line);
  const places = held.map(({ at }) => {
    const [x, z] = pointAt(line, lengths, at);
    return { x: x!, y: HEIGHT, z: z! };
  });
  stage.handles(
    HANDLES,
    places.length ? places : null,
    {
      move(index, place, phase) {
        const one = held[index];
        if (!one) return;
        const to = neat(placeOn(line, [place.x, place.z], one.at).s);
        const pauses = (course.value.pauses ?? []).map((each, which) => (which === index ? { ...each, at: to } : each));
        batch(() => (phase === "end" ? edit({ pauses: inOrder(pauses) }) : preview({ pauses })));
      },
      remove: removePause,
    },
    { colour: "c-target" },
  );
}

/** Nothing of them on the stage any more. */
export function hidePauses(stage: Stage): void {
  stage.handles(HANDLES, null);
}

/** The hand on the floor: drawing, placing points, painting labels. */

import { batch } from "@preact/signals";
import type { Point } from "../../motion/spline";
import { isMain, justAdded, pen, placer } from "../../path/hands";
import type { Stage, Tool as Hand } from "../../stage/stage";
import { placeOn } from "./along";
import { pointsOf, extended, inserted, lineOf, removed, stroke as strokeOf } from "./drawing";
import { playNext } from "./search";
import { discs, drawn as drawnDisc } from "./obstacles";
import { pauser } from "./pauses";
import { meant, paint } from "./sections";
import { brush, chosen, course, draw, edit, hasDrawn, labels, others, painting, shownLength, smoothing, stroke, strokeSoFar, type Tool } from "./state";

/** Milliseconds between the questions while a stroke is drawn. */
const EVERY = 250;
/** Metres from the line at which a hand means it: to insert a point, to paint. */
const [ON_LINE, TO_PAINT] = [0.2, 0.6];

/** The hand of a tool; null for looking, which is the camera's. */
export function handOf(tool: Tool, stage: Stage): Hand | null {
  if (tool === "draw") return drawing(stage);
  if (tool === "points") return placing();
  if (tool === "paint") return painter();
  if (tool === "pause") return pauser();
  if (tool === "obstacle") return discs();
  return null;
}

/** The pen. */
function drawing(stage: Stage): Hand {
  let told = 0;
  return pen(stage, {
    began(points) {
      told = performance.now();
      stroke.value = points;
      playNext();
    },
    shown(points) {
      // dropped by Escape, or ended
      if (!stroke.value) return;
      stroke.value = points;
      if (performance.now() - told < EVERY) return;
      told = performance.now();
      strokeSoFar.value = points;
    },
    ended(points) {
      const drawn = stroke.value && strokeOf(points, smoothing.value);
      batch(() => {
        stroke.value = null;
        strokeSoFar.value = null;
        if (!drawn) return;
        hasDrawn.value = true;
        draw(drawn);
      });
    },
  });
}

/** Drop the stroke or the paint under the hand, if there is any. */
export function dropGesture(): boolean {
  if (!stroke.value && !painting.value && !drawnDisc.value) return false;
  batch(() => {
    drawnDisc.value = null;
    stroke.value = null;
    strokeSoFar.value = null;
    painting.value = null;
  });
  return true;
}

function placing(): Hand {
  return placer(
    (at) => placeOn(lineOf(course.value.drawing), at).distance < ON_LINE,
    (at) => {
      playNext();
      const next = extended(course.value.drawing, at);
      batch(() => {
        draw(next);
        chosen.value = pointsOf(next).length - 1;
      });
    },
  );
}

/** Put a control into the line, if it was the line that was meant. */
export function insert(at: Point): void {
  if (placeOn(lineOf(course.value.drawing), at).distance > ON_LINE) return;
  const { drawing, index } = inserted(course.value.drawing, at);
  batch(() => {
    draw(drawing);
    chosen.value = index;
  });
}

/** Take a control away, unless it was added just now: then the click was a double one. */
export function removeClicked(index: number): void {
  if (!justAdded()) removeControl(index);
}

/** Take a control away; the one before it is chosen then. */
export function removeControl(index: number): void {
  const before = course.value.drawing;
  if (index < 0 || index >= pointsOf(before).length) return;
  const next = removed(before, index, others.value.has(index) || index === chosen.value ? others.value : undefined);
  const left = pointsOf(next).length;
  batch(() => {
    draw(next);
    chosen.value = left ? Math.max(0, Math.min(index - 1, left - 1)) : null;
  });
}

function painter(): Hand {
  return {
    cursor: "crosshair",
    down(place, event) {
      if (!isMain(event)) return false;
      const found = placeOn(lineOf(course.value.drawing), [place.x, place.z]);
      if (found.distance > TO_PAINT) return false;
      painting.value = { from: found.s, to: found.s };
      return true;
    },
    move(place) {
      const now = painting.value;
      if (!now) return;
      painting.value = { ...now, to: placeOn(lineOf(course.value.drawing), [place.x, place.z], now.to).s };
    },
    up: endPaint,
  };
}

/** Make the stretch under the hand part of the path. */
export function endPaint(): void {
  const now = painting.value;
  batch(() => {
    painting.value = null;
    if (!now) return;
    const length = shownLength.value;
    const [first, last] = [Math.min(now.from, now.to), Math.max(now.from, now.to)].map((metres) => meant(metres, length));
    const stretches = paint(course.value.stretches, first!, last!, paintLabel() || null);
    if (stretches !== course.value.stretches) edit({ stretches });
  });
}

/** The label that is painted: the chosen one, as far as the graph has it; "" wipes. */
export function paintLabel(): string {
  return brush.value === "" || labels.value.includes(brush.value) ? brush.value : (labels.value[0] ?? "");
}

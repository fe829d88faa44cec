/** The hand on the floor: drawing, placing points, painting labels. */

import { batch } from "@preact/signals";
import type { Point } from "../../motion/spline";
import type { Stage, Tool as Hand } from "../../stage/stage";
import { placeOn } from "./along";
import { controlsOf, extended, inserted, lineOf, removed, stroke as strokeOf } from "./drawing";
import { playNext } from "./search";
import { discs, drawn as drawnDisc } from "./obstacles";
import { meant, paint } from "./sections";
import { brush, chosen, course, draw, edit, hasDrawn, labels, others, painting, shownLength, smoothing, stroke, strokeSoFar, type Tool } from "./state";

/** Metres between the points of a stroke: less is trembling. */
const STEP = 0.01;
/** Milliseconds between the questions while a stroke is drawn. */
const EVERY = 250;
/** Metres from the line at which a hand means it: to insert a point, to paint. */
const [ON_LINE, TO_PAINT] = [0.2, 0.6];
/** Milliseconds in which a second click on a point that was just added is a slip of the finger. */
const DOUBLE = 400;

const isMain = (event: PointerEvent): boolean => event.button === 0 && !event.ctrlKey && !event.metaKey;

/** The hand of a tool; null for looking, which is the camera's. */
export function handOf(tool: Tool, stage: Stage): Hand | null {
  if (tool === "draw") return pen(stage);
  if (tool === "points") return placer();
  if (tool === "paint") return painter();
  if (tool === "obstacle") return discs();
  return null;
}

/**
 * The pen. Moves are taken as they come in (`pointerrawupdate`), not once a picture as `pointermove` is: where pictures
 * are slow, the line is as fine and as prompt as where they are fast. What is shown changes once a picture.
 */
function pen(stage: Stage): Hand {
  let points: Point[] = [];
  let told = 0;
  let raw = false;
  let scheduled = 0;
  let listening: AbortController | null = null;

  function add(x: number, z: number): void {
    const last = points.at(-1)!;
    if (Math.hypot(x - last[0]!, z - last[1]!) >= STEP) points.push([x, z]);
  }

  function show(): void {
    scheduled = 0;
    // dropped by Escape, or ended
    if (!stroke.value) return;
    stroke.value = [...points];
    if (performance.now() - told < EVERY) return;
    told = performance.now();
    strokeSoFar.value = stroke.value;
  }

  function hear(event: PointerEvent): void {
    // between two events a pen has been at more places than one
    const between = event.getCoalescedEvents?.() ?? [];
    for (const each of between.length ? between : [event]) {
      const floor = stage.floor(each.clientX, each.clientY);
      if (floor) add(floor.x, floor.z);
    }
    scheduled ||= requestAnimationFrame(show);
  }

  return {
    cursor: "crosshair",
    down(place, event) {
      if (!isMain(event)) return false;
      points = [[place.x, place.z]];
      told = performance.now();
      raw = false;
      stroke.value = [...points];
      playNext();
      listening = new AbortController();
      stage.canvas.addEventListener(
        "pointerrawupdate",
        (update) => {
          if ((update as PointerEvent).pointerId !== event.pointerId) return;
          raw = true;
          hear(update as PointerEvent);
        },
        { signal: listening.signal },
      );
      return true;
    },
    move(_, event) {
      if (!raw) hear(event);
    },
    up() {
      listening?.abort();
      cancelAnimationFrame(scheduled);
      scheduled = 0;
      const drawn = stroke.value && strokeOf(points, smoothing.value);
      batch(() => {
        stroke.value = null;
        strokeSoFar.value = null;
        if (!drawn) return;
        hasDrawn.value = true;
        draw(drawn);
      });
    },
  };
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

/** when a control was last added by a click */
let added = -Infinity;

function placer(): Hand {
  let pressed: { x: number; z: number; clientX: number; clientY: number } | null = null;

  return {
    cursor: "crosshair",
    down(place, event) {
      if (!isMain(event)) return false;
      pressed = { ...place, clientX: event.clientX, clientY: event.clientY };
      return true;
    },
    move() {},
    up(_, event) {
      const began = pressed;
      pressed = null;
      if (!began || Math.hypot(event.clientX - began.clientX, event.clientY - began.clientY) > 5) return;
      const { drawing } = course.value;
      const at: Point = [began.x, began.z];
      // a click on the line is the first half of a double one, which inserts
      if (placeOn(lineOf(drawing), at).distance < ON_LINE) return;
      added = performance.now();
      playNext();
      const next = extended(drawing, at);
      batch(() => {
        draw(next);
        chosen.value = controlsOf(next).length - 1;
      });
    },
  };
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
  if (performance.now() - added > DOUBLE) removeControl(index);
}

/** Take a control away; the one before it is chosen then. */
export function removeControl(index: number): void {
  const before = course.value.drawing;
  if (index < 0 || index >= controlsOf(before).length) return;
  const next = removed(before, index, others.value.has(index) || index === chosen.value ? others.value : undefined);
  const left = controlsOf(next).length;
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

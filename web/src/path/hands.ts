/** Hands on the floor that draw a line, or click. */

import type { Point } from "../motion/spline";
import type { Stage, Tool as Hand } from "../stage/stage";

/** Metres between the points of a stroke: less is trembling. */
const STEP = 0.01;
/** Pixels that a pointer moves at most in a click. */
const STILL = 5;
/** Milliseconds in which a second click on a point that was just added is a slip of the finger. */
const DOUBLE = 400;

/** Whether it is the button that draws. */
export const isMain = (event: PointerEvent): boolean => event.button === 0 && !event.ctrlKey && !event.metaKey;

/** What becomes of a stroke. shown: once a picture, all points so far. ended: all of them. */
export interface Stroke {
  began(points: readonly Point[]): void;
  shown(points: readonly Point[]): void;
  ended(points: readonly Point[]): void;
}

/**
 * The pen. Moves are taken as they come in (`pointerrawupdate`), not once a picture as `pointermove` is: where pictures
 * are slow, the line is as fine and as prompt as where they are fast. What is shown changes once a picture.
 */
export function pen(stage: Stage, on: Stroke): Hand {
  let points: Point[] = [];
  let raw = false;
  let scheduled = 0;
  let listening: AbortController | null = null;

  function add(x: number, z: number): void {
    const last = points.at(-1)!;
    if (Math.hypot(x - last[0]!, z - last[1]!) >= STEP) points.push([x, z]);
  }

  function show(): void {
    scheduled = 0;
    on.shown([...points]);
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
      raw = false;
      on.began([...points]);
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
      on.ended(points);
    },
  };
}

/** when a point was last added by a click */
let added = -Infinity;

/** Whether a point was added just now: a second click on it is the other half of a double one. */
export const justAdded = (): boolean => performance.now() - added <= DOUBLE;

/** Clicks on the floor; whatever moves further is none. The right button turns the view, as with any tool. */
export function clicker(click: (at: Point) => void): Hand {
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
      if (!began || Math.hypot(event.clientX - began.clientX, event.clientY - began.clientY) > STILL) return;
      click([began.x, began.z]);
    },
  };
}

/** Places points by clicks. means: whether a place is the line itself, on which a double click inserts. */
export function placer(means: (at: Point) => boolean, add: (at: Point) => void): Hand {
  return clicker((at) => {
    if (means(at)) return;
    added = performance.now();
    add(at);
  });
}

/** Hands on the page: keys, the gamepad's buttons, and the pointer on the floor. */
import type { Stage, Tool } from "../../stage/stage";
import { padNow } from "./pad";
import { act, tellWish, toggleRecording } from "./session";
import { actions, goal, keys, label, numbered, running } from "./state";
import { steers } from "./steer";

/** Pixels within which a press on the floor is a click. */
const STILL = 6;
/** The gamepad's button that records, and those that do the first actions. */
const RECORD = 9;
const ACTS = [0, 1, 2, 3];
/** The shoulder and the trigger that run. */
const RUNS = [5, 7];

/** Whether a key belongs to a control that has the focus. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || target.isContentEditable) return true;
  if (target.closest('dialog, [role="menu"]')) return true;
  const { tagName } = target;
  if (tagName === "TEXTAREA" || tagName === "SELECT") return true;
  if (tagName === "INPUT") return !["checkbox", "radio"].includes((target as HTMLInputElement).type) || event.code.startsWith("Arrow");
  return target.getAttribute("role") === "slider" || target.getAttribute("role") === "separator";
}

/** Listen to keys for as long as the room is open; returns a function that ends it. */
export function startKeys(): () => void {
  const stop = new AbortController();
  const hold = (code: string, on: boolean): void => {
    const held = new Set(keys.value);
    if (on) held.add(code);
    else held.delete(code);
    keys.value = held;
  };
  const down = (event: KeyboardEvent): void => {
    if (event.key === "Shift") running.value = true;
    else if (isTaken(event) || !steers(event.code)) return;
    else {
      event.preventDefault();
      if (event.repeat) return;
      hold(event.code, true);
    }
    tellWish(event.timeStamp);
  };
  const up = (event: KeyboardEvent): void => {
    if (event.key === "Shift") running.value = false;
    else if (!keys.value.has(event.code)) return;
    else hold(event.code, false);
    tellWish(event.timeStamp);
  };
  // whoever goes elsewhere does not hold keys here any more
  const away = (): void => {
    keys.value = new Set();
    running.value = false;
    tellWish(performance.now());
  };
  // before the page's own shortcuts, some of which are the same keys
  addEventListener("keydown", down, { capture: true, signal: stop.signal });
  addEventListener("keyup", up, { capture: true, signal: stop.signal });
  addEventListener("blur", away, { signal: stop.signal });
  return () => {
    stop.abort();
    away();
  };
}

let before: ReadonlySet<number> = new Set();

/** Look at the gamepad: called before each picture. */
export function lookAtPad(): void {
  const { pressed } = padNow();
  const fresh = (button: number): boolean => pressed.has(button) && !before.has(button);
  ACTS.forEach((button, index) => {
    const action = actions.value[index];
    if (action && fresh(button)) act(action);
  });
  if (fresh(RECORD)) toggleRecording();
  const runs = RUNS.some((button) => pressed.has(button));
  if (runs !== RUNS.some((button) => before.has(button))) running.value = runs;
  before = pressed;
}

/** What a number key stands for is done. */
export function doNumbered(key: string): void {
  const one = numbered.value.find((other) => other.key === key);
  if (!one) return;
  if (one.kind === "action") act(one.name);
  else wishLabel(one.name);
}

/** Wish a label, or with "" none. */
export function wishLabel(name: string): void {
  label.value = name;
  tellWish(performance.now());
}

let drag: { x: number; y: number; begun: { x: number; y: number } } | null = null;

/** The place under a pointer that is pressed goes along with the camera: called before each picture. */
export function lookAtPointer(stage: Stage): void {
  const place = drag && stage.floor(drag.x, drag.y);
  if (place) goal.value = [place.x, place.z];
}

/** The pointer on the floor: a click goes there, a drag leads. */
export function pointerTool(): Tool {
  return {
    cursor: "crosshair",
    down(place, event) {
      drag = { x: event.clientX, y: event.clientY, begun: { x: event.clientX, y: event.clientY } };
      goal.value = [place.x, place.z];
      tellWish(event.timeStamp);
      return true;
    },
    move(place, event) {
      if (!drag) return;
      drag = { ...drag, x: event.clientX, y: event.clientY };
      goal.value = [place.x, place.z];
      tellWish(event.timeStamp);
    },
    up(_, event) {
      const dragged = drag && Math.hypot(event.clientX - drag.begun.x, event.clientY - drag.begun.y) > STILL;
      drag = null;
      if (dragged) goal.value = null;
      tellWish(event.timeStamp);
    },
  };
}

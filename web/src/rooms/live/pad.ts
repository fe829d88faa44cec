/** The gamepad: the left stick goes, the right one says where to face, buttons do. */
import { pushOfAxes, type Push } from "./steer";

/** A gamepad as it is held now. */
export interface Pad {
  readonly push: Push | null;
  /** where to face; null while that stick rests */
  readonly looks: Push | null;
  /** buttons that are pressed */
  readonly pressed: ReadonlySet<number>;
}

const NONE: Pad = { push: null, looks: null, pressed: new Set() };

/** The first gamepad of those that are there which is used, or which is there at all. */
export function padOf(pads: readonly (Pick<Gamepad, "axes" | "buttons" | "connected"> | null)[]): Pad {
  let found: Pad = NONE;
  for (const pad of pads) {
    if (!pad?.connected) continue;
    const push = pushOfAxes(pad.axes[0], pad.axes[1]);
    const looks = pushOfAxes(pad.axes[2], pad.axes[3]);
    const pressed = new Set(pad.buttons.flatMap((button, index) => (button.pressed ? [index] : [])));
    const used = push.right || push.ahead || looks.right || looks.ahead || pressed.size;
    if (used || found === NONE) found = { push, looks: looks.right || looks.ahead ? looks : null, pressed };
    if (used) break;
  }
  return found;
}

/** The gamepad of this moment. */
export function padNow(): Pad {
  return padOf(navigator.getGamepads?.() ?? []);
}

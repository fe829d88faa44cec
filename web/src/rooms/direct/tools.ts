/** The hand on the floor: places, and obstacles. */

import { batch } from "@preact/signals";
import { clicker, isMain } from "../../path/hands";
import type { Tool as Hand } from "../../stage/stage";
import { addPlace } from "./actions";
import { another, neat, withEntry, type Obstacle } from "./scene";
import { chosen, drawing, edit, scene, type Tool } from "./state";

/** Metres that an obstacle is at least. */
const LEAST = 0.1;

type Spot = readonly [number, number];

/** The hand of a tool; null for looking, which is the camera's. */
export function handOf(tool: Tool): Hand | null {
  if (tool === "place") return clicker(([x, z]) => addPlace(x!, z!));
  if (tool === "look") return null;
  return {
    cursor: "crosshair",
    down(place, event) {
      if (!isMain(event)) return false;
      const at: Spot = [neat(place.x), neat(place.z)];
      drawing.value = { tool, from: at, to: at };
      return true;
    },
    move(place) {
      if (drawing.value) drawing.value = { ...drawing.value, to: [neat(place.x), neat(place.z)] };
    },
    up() {
      const now = drawing.value;
      const made = now && obstacleOf(now.tool, now.from, now.to);
      batch(() => {
        drawing.value = null;
        if (!made) return;
        edit(withEntry(scene.value, "obstacle", made));
        chosen.value = { kind: "obstacle", id: made.id };
      });
    },
  };
}

/** The obstacle between two places of the floor: a disc about the first, or a box with both as corners; null for a slip of the hand. */
export function obstacleOf(tool: "disc" | "box", from: Spot, to: Spot): Obstacle | null {
  if (tool === "disc") {
    const radius = neat(Math.hypot(to[0] - from[0], to[1] - from[1]));
    return radius < LEAST ? null : { id: another(), disc: [from[0], from[1], radius], box: null };
  }
  const [width, depth] = [neat(Math.abs(to[0] - from[0])), neat(Math.abs(to[1] - from[1]))];
  if (width < LEAST || depth < LEAST) return null;
  return { id: another(), disc: null, box: [Math.min(from[0], to[0]), Math.min(from[1], to[1]), width, depth] };
}

/** Drop what is under the hand, if there is anything. */
export function dropGesture(): boolean {
  if (!drawing.value) return false;
  drawing.value = null;
  return true;
}

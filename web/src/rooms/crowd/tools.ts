/** The hand on the floor: walls, doors, and boxes to start from and to go to. */
import { isMain } from "../../path/hands";
import type { Tool as Hand } from "../../stage/stage";
import { boxOf, snap, withDoor, withGoal, withGroup, withWall, type Drawing, type Place } from "./drawing";
import { count, draw, drawing, group, stroke, type Tool } from "./state";

/** People of a group that is drawn, unless it is told. */
const FIRST_COUNT = 20;

/** The hand of a tool; null for looking, which is the camera's. */
export function handOf(tool: Tool): Hand | null {
  if (tool === "look") return null;
  return {
    cursor: "crosshair",
    down(place, event) {
      if (!isMain(event)) return false;
      stroke.value = { tool, from: snap(place), to: snap(place) };
      return true;
    },
    move(place) {
      if (stroke.value) stroke.value = { ...stroke.value, to: snap(place) };
    },
    up(place) {
      const from = stroke.value?.from;
      stroke.value = null;
      if (from) draw(drawnBy(tool, drawing.peek(), from, snap(place)));
    },
  };
}

/** The drawing after a stroke from one place to another. */
function drawnBy(tool: Tool, before: Drawing, from: Place, to: Place): Drawing {
  if (tool === "wall") return withWall(before, from, to);
  if (tool === "door") return withDoor(before, from);
  const box = boxOf(from, to);
  if (!box) return before;
  if (tool === "goal") return withGoal(before, box, group.peek());
  group.value = null;
  // no more than fit there
  const room = Math.max(1, Math.floor(box.width * box.depth * 0.8));
  return withGroup(before, box, Math.min(before.groups.at(-1)?.count ?? Math.min(count.peek(), FIRST_COUNT), room));
}

/** Drop the stroke under the hand, if there is one. */
export function dropStroke(): boolean {
  if (!stroke.value) return false;
  stroke.value = null;
  return true;
}

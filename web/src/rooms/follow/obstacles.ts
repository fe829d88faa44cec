/** What stands on the floor and is walked around: drawn by dragging from its middle to its edge. */

import { batch, signal } from "@preact/signals";
import type { FollowRequest } from "../../api/types";
import type { Stage, Tool as Hand } from "../../stage/stage";
import { course, edit, mode, preview } from "./state";

export type Obstacle = NonNullable<FollowRequest["obstacles"]>[number];

/** Metres that an obstacle is at least, that are kept clear of it, and above the floor at which it is drawn. */
const [LEAST, CLEAR, HEIGHT] = [0.1, 0.3, 0.008];
/** Of a circle, how many corners it is drawn with. */
const CORNERS = 48;

/** the disc under the hand; null between strokes */
export const drawn = signal<Obstacle | null>(null);

const neat = (metres: number): number => Math.round(metres * 100) / 100;

/** The hand that draws discs. */
export function discs(): Hand {
  let from: { x: number; z: number } | null = null;
  return {
    cursor: "crosshair",
    down(place, event) {
      if (event.button !== 0 || event.ctrlKey || event.metaKey) return false;
      from = place;
      return true;
    },
    move(place) {
      if (!from) return;
      const radius = neat(Math.hypot(place.x - from.x, place.z - from.z));
      drawn.value = radius < LEAST ? null : { x: neat(from.x), z: neat(from.z), radius };
    },
    up() {
      from = null;
      const made = drawn.value;
      batch(() => {
        drawn.value = null;
        if (made) edit({ obstacles: [...(course.value.obstacles ?? []), made] });
      });
    },
  };
}

/** Take one away. */
export function removeObstacle(index: number): void {
  edit({ obstacles: (course.value.obstacles ?? []).filter((_, at) => at !== index) });
}

/** What it is, in a few words. */
export function inWords({ x, z, radius, width, depth }: Obstacle): string {
  return radius ? `${radius} m about ${x}, ${z}` : `${width} × ${depth} m from ${x}, ${z}`;
}

/** The middle of one. */
function middle({ x, z, width, depth }: Obstacle): { x: number; z: number } {
  return { x: x + (width ?? 0) / 2, z: z + (depth ?? 0) / 2 };
}

/** Its edge on the floor, so many metres further out. */
export function outline({ x, z, radius, width, depth }: Obstacle, more: number): [number, number, number][] {
  if (radius)
    return Array.from({ length: CORNERS + 1 }, (_, corner) => {
      const angle = (corner / CORNERS) * 2 * Math.PI;
      return [x + (radius + more) * Math.sin(angle), HEIGHT, z + (radius + more) * Math.cos(angle)];
    });
  const [right, far] = [x + (width ?? 0) + more, z + (depth ?? 0) + more];
  return [[x - more, z - more], [right, z - more], [right, far], [x - more, far], [x - more, z - more]].map(([a, b]) => [a!, HEIGHT, b!]);
}

let shown = 0;

/** Show them all, and the one under the hand; each has a point by which it is moved, and a double click on that removes it. */
export function showObstacles(stage: Stage): void {
  const held = mode.value === "path" ? (course.value.obstacles ?? []) : [];
  const all = drawn.value ? [...held, drawn.value] : held;
  all.forEach((one, index) => {
    stage.line(`follow.obstacle.${index}`, outline(one, 0), { colour: "text-2", width: 4 });
    stage.line(`follow.obstacle.${index}.near`, outline(one, CLEAR), { colour: "text-2", width: 1, opacity: 0.5, dashed: true });
  });
  drop(stage, all.length);
  shown = all.length;
  stage.handles(
    "follow.obstacles",
    held.length ? held.map((one) => ({ ...middle(one), y: HEIGHT })) : null,
    {
      move(index, place, phase) {
        const one = held[index];
        if (!one) return;
        const from = middle(one);
        const to = { ...one, x: neat(one.x + place.x - from.x), z: neat(one.z + place.z - from.z) };
        const obstacles = held.map((each, at) => (at === index ? to : each));
        if (phase === "end") edit({ obstacles });
        else preview({ obstacles });
      },
      remove: removeObstacle,
    },
    { colour: "text-2" },
  );
}

/** Nothing of them on the stage any more. */
export function hideObstacles(stage: Stage): void {
  drop(stage, 0);
  shown = 0;
  stage.handles("follow.obstacles", null);
}

function drop(stage: Stage, from: number): void {
  for (let index = from; index < shown; index++) for (const part of ["", ".near"]) stage.line(`follow.obstacle.${index}${part}`, null);
}

/** A scenario as it is drawn: walls, and groups with a box to start from and a box to go to. Every edit gives another drawing. */
import type { CrowdScenario } from "../../api/types";

export type Place = readonly [x: number, z: number];

/** A rectangle on the floor: its middle and its sides. */
export interface Box {
  readonly x: number;
  readonly z: number;
  readonly width: number;
  readonly depth: number;
}

export interface Group {
  readonly name?: string;
  readonly count: number;
  readonly start: Box;
  readonly goal: Box | null;
}

export interface Drawing {
  readonly walls: readonly (readonly Place[])[];
  readonly groups: readonly Group[];
}

export const EMPTY: Drawing = { walls: [], groups: [] };

/** Metres: what is drawn keeps to this grid; a wall that begins nearer than that to the end of another goes on from there. */
const GRID = 0.1;
const JOINS = 0.3;
/** Metres: anything smaller is a slip of the hand. */
const SHORTEST = 0.3;
/** Metres of a door, and from a wall at which a click means it. */
export const DOOR = 1.2;
const ON_WALL = 0.5;

const snapped = (value: number): number => Math.round(value / GRID) / (1 / GRID);
export const snap = (place: { x: number; z: number }): Place => [snapped(place.x), snapped(place.z)];
const apart = (a: Place, b: Place): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** The box between two corners; null where it is too small to be one. */
export function boxOf(a: Place, b: Place): Box | null {
  const [width, depth] = [Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])];
  if (width < SHORTEST || depth < SHORTEST) return null;
  return { x: (a[0] + b[0]) / 2, z: (a[1] + b[1]) / 2, width, depth };
}

/** Its corners, the first once more at the end. */
export function outline({ x, z, width, depth }: Box): Place[] {
  const [w, d] = [width / 2, depth / 2];
  return [[x - w, z - d], [x + w, z - d], [x + w, z + d], [x - w, z + d], [x - w, z - d]]; // prettier-ignore
}

/** One more wall from one place to another; from the end of a wall it goes on. The same drawing where it is too short. */
export function withWall(drawing: Drawing, from: Place, to: Place): Drawing {
  if (apart(from, to) < SHORTEST) return drawing;
  const last = drawing.walls.findIndex((wall) => apart(wall.at(-1)!, from) < JOINS);
  if (last < 0) return { ...drawing, walls: [...drawing.walls, [from, to]] };
  return { ...drawing, walls: drawing.walls.map((wall, index) => (index === last ? [...wall, to] : wall)) };
}

/** One more group, of so many people, that has nowhere to go yet. */
export function withGroup(drawing: Drawing, start: Box, count: number): Drawing {
  return { ...drawing, groups: [...drawing.groups, { count, start, goal: null }] };
}

/** Where to go: for the chosen group, else for the first that goes nowhere yet, else for the last. The same drawing where there is none. */
export function withGoal(drawing: Drawing, goal: Box, chosen: number | null = null): Drawing {
  const idle = drawing.groups.findIndex((group) => group.goal === null);
  const index = chosen ?? (idle >= 0 ? idle : drawing.groups.length - 1);
  return changed(drawing, index, { goal });
}

/** Another number of people, or other boxes, for a group. */
export function changed(drawing: Drawing, index: number, part: Partial<Group>): Drawing {
  if (!drawing.groups[index]) return drawing;
  return { ...drawing, groups: drawing.groups.map((group, at) => (at === index ? { ...group, ...part } : group)) };
}

export const withoutGroup = (drawing: Drawing, index: number): Drawing => ({ ...drawing, groups: drawing.groups.filter((_, at) => at !== index) });
export const withoutWall = (drawing: Drawing, index: number): Drawing => ({ ...drawing, walls: drawing.walls.filter((_, at) => at !== index) });

/** A door in the wall that is nearest to a place; the same drawing where none is near. */
export function withDoor(drawing: Drawing, at: Place, width = DOOR): Drawing {
  let best: { wall: number; side: number; t: number; length: number; away: number } | null = null;
  drawing.walls.forEach((wall, index) => {
    for (let side = 0; side + 1 < wall.length; side++) {
      const [a, b] = [wall[side]!, wall[side + 1]!];
      const length = apart(a, b) || 1e-9;
      const along = ((at[0] - a[0]) * (b[0] - a[0]) + (at[1] - a[1]) * (b[1] - a[1])) / length;
      const t = Math.min(Math.max(along, 0), length);
      const away = apart(at, onLine(a, b, t / length));
      if (away < (best?.away ?? ON_WALL)) best = { wall: index, side, t, length, away };
    }
  });
  if (!best) return drawing;
  const { wall, side, t, length } = best as { wall: number; side: number; t: number; length: number };
  const points = drawing.walls[wall]!;
  const [a, b] = [points[side]!, points[side + 1]!];
  const [from, to] = [t - width / 2, t + width / 2];
  const before = from > 0 ? [...points.slice(0, side + 1), onLine(a, b, from / length)] : points.slice(0, side + 1);
  const after = to < length ? [onLine(a, b, to / length), ...points.slice(side + 1)] : points.slice(side + 1);
  const left = [before, after].filter((part) => part.length > 1);
  return { ...drawing, walls: drawing.walls.flatMap((one, index) => (index === wall ? left : [one])) };
}

function onLine(a: Place, b: Place, share: number): Place {
  return [rounded(a[0] + (b[0] - a[0]) * share), rounded(a[1] + (b[1] - a[1]) * share)];
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** What is wrong with a drawing before anybody is asked, or null. */
export function lacks(drawing: Drawing): string | null {
  if (!drawing.groups.length) return "Draw a box from which people start.";
  const idle = drawing.groups.findIndex((group) => group.goal === null);
  return idle < 0 ? null : `Draw a box to which group ${idle + 1} goes.`;
}

/** The drawing as it is sent. */
export function sent(drawing: Drawing): CrowdScenario {
  const groups = drawing.groups.flatMap(({ name, count, start, goal }) => (goal ? [{ ...(name && { name }), count, start: plain(start), goal: plain(goal) }] : []));
  return { groups, walls: drawing.walls.map((wall) => wall.map(([x, z]) => [rounded(x), rounded(z)] as const)) };
}

const plain = ({ x, z, width, depth }: Box): Box => ({ x: rounded(x), z: rounded(z), width: rounded(width), depth: rounded(depth) });

/** Whether a value that was kept is a drawing. */
export function isDrawing(value: unknown): boolean {
  const given = value as Drawing | null;
  return Array.isArray(given?.walls) && Array.isArray(given?.groups) && given.walls.every((wall) => Array.isArray(wall) && wall.length > 1);
}

/** Metres of a wall. */
export function lengthOf(wall: readonly Place[]): number {
  return wall.slice(1).reduce((sum, point, index) => sum + apart(point, wall[index]!), 0);
}

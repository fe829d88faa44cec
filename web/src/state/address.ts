/**
 * Addresses of what is shown: `/library?clip=takes/walk.bvh&t=1.5`. Files are named by their paths in the folder that is served, so that a link
 * says what it is of and means the same to everybody who serves that folder; results, which need not be files, by their ids.
 */

/** What an address is of. room: null where none is named. time: seconds. */
export interface Place {
  readonly room: string | null;
  readonly clip?: string;
  readonly graph?: string;
  readonly space?: string;
  readonly result?: string;
  readonly time?: number;
}

export const THINGS = ["clip", "graph", "space", "result"] as const;
export type Thing = (typeof THINGS)[number];

/** The address of a place, from the slash on. others: what else stood behind the question mark and is to stay. */
export function written(place: Place, others: readonly (readonly [string, string])[] = []): string {
  const words: [string, string][] = [];
  for (const thing of THINGS) if (place[thing]) words.push([thing, place[thing]]);
  if (place.time !== undefined && place.time > 0) words.push(["t", String(Number(place.time.toFixed(3)))]);
  // slashes may stand as they are, and are easier to read
  const query = [...words, ...others].map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2F", "/")}`).join("&");
  return `/${place.room ?? ""}${query ? `?${query}` : ""}`;
}

/** What an address is of; null where it is none of ours. rooms: ids of those that there are. */
export function read(path: string, search: string, rooms: readonly string[]): Place | null {
  const query = new URLSearchParams(search);
  const named = path.replace(/^\/+|\/+$/g, "");
  const room = named || query.get("room");
  if (room !== null && !rooms.includes(room)) return null;
  const seconds = Number(query.get("t") ?? NaN);
  return {
    room,
    ...Object.fromEntries(THINGS.flatMap((thing) => (query.get(thing) ? [[thing, query.get(thing)!]] : []))),
    ...(Number.isFinite(seconds) && seconds >= 0 ? { time: seconds } : {}),
  };
}

/** Whether going from one place to another is a step that Back undoes: a moment later, or a newer result of the same, is none. */
export function isStep(from: Place, to: Place): boolean {
  return from.room !== to.room || (["clip", "graph", "space"] as const).some((thing) => from[thing] !== undefined && to[thing] !== undefined && from[thing] !== to[thing]);
}

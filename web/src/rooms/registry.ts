/**
 * The rooms: one task each. A room is a folder here whose index exports `room`; it is found by that, and named nowhere else.
 *
 * So that rooms can be gone to by their ids, each adds its own to `RoomIds`.
 */
import type { ComponentType } from "preact";
import type { Pack } from "../api/pack";
import type { ResultPack } from "../api/types";
import type { Stage } from "../stage/stage";
import type { Thing } from "../state/address";
import type { IconName } from "../ui";

/** The ids of all rooms: `declare module "../registry" { interface RoomIds { follow: Room } }` in a room's index. */
export interface RoomIds {}
export type RoomId = keyof RoomIds;

/** A key of a room: one as KeyboardEvent.key names it, with Shift+, Alt+ or Mod+ (Ctrl or ⌘) before it where held. */
export interface Shortcut {
  key: string;
  help: string;
  run(): void;
  /** for several of a kind: what the list under `?` shows instead of the key; empty: nothing */
  shown?: string;
}

export interface Room {
  id: RoomId;
  name: string;
  icon: IconName;
  /** the key that goes there; the rail has the rooms in the order of their keys */
  key: string;
  /** right of the stage */
  Panel: ComponentType;
  /** a flat view beside the stage */
  View?: ComponentType;
  /** the share of the width that the flat view has at first; half unless told */
  split?: number;
  /** how much of a small screen its panel takes at first; a part of it, or beside a flat view its handle alone, unless told */
  sheet?: "down" | "half" | "up";
  /** over the stage, at its upper left: tools */
  Overlay?: ComponentType;
  /** there in every room */
  Everywhere?: ComponentType;
  /** the room is shown: put on the stage what belongs to it */
  enter(stage: Stage): void;
  /** another room is shown: take it off again */
  leave(stage: Stage): void;
  shortcuts?: Shortcut[];
  /** what the room is about now, by ids, for its address */
  address?(): Partial<Record<Thing, string | null | undefined>>;
  /** a link has led to a result: set the room so that it makes the same */
  open?(result: Pack<ResultPack>): void | Promise<void>;
}

const found = import.meta.glob<{ room: Room }>("./*/index.{ts,tsx}", { eager: true });

export const rooms: Room[] = Object.values(found)
  .map(({ room }) => room)
  .sort((one, other) => (one.key < other.key ? -1 : 1));

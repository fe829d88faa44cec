/** The rooms: one task each. A room's folder exports `room`; it is listed here. */
import type { ComponentType } from "preact";
import type { RoomId } from "../state/store";
import type { Stage } from "../stage/stage";
import type { IconName } from "../ui";
import { room as follow } from "./follow";
import { room as graph } from "./graph";
import { room as library } from "./library";
import { room as repath } from "./repath";
import { room as strike } from "./strike";
import { room as exporting } from "./export";

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
  /** the key that goes there */
  key: string;
  /** right of the stage */
  Panel: ComponentType;
  /** a flat view beside the stage */
  View?: ComponentType;
  /** the share of the width that the flat view has at first; half unless told */
  split?: number;
  /** over the stage, at its upper left: tools */
  Overlay?: ComponentType;
  /** the room is shown: put on the stage what belongs to it */
  enter(stage: Stage): void;
  /** another room is shown: take it off again */
  leave(stage: Stage): void;
  shortcuts?: Shortcut[];
}

export const rooms: Room[] = [library, graph, follow, repath, strike, exporting];

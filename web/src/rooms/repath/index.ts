/** The repath room: one clip, bent along any path. */

import type { Stage } from "../../stage/stage";
import type { Room } from "../registry";
import { addPoint, removePoint } from "./actions";
import { draw } from "./draw";
import { showLanes } from "./lanes";
import { begin, history, opened } from "./model";
import { Panel } from "./panel";

let ends: (() => void)[] = [];

declare module "../registry" {
  interface RoomIds {
    repath: Room;
  }
}

export const room: Room = {
  id: "repath",
  name: "Repath",
  icon: "repath",
  key: "4",
  Panel,
  enter(stage: Stage) {
    ends = [draw(stage), showLanes(), begin()];
  },
  leave() {
    for (const end of ends) end();
    ends = [];
  },
  address: () => ({ clip: opened.value?.id }),
  shortcuts: [
    { key: "Mod+z", help: "Undo the last change of the path", run: () => void history.undo() },
    { key: "Mod+Shift+z", help: "Redo it", run: () => void history.redo() },
    { key: "p", help: "Add a point to the path", run: addPoint },
    { key: "Delete", help: "Remove the chosen point", run: removePoint },
  ],
};

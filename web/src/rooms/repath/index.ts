/** The repath room: one clip, bent along any path. */

import type { Stage } from "../../stage/stage";
import type { Room } from "../registry";
import { removePoint } from "./actions";
import { draw } from "./draw";
import { showLanes } from "./lanes";
import { begin, history, opened, ownAgain, stroke, tool, type Tool } from "./model";
import { levelled } from "./curve";
import { mirrorPath, Overlay, reversePath } from "./overlay";
import { Panel } from "./panel";

let ends: (() => void)[] = [];

const take = (name: Tool) => () => void (tool.value = name);

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
  Overlay,
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
    { key: "d", help: "Draw on the floor", run: take("draw") },
    { key: "p", help: "Move and place points", run: take("points") },
    { key: "h", help: "Look round", run: take("look") },
    { key: "Shift+m", help: "Mirror the path", run: mirrorPath },
    { key: "Shift+r", help: "Walk the path the other way", run: reversePath },
    { key: "Shift+l", help: "Lay the path level", run: () => history.commit(levelled(history.value.peek())) },
    { key: "x", help: "Back to its own path", run: ownAgain },
    { key: "Escape", help: "Drop the stroke", run: () => void (stroke.value = null) },
    { key: "Delete", help: "Remove the chosen point", run: removePoint },
  ],
};

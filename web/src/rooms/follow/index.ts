/** Follow: draw a path, and somebody walks it; walks at random and in order, too. */

import { effect } from "@preact/signals";
import type { Stage, View } from "../../stage/stage";
import { setLanes } from "../../timeline/lanes";
import { persisted } from "../../state/persist";
import type { Room } from "../registry";
import { clearPath, mirrorPath, reversePath } from "./actions";
import { lanesOf } from "./lanes";
import { Overlay } from "./overlay";
import { Panel } from "./panel";
import { startMending } from "./remedies";
import { reopen } from "./reopen";
import { keepNow } from "./result-panel";
import { startAsking } from "./search";
import { startShowing } from "./show";
import { answer, chosen, graph, mode, redo, tool, undo, type Tool } from "./state";
import { dropGesture, removeControl } from "./tools";
import { anotherSeed } from "./walks-panel";

/** Behind who sets out along +Z, and high enough to draw: left on the floor is left on the screen. */
const BEHIND: View = { position: [0, 8.5, -9.5], target: [0, 0, 2] };
const view = persisted<View>("follow.view", BEHIND, (value) => Array.isArray((value as View | null)?.position));

let ends: (() => void)[] = [];

const onPath = (act: () => unknown) => () => {
  if (mode.value === "path") act();
};
const take = (name: Tool) => onPath(() => (tool.value = name));

declare module "../registry" {
  interface RoomIds {
    follow: Room;
  }
}

export const room: Room = {
  id: "follow",
  name: "Follow",
  icon: "follow",
  key: "3",
  Panel,
  Overlay,
  enter(stage: Stage) {
    stage.camera.show(view.value, false);
    ends = [startAsking(), startMending(), startShowing(stage), effect(() => setLanes(graph.value ? lanesOf(answer.value, mode.value === "path") : []))];
  },
  leave(stage: Stage) {
    view.value = stage.camera.view();
    for (const end of ends) end();
    ends = [];
    setLanes([]);
  },
  address: () => ({ graph: graph.value?.id, result: answer.value?.facts.id }),
  open: (pack) => reopen(pack.facts.result.request),
  shortcuts: [
    { key: "d", help: "Draw on the floor", run: take("draw") },
    { key: "p", help: "Place points", run: take("points") },
    { key: "b", help: "Paint labels", run: take("paint") },
    { key: "w", help: "Put pauses on the path", run: take("pause") },
    { key: "o", help: "Draw obstacles", run: take("obstacle") },
    { key: "h", help: "Look round", run: take("look") },
    { key: "Mod+z", help: "Undo", run: onPath(undo) },
    { key: "Mod+Shift+z", help: "Redo", run: onPath(redo) },
    { key: "Shift+m", help: "Mirror the path", run: onPath(mirrorPath) },
    { key: "Shift+r", help: "Walk the path the other way", run: onPath(reversePath) },
    { key: "x", help: "Clear the path", run: onPath(clearPath) },
    { key: "Delete", help: "Remove the chosen point", run: onPath(() => chosen.value !== null && removeControl(chosen.value)) },
    { key: "k", help: "Keep the result", run: keepNow },
    { key: "n", help: "Another seed for a random walk", run: () => mode.value === "random" && anotherSeed() },
    { key: "Escape", help: "Drop the stroke", run: () => void dropGesture() },
  ],
};

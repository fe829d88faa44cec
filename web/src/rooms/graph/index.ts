/** The Graph room: build a motion graph, see where clips can become each other, and choose how far alike they must be. */

import type { Stage } from "../../stage/stage";
import type { Room } from "../registry";
import { followChoices, resumeWatching } from "./actions";
import "./graph.css";
import { playChosen, stepMinimum } from "./matrix-window";
import { detail, view } from "./model";
import { Panel } from "./panel";
import * as scene from "./scene";
import { View } from "./view";

let end: (() => void) | null = null;

declare module "../registry" {
  interface RoomIds {
    graph: Room;
  }
}

export const room: Room = {
  id: "graph",
  name: "Graph",
  icon: "graph",
  key: "2",
  Panel,
  View,
  enter(stage: Stage) {
    scene.enter(stage);
    end = followChoices();
    resumeWatching();
  },
  leave(stage: Stage) {
    end?.();
    scene.leave(stage);
  },
  address: () => ({ graph: detail.value?.id }),
  shortcuts: [
    { key: "x", help: "Matrix or graph view", run: () => (view.value = view.value === "matrix" ? "graph" : "matrix") },
    { key: "n", help: "Matrix: next dearer minimum", run: () => stepMinimum(1) },
    { key: "p", help: "Matrix: next cheaper minimum", run: () => stepMinimum(-1) },
    { key: "Enter", help: "Matrix: play the transition at the chosen minimum", run: playChosen },
  ],
};

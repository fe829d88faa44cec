/** Direct: say what happens where and when on a timeline and on the floor, and see the motion that does it. */

import { batch, effect } from "@preact/signals";
import type { DirectRequest } from "../../api/types";
import type { Stage, View } from "../../stage/stage";
import { takeDrops } from "../../state/drops";
import { persisted } from "../../state/persist";
import * as playback from "../../state/playback";
import { setLanes } from "../../timeline/lanes";
import type { Room } from "../registry";
import { addHere, addMoment, chooseNext, choosePartHere, remove } from "./actions";
import { dropped } from "./files";
import { startGathering } from "./ghosts";
import { Overlay } from "./overlay";
import { anotherSeed, Panel } from "./panel";
import { makeAnew, reopen, startAsking } from "./search";
import { startShowing } from "./show";
import { answer, back, chosen, graph, painting, stretch, tool, unstretch, type Tool } from "./state";
import { dropGesture } from "./tools";
import { tracks } from "./tracks";

/** Behind who sets out along +Z, and high enough to see all keys. */
const BEHIND: View = { position: [2.4, 8, -7.6], target: [2.4, 0, 2.6] };
const view = persisted<View>("direct.view", BEHIND, (value) => Array.isArray((value as View | null)?.position));

let ends: (() => void)[] = [];

declare module "../registry" {
  interface RoomIds {
    direct: Room;
  }
}

const take = (name: Tool) => () => void (tool.value = name);

export const room: Room = {
  id: "direct",
  name: "Direct",
  icon: "direct",
  key: "9",
  Panel,
  Overlay,
  enter(stage: Stage) {
    stage.camera.show(view.value, false);
    ends = [startAsking(), startShowing(stage), startGathering(), takeDrops(dropped), effect(() => setLanes(graph.value ? tracks() : []))];
  },
  leave(stage: Stage) {
    view.value = stage.camera.view();
    for (const end of ends) end();
    ends = [];
    setLanes([]);
  },
  address: () => ({ graph: graph.value?.id, result: answer.value?.facts.id }),
  open: (pack) => reopen(pack.facts.result.request as unknown as DirectRequest),
  shortcuts: [
    { key: "p", help: "Place keys on the floor", run: take("place") },
    { key: "o", help: "Draw a round obstacle", run: take("disc") },
    { key: "b", help: "Draw an obstacle with corners", run: take("box") },
    { key: "h", help: "Look round", run: take("look") },
    { key: "i", help: "Add a place at the playhead", run: () => addMoment(playback.time.value) },
    { key: "Shift+i", help: "Paint a label from the playhead on", run: () => addHere("label") },
    { key: "PageDown", help: "Choose the next of the scene", run: () => chooseNext(1) },
    { key: "PageUp", help: "Choose the one before it", run: () => chooseNext(-1) },
    { key: "Delete", help: "Delete what is chosen", run: () => chosen.value && remove(chosen.value) },
    { key: "n", help: "Another variation", run: anotherSeed },
    { key: "r", help: "Make the chosen stretch anew; choose one at the playhead", run: () => (stretch.value ? makeAnew() : choosePartHere()) },
    { key: "Mod+z", help: "Undo", run: () => back("undo") },
    { key: "Mod+Shift+z", help: "Redo", run: () => back("redo") },
    {
      key: "Escape",
      help: "Drop what is drawn, or choose nothing",
      run: () =>
        batch(() => {
          painting.value = null;
          if (!dropGesture() && !unstretch()) chosen.value = null;
        }),
    },
  ],
};

/** The export room: a motion to a file for another program, and the command that does the same. */

import type { Stage } from "../../stage/stage";
import type { Room } from "../registry";
import { draw } from "./draw";
import { begin, choose, source, write } from "./model";
import { Panel } from "./panel";
import { Formats } from "./view";

let ends: (() => void)[] = [];

declare module "../registry" {
  interface RoomIds {
    export: Room;
  }
}

export const room: Room = {
  id: "export",
  name: "Export",
  icon: "export",
  key: "6",
  Panel,
  View: Formats,
  sheet: "half",
  split: 0.6,
  enter(stage: Stage) {
    ends = [draw(stage), begin()];
  },
  leave() {
    for (const end of ends) end();
    ends = [];
  },
  address: () => (source.value ? { [source.value.kind]: source.value.id } : {}),
  open: () => choose(""),
  shortcuts: [{ key: "Mod+Enter", help: "Export", run: () => void write() }],
};

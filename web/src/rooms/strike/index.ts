/** The strike room: a punch or a kick at any target, from a few that were captured. */

import type { Stage } from "../../stage/stage";
import type { Room } from "../registry";
import { draw } from "./draw";
import { aimAtMiddle, begin, chosen, setMirror, settings } from "./model";
import { Panel } from "./panel";
import { TargetPlane } from "./view";

let ends: (() => void)[] = [];

declare module "../registry" {
  interface RoomIds {
    strike: Room;
  }
}

export const room: Room = {
  id: "strike",
  name: "Strike",
  icon: "strike",
  key: "5",
  Panel,
  View: TargetPlane,
  enter(stage: Stage) {
    ends = [draw(stage), begin()];
  },
  leave() {
    for (const end of ends) end();
    ends = [];
  },
  address: () => ({ space: chosen.value?.id }),
  shortcuts: [
    { key: "c", help: "Aim at the middle of the region", run: aimAtMiddle },
    { key: "x", help: "Strike with the other hand or foot", run: () => setMirror(!settings.value.mirror) },
  ],
};

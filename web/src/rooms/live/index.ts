/** Live: somebody who goes where your hand says, at once. */
import type { Stage } from "../../stage/stage";
import * as playback from "../../state/playback";
import { setLanes } from "../../timeline/lanes";
import type { Room } from "../registry";
import { doNumbered, startKeys } from "./hands";
import { Overlay } from "./overlay";
import { Panel } from "./panel";
import { startAgain, startSteering, takeNow, toggleRecording } from "./session";
import { startShowing } from "./show";
import { facing, graphId } from "./state";

let ends: (() => void)[] = [];

declare module "../registry" {
  interface RoomIds {
    live: Room;
  }
}

const NUMBERS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];

export const room: Room = {
  id: "live",
  name: "Live",
  icon: "live",
  key: "7",
  Panel,
  Overlay,
  enter(stage: Stage) {
    playback.pause();
    playback.setLength(0, playback.fps.value);
    setLanes([]);
    ends = [startSteering({ azimuth: () => stage.camera.controls.getAzimuthalAngle() }), startKeys(), startShowing(stage)];
  },
  leave() {
    for (const end of ends.reverse()) end();
    ends = [];
  },
  address: () => ({ graph: graphId.value }),
  shortcuts: [
    // heard before all others, where they steer; here so that they are in the list
    { key: "w", help: "Go", shown: "W+A+S+D", run: () => {} },
    { key: "ArrowUp", help: "Go", shown: "↑+←+↓+→", run: () => {} },
    { key: "Shift", help: "Run", run: () => {} },
    ...NUMBERS.map((key) => ({ key, help: "Labels and actions", shown: key === "1" ? "1 … 0" : "", run: () => doNumbered(key) })),
    { key: "r", help: "Record, and stop", run: toggleRecording },
    { key: "k", help: "Take what was steered", run: takeNow },
    { key: "c", help: "Face away from the camera, or where one goes", run: () => void (facing.value = facing.value === "way" ? "camera" : "way") },
    { key: "Backspace", help: "Set out anew", run: startAgain },
  ],
};

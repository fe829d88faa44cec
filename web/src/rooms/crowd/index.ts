/** Crowd: many people on one graph, each of whom goes their way and walks into nobody. */
import { effect } from "@preact/signals";
import { narrow } from "../../shell/state";
import { settled } from "../../stage/settled";
import type { Stage, View } from "../../stage/stage";
import * as playback from "../../state/playback";
import type { Room } from "../registry";
import { Overlay } from "./overlay";
import { Panel } from "./panel";
import { start, startAsking, stop } from "./session";
import { startShowing } from "./show";
import { graph, isBusy, isDrawn, person, redo, scene, tool, undo, type Tool } from "./state";
import { dropStroke } from "./tools";

/** High enough to see a crowd, and to draw. */
const ABOVE: View = { position: [0, 17, -17], target: [0, 0, 0] };
/** What is long lies across a wide screen, and along a high one. */
const SIDES = [ABOVE.position, [17, 17, 0]] as const;
/** On a phone from any side, and less from above: what is long lies from corner to corner, and people are larger by more than a half. */
const ROUND = Array.from({ length: 12 }, (_, index) => {
  const about = (index * Math.PI) / 6;
  return [Math.sin(about), 0.65, -Math.cos(about)] as const;
});

let ends: (() => void)[] = [];

declare module "../registry" {
  interface RoomIds {
    crowd: Room;
  }
}

const take = (name: Tool) => () => {
  if (isDrawn.value) tool.value = name;
};

export const room: Room = {
  id: "crowd",
  name: "Crowd",
  icon: "crowd",
  key: "8",
  Panel,
  Overlay,
  enter(stage: Stage) {
    playback.pause();
    playback.setLength(0, playback.fps.value);
    stage.camera.show(ABOVE, false);
    ends = [startAsking(), startShowing(stage), startFitting(stage), startCalming(stage)];
  },
  leave() {
    for (const end of ends.reverse()) end();
    ends = [];
  },
  address: () => ({ graph: graph.value?.id }),
  shortcuts: [
    { key: "Enter", help: "Run, and stop", run: () => (isBusy.value ? stop() : start()) },
    { key: "w", help: "Draw a wall", run: take("wall") },
    { key: "d", help: "Cut a door", run: take("door") },
    { key: "b", help: "Box from which a group starts", run: take("start") },
    { key: "n", help: "Box to which a group goes", run: take("goal") },
    { key: "h", help: "Look round", run: take("look") },
    { key: "Mod+z", help: "Undo", run: () => isDrawn.value && undo() },
    { key: "Mod+Shift+z", help: "Redo", run: () => isDrawn.value && redo() },
    { key: "Escape", help: "Drop the stroke, or let go whom the camera follows", run: () => dropStroke() || (person.value = null) },
  ],
};

/** While a crowd is computed, pictures that the processor draws are fewer: it is there sooner, and the page hears a hand meanwhile. */
function startCalming(stage: Stage): () => void {
  const end = effect(() => void (stage.calm = isBusy.value));
  return () => {
    end();
    stage.calm = false;
  };
}

/** A scenario is shown whole when it is chosen; for one that is drawn there is room. */
function startFitting(stage: Stage): () => void {
  let before = "";
  return effect(() => {
    const now = scene.value;
    const key = isDrawn.value ? "drawn" : now ? `${now.name} ${now.people}` : "";
    if (!key || key === before) return;
    before = key;
    if (isDrawn.value) stage.camera.show(ABOVE, false);
    else settled(() => key === before && stage.camera.seeFrom(narrow.peek() ? ROUND : SIDES, false));
  });
}

/** The page's own shortcuts. */
import { rooms, type Shortcut } from "../rooms/registry";
import * as playback from "../state/playback";
import { stage } from "../state/stage";
import { figure, grid, room, toast } from "../state/store";
import { toggleFollow } from "./views";
import { help, viewsOpen } from "./state";

const look = (name: "front" | "side" | "top" | "three-quarter" | "fit") => () => stage.value?.camera.look(name);

const slots = [1, 2, 3, 4];

/** By what they are about, for the list under `?`. */
export function groups(): { title: string; shortcuts: Shortcut[] }[] {
  return [
    {
      title: "Rooms",
      shortcuts: [
        ...rooms.map((one) => ({ key: one.key, help: one.name, run: () => void (room.value = one.id) })),
        { key: "?", help: "This list", run: () => void (help.value = !help.value) },
      ],
    },
    {
      title: "Time",
      shortcuts: [
        { key: "Space", help: "Play or pause", run: playback.toggle },
        { key: "ArrowLeft", help: "A frame back or on", shown: "←+→", run: () => playback.step(-1) },
        { key: "ArrowRight", help: "A frame on", shown: "", run: () => playback.step(1) },
        { key: "Shift+ArrowLeft", help: "Ten frames back or on", shown: "Shift+←+→", run: () => playback.step(-10) },
        { key: "Shift+ArrowRight", help: "Ten frames on", shown: "", run: () => playback.step(10) },
        { key: "Home", help: "To the beginning, to the end", shown: "Home+End", run: () => playback.seek(0) },
        { key: "End", help: "To the end", shown: "", run: () => playback.seekFrame(playback.frames.value - 1) },
        { key: ",", help: "Slower, faster", shown: ",+.", run: () => playback.changeSpeed(-1) },
        { key: ".", help: "Faster", shown: "", run: () => playback.changeSpeed(1) },
        { key: "l", help: "Loop on or off", run: () => void (playback.loop.value = !playback.loop.value) },
      ],
    },
    {
      title: "Camera",
      shortcuts: [
        { key: "f", help: "The camera goes along with the figure", run: toggleFollow },
        { key: "t", help: "From above", run: look("top") },
        { key: "s", help: "From the side", run: look("side") },
        { key: "r", help: "From the front", run: look("front") },
        { key: "q", help: "At an angle", run: look("three-quarter") },
        { key: "a", help: "All that is shown", run: look("fit") },
        { key: "v", help: "Saved views", run: () => void (viewsOpen.value = !viewsOpen.value) },
        ...slots.map((slot) => ({ key: `Alt+${slot}`, help: "Go to a saved view", shown: slot === 1 ? "Alt+1 … 4" : "", run: () => recall(slot) })),
        ...slots.map((slot) => ({ key: `Alt+Shift+${slot}`, help: "Save this view", shown: slot === 1 ? "Alt+Shift+1 … 4" : "", run: () => keep(slot) })),
      ],
    },
    {
      title: "Stage",
      shortcuts: [
        { key: "g", help: "Metre lines on or off", run: () => void (grid.value = !grid.value) },
        { key: "m", help: "Mannequin or stick figure", run: () => void (figure.value = figure.value === "stick" ? "mannequin" : "stick") },
      ],
    },
  ];
}

/** Keep the camera's view in a slot. */
export function keep(slot: number): void {
  stage.value?.camera.store(slot);
  toast(`Saved as view ${slot}. Alt+${slot} comes back to it.`, "good");
}

/** Go to a kept view. */
export function recall(slot: number): void {
  if (stage.value && !stage.value.camera.recall(slot)) toast(`No view ${slot} is saved yet: Alt+Shift+${slot} saves this one.`);
}

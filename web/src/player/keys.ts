/** The keys of the player: what they do, and how they are told. */
import * as playback from "../state/playback";
import type { Stage } from "../stage/stage";
import * as settings from "./settings";

export interface Shortcut {
  keys: string[];
  shown: string;
  what: string;
  run(event: KeyboardEvent): void;
}

/** All shortcuts, in the order in which they are listed. */
export function shortcuts(stage: Stage): Shortcut[] {
  return [
    { keys: [" ", "k"], shown: "Space", what: "play, pause", run: () => playback.toggle() },
    { keys: ["ArrowLeft", "ArrowRight"], shown: "← →", what: "a frame back, on; with Shift ten", run: stepped },
    { keys: ["Home", "End"], shown: "Home End", what: "to the beginning, the end", run: (event) => playback.seekFrame(event.key === "Home" ? 0 : playback.frames.value) },
    { keys: [",", "."], shown: ", .", what: "slower, faster", run: (event) => playback.changeSpeed(event.key === "," ? -1 : 1) },
    { keys: ["l"], shown: "L", what: "loop", run: () => (playback.loop.value = !playback.loop.value) },
    { keys: ["f"], shown: "F", what: "follow with the camera", run: () => (settings.follow.value = !settings.follow.value) },
    { keys: ["m"], shown: "M", what: "mannequin, stick figure", run: settings.toggleFigure },
    { keys: ["t"], shown: "T", what: "from above", run: () => stage.camera.look("top") },
    { keys: ["s"], shown: "S", what: "from the side", run: () => stage.camera.look("side") },
    { keys: ["r"], shown: "R", what: "the first view again", run: () => stage.camera.look("three-quarter") },
    { keys: ["g"], shown: "G", what: "metre lines", run: () => (stage.grid = !stage.grid) },
    { keys: ["d"], shown: "D", what: "light, dark", run: settings.toggleTheme },
    { keys: ["?"], shown: "?", what: "this list", run: () => (settings.help.value = !settings.help.value) },
  ];
}

/** Let the page listen. */
export function listen(list: Shortcut[]): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      settings.help.value = false;
      return;
    }
    // a button that has the focus takes the space bar itself; what chooses takes the arrows
    const target = event.target as HTMLElement;
    if ((target.tagName === "BUTTON" && event.key === " ") || target.tagName === "SELECT") return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const found = list.find((each) => each.keys.includes(key));
    if (!found) return;
    event.preventDefault();
    found.run(event);
  });
}

function stepped(event: KeyboardEvent): void {
  playback.step((event.key === "ArrowLeft" ? -1 : 1) * (event.shiftKey ? 10 : 1));
}

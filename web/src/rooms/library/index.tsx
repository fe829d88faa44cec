/** The library: all clips of the workspace. */
import { clip } from "../../state/store";
import { Details } from "./details";
import { DropZone } from "./drop";
import { chooseFiles, remove, secondId } from "./model";
import type { Room } from "../registry";
import { show } from "./scene";
import { Shelf } from "./shelf";
import "./library.css";

let end: (() => void) | null = null;

declare module "../registry" {
  interface RoomIds {
    library: Room;
  }
}

export const room: Room = {
  id: "library",
  name: "Library",
  icon: "library",
  key: "1",
  Panel: Details,
  View: Shelf,
  Everywhere: DropZone,
  split: 0.4,
  enter(stage) {
    end = show(stage);
  },
  leave() {
    end?.();
    end = null;
  },
  shortcuts: [
    { key: "u", help: "Add files", run: chooseFiles },
    { key: "Delete", help: "Delete the clip", run: () => clip.value && void remove(clip.value) },
    { key: "x", help: "No second clip", run: () => void (secondId.value = null) },
  ],
};

/** The library: all clips of the workspace. */
import { clip } from "../../state/store";
import { Details } from "./details";
import { DropZone } from "./drop";
import { redo, undo } from "./labelling";
import { chooseFiles, picked, pickedIds, remove, secondId, shown } from "./model";
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
  address: () => ({ clip: clip.value?.id }),
  shortcuts: [
    { key: "u", help: "Add files", run: chooseFiles },
    { key: "Delete", help: "Delete what is picked", run: () => void (picked.value.length ? remove(...picked.value) : clip.value && remove(clip.value)) },
    { key: "Mod+z", help: "Undo the last change of labels", run: () => void undo() },
    { key: "Mod+Shift+z", help: "Redo it", run: () => void redo() },
    { key: "Mod+a", help: "Pick all clips that are listed", run: () => void (pickedIds.value = new Set(shown.value.map((one) => one.id))) },
    { key: "Escape", help: "Pick only one clip", run: () => void (pickedIds.value = new Set()) },
    { key: "x", help: "No second clip", run: () => void (secondId.value = null) },
  ],
};

/** Tools over the stage, as in Follow: what the pointer does, what is done to the path, and what is shown. */

import type { LegendEntry } from "../../path/legend";
import { PathOverlay, type PathAct, type PathTool } from "../../path/overlay";
import { narrow } from "../../shell/state";
import { hasHeights, levelled, mirrored, reversed } from "./curve";
import { history, type Layers, layers, made, opened, OWN, ownAgain, tool, type Tool } from "./model";

const TOOLS: readonly PathTool<Tool>[] = [
  { tool: "draw", icon: "pen", label: "Draw", key: "D" },
  { tool: "points", icon: "repath", label: "Points", key: "P" },
  { tool: "look", icon: "hand", label: "Look round", word: "Look", key: "H" },
];

/** What each tool does, in a sentence. */
const HINTS: Record<Tool, string> = {
  draw: "Draw on the floor: the clip goes along your line. The right button turns the view.",
  points: "Drag a point to bend the path, with Shift to raise it. Click adds a point at the end; double-click on the line inserts one.",
  look: "Drag turns the view, the wheel zooms.",
};

const LEGEND: readonly LegendEntry<keyof Layers>[] = [
  { layer: "path", label: "Drawn path", token: "--c-path", line: true },
  { layer: "walked", label: "Walked path", token: "--c-walked", line: true },
  { layer: "feet", label: "Footprints", token: "--c-left" },
  { layer: "original", label: "As captured", token: "--c-original" },
  { layer: "character", label: "Person", token: "--text-3" },
];

export const mirrorPath = (): void => history.commit(mirrored(history.value.peek()));
export const reversePath = (): void => history.commit(reversed(history.value.peek()));

export function Overlay() {
  if (!opened.value) return null;
  const path = history.value.value;
  const acts: readonly PathAct[] = [
    { icon: "undo", label: "Undo", key: "Ctrl+Z", disabled: !history.canUndo.value, run: () => void history.undo() },
    { icon: "redo", label: "Redo", key: "Ctrl+Shift+Z", disabled: !history.canRedo.value, run: () => void history.redo() },
    { icon: "mirror", label: "Mirror left and right", word: "Mirror", key: "Shift+M", disabled: false, run: mirrorPath },
    { icon: "reverse", label: "Walk it the other way", word: "Other way", key: "Shift+R", disabled: false, run: reversePath },
    { icon: "top", label: "Lay it level", word: "Level", key: "Shift+L", disabled: !hasHeights(path), run: () => history.commit(levelled(path)) },
    { icon: "trash", label: "Back to its own path", word: "Own path", key: "X", disabled: path.shape === OWN, run: ownAgain },
  ];
  return (
    <PathOverlay
      tools={TOOLS}
      tool={tool.value}
      onTool={(name) => (tool.value = name)}
      of="Path"
      acts={acts}
      legend={made.value && LEGEND}
      shown={layers.value}
      onLayer={(layer) => (layers.value = { ...layers.value, [layer]: !layers.value[layer] })}
      // it speaks of keys, and on a phone would lie over the path
      says={!narrow.value && HINTS[tool.value]}
    />
  );
}

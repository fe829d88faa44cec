/** Tools over the stage: what the pointer does, and what is done to the path. */

import { PathOverlay, type PathAct, type PathTool } from "../../path/overlay";
import type { LegendEntry } from "../../path/legend";
import { clearPath, mirrorPath, reversePath } from "./actions";
import { preparing } from "./newcomer";
import { answer, course, graph, hasDrawn, history, layers, mode, redo, tool, undo, type Layers, type Tool } from "./state";

const TOOLS: readonly PathTool<Tool>[] = [
  { tool: "draw", icon: "pen", label: "Draw", key: "D" },
  { tool: "points", icon: "repath", label: "Points", key: "P" },
  { tool: "paint", icon: "tag", label: "Paint labels", word: "Paint", key: "B" },
  { tool: "pause", icon: "pause", label: "Pause", key: "W" },
  { tool: "obstacle", icon: "disc", label: "Obstacle", key: "O" },
  { tool: "look", icon: "hand", label: "Look round", word: "Look", key: "H" },
];

/** What each tool does, in a sentence. */
const HINTS: Record<Tool, string> = {
  draw: "Draw on the floor. The right button turns the view.",
  points: "Click adds a point, drag moves it, Shift and a click choose several; double-click on the line inserts one.",
  paint: "Drag along the path to give a stretch its label.",
  pause: "Click on the path: there somebody stands for a while. Drag moves it, a double-click removes it.",
  obstacle: "Drag from the middle of an obstacle to its edge; it is walked around.",
  look: "Drag turns the view, the wheel zooms.",
};

const LEGEND: readonly LegendEntry<keyof Layers>[] = [
  { layer: "path", label: "Drawn path", token: "--c-path", line: true },
  { layer: "walked", label: "Walked path", token: "--c-walked", line: true },
  { layer: "feet", label: "Footprints", token: "--c-left" },
  { layer: "transitions", label: "Transitions", token: "--c-transition" },
  { layer: "character", label: "Person", token: "--text-3" },
];

/** Said beside a shape that was laid out for a beginning. */
const OWN = "Now draw a line of your own on the floor.";

/** The tools, and a word about the chosen one. */
export function Overlay() {
  if (!graph.value || preparing.value) return null;
  const onPath = mode.value === "path";
  const none = !course.value.drawing.source;
  // a shape is there to be seen; a line of one's own is what the room is for
  const ready = course.value.drawing.source?.kind === "shape" && tool.value === "draw" && !hasDrawn.value;
  const told = onPath && (none || ready || tool.value === "points" || tool.value === "paint" || tool.value === "pause" || tool.value === "obstacle");
  const acts: readonly PathAct[] = [
    { icon: "undo", label: "Undo", key: "Ctrl+Z", disabled: !history.canUndo.value, run: undo },
    { icon: "redo", label: "Redo", key: "Ctrl+Shift+Z", disabled: !history.canRedo.value, run: redo },
    { icon: "mirror", label: "Mirror left and right", word: "Mirror", key: "Shift+M", disabled: none, run: mirrorPath },
    { icon: "reverse", label: "Walk it the other way", word: "Other way", key: "Shift+R", disabled: none, run: reversePath },
    { icon: "trash", label: "Clear the path", word: "Clear", key: "X", disabled: none, run: clearPath },
  ];
  return (
    <PathOverlay
      tools={onPath ? TOOLS : []}
      tool={tool.value}
      onTool={(name) => (tool.value = name)}
      of="Path"
      acts={acts}
      legend={answer.value && LEGEND.filter(({ layer }) => layer !== "path" || onPath)}
      shown={layers.value}
      onLayer={(layer) => (layers.value = { ...layers.value, [layer]: !layers.value[layer] })}
      says={told && (ready ? OWN : HINTS[tool.value])}
    />
  );
}

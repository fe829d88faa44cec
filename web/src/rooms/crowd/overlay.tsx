/** Tools over the stage: what the pointer draws; and how far a run is. */
import { PathOverlay, type PathAct, type PathTool } from "../../path/overlay";
import { Progress } from "../../ui";
import { EMPTY, lacks } from "./drawing";
import { draw, drawing, graph, history, isDrawn, redo, run, stage, there, tool, undo, type Tool } from "./state";

const TOOLS: readonly PathTool<Tool>[] = [
  { tool: "wall", icon: "wall", label: "Wall", key: "W" },
  { tool: "door", icon: "door", label: "Door", key: "D" },
  { tool: "start", icon: "box-from", label: "Start of a group", word: "Start", key: "B" },
  { tool: "goal", icon: "box-to", label: "Goal of a group", word: "Goal", key: "N" },
  { tool: "look", icon: "hand", label: "Look round", word: "Look", key: "H" },
];

/** What each tool does, in a sentence. */
const HINTS: Record<Tool, string> = {
  wall: "Drag from one end to the other. From the end of a wall it goes on.",
  door: "Click on a wall to cut a door into it.",
  start: "Drag a box from which a group starts.",
  goal: "Drag a box to which a group goes.",
  look: "Drag turns the view. Click somebody to go along with them.",
};

export function Overlay() {
  if (!graph.value) return null;
  const now = run.value;
  const acts: readonly PathAct[] = [
    { icon: "undo", label: "Undo", key: "Ctrl+Z", disabled: !history.canUndo.value, run: undo },
    { icon: "redo", label: "Redo", key: "Ctrl+Shift+Z", disabled: !history.canRedo.value, run: redo },
    { icon: "trash", label: "Clear the drawing", word: "Clear", key: "", disabled: !drawing.value.walls.length && !drawing.value.groups.length, run: () => draw(EMPTY) },
  ];
  return (
    <PathOverlay
      tools={isDrawn.value ? TOOLS : []}
      tool={tool.value}
      onTool={(name) => (tool.value = name)}
      of="Drawing"
      acts={acts}
      says={isDrawn.value && !now && (tool.value === "look" ? (lacks(drawing.value) ?? HINTS.look) : HINTS[tool.value])}
    >
      {stage.value === "preparing" && (
        <div class="path-says" role="status">
          Making everybody ready…
          <Progress label="Making everybody ready" value={null} />
        </div>
      )}
      {stage.value === "computing" && now && (
        <div class="path-says" role="status">
          {(there.value / now.frames.rate).toFixed(1)} of {(now.facts.frames / now.frames.rate).toFixed(0)} s computed
          <Progress label="Computing" value={there.value / now.facts.frames} />
        </div>
      )}
    </PathOverlay>
  );
}

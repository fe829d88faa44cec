/** Tools over the stage: what the pointer draws; and how far a run is. */
import { IconButton, Progress, Toolbar } from "../../ui";
import { EMPTY, lacks } from "./drawing";
import { draw, drawing, graph, history, isDrawn, redo, run, stage, there, tool, undo, type Tool } from "./state";

const TOOLS: readonly { tool: Tool; icon: string; label: string; key: string }[] = [
  { tool: "wall", icon: "wall", label: "Wall", key: "W" },
  { tool: "door", icon: "door", label: "Door", key: "D" },
  { tool: "start", icon: "box-from", label: "Start of a group", key: "B" },
  { tool: "goal", icon: "box-to", label: "Goal of a group", key: "N" },
  { tool: "look", icon: "hand", label: "Look round", key: "H" },
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
  return (
    <div class="crowd-overlay">
      {isDrawn.value && (
        <div class="crowd-tools">
          <Toolbar label="Tool" entry="[aria-pressed=true]">
            {TOOLS.map((one) => (
              <IconButton key={one.tool} icon={one.icon} label={one.label} shortcut={one.key} pressed={tool.value === one.tool} onClick={() => (tool.value = one.tool)} />
            ))}
          </Toolbar>
          <Toolbar label="Drawing">
            <IconButton icon="undo" label="Undo" shortcut="Ctrl+Z" disabled={!history.canUndo.value} onClick={undo} />
            <IconButton icon="redo" label="Redo" shortcut="Ctrl+Shift+Z" disabled={!history.canRedo.value} onClick={redo} />
            <IconButton icon="trash" label="Clear the drawing" disabled={!drawing.value.walls.length && !drawing.value.groups.length} onClick={() => draw(EMPTY)} />
          </Toolbar>
        </div>
      )}
      {isDrawn.value && !now && <p class="crowd-says">{tool.value === "look" ? (lacks(drawing.value) ?? HINTS.look) : HINTS[tool.value]}</p>}
      {stage.value === "preparing" && (
        <div class="crowd-says" role="status">
          Making everybody ready…
          <Progress label="Making everybody ready" value={null} />
        </div>
      )}
      {stage.value === "computing" && now && (
        <div class="crowd-says" role="status">
          {(there.value / now.frames.rate).toFixed(1)} of {(now.facts.frames / now.frames.rate).toFixed(0)} s computed
          <Progress label="Computing" value={there.value / now.facts.frames} />
        </div>
      )}
    </div>
  );
}

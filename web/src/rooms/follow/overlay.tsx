/** Tools over the stage: what the pointer does, and what is done to the path. */

import { IconButton, Toolbar } from "../../ui";
import { clearPath, mirrorPath, reversePath } from "./actions";
import { Legend } from "./motion-panel";
import { preparing } from "./newcomer";
import { answer, course, graph, hasDrawn, history, mode, redo, tool, undo, type Tool } from "./state";

const TOOLS: readonly { tool: Tool; icon: string; label: string; key: string }[] = [
  { tool: "draw", icon: "pen", label: "Draw", key: "D" },
  { tool: "points", icon: "repath", label: "Points", key: "P" },
  { tool: "paint", icon: "tag", label: "Paint labels", key: "B" },
  { tool: "obstacle", icon: "disc", label: "Obstacle", key: "O" },
  { tool: "look", icon: "hand", label: "Look round", key: "H" },
];

/** What each tool does, in a sentence. */
const HINTS: Record<Tool, string> = {
  draw: "Draw on the floor. The right button turns the view.",
  points: "Click adds a point, drag moves it, Shift and a click choose several; double-click on the line inserts one.",
  paint: "Drag along the path to give a stretch its label.",
  obstacle: "Drag from the middle of an obstacle to its edge; it is walked around.",
  look: "Drag turns the view, the wheel zooms.",
};

/** Said beside a shape that was laid out for a beginning. */
const OWN = "Now draw a line of your own on the floor.";

/** The tools, and a word about the chosen one. */
export function Overlay() {
  if (!graph.value || preparing.value) return null;
  const onPath = mode.value === "path";
  const none = !course.value.drawing.source;
  // a shape is there to be seen; a line of one's own is what the room is for
  const ready = course.value.drawing.source?.kind === "shape" && tool.value === "draw" && !hasDrawn.value;
  return (
    <div class="follow-overlay">
      {onPath && (
        <div class="follow-tools">
          <Toolbar label="Tool" entry="[aria-pressed=true]">
            {TOOLS.map((one) => (
              <IconButton
                key={one.tool}
                icon={one.icon}
                label={one.label}
                shortcut={one.key}
                pressed={tool.value === one.tool}
                onClick={() => (tool.value = one.tool)}
              />
            ))}
          </Toolbar>
          <Toolbar label="Path">
            <IconButton icon="undo" label="Undo" shortcut="Ctrl+Z" disabled={!history.canUndo.value} onClick={undo} />
            <IconButton icon="redo" label="Redo" shortcut="Ctrl+Shift+Z" disabled={!history.canRedo.value} onClick={redo} />
            <IconButton icon="mirror" label="Mirror left and right" shortcut="Shift+M" disabled={none} onClick={mirrorPath} />
            <IconButton icon="reverse" label="Walk it the other way" shortcut="Shift+R" disabled={none} onClick={reversePath} />
            <IconButton icon="trash" label="Clear the path" shortcut="X" disabled={none} onClick={clearPath} />
          </Toolbar>
        </div>
      )}
      {answer.value && <Legend />}
      {onPath && (none || ready || tool.value === "points" || tool.value === "paint" || tool.value === "obstacle") && <p class="follow-says">{ready ? OWN : HINTS[tool.value]}</p>}
    </div>
  );
}

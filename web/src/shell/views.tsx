/** The camera's buttons over the stage. */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { useAway } from "../ui/away";
import { stage } from "../state/stage";
import { room } from "../state/store";
import { classes, IconButton, Toolbar } from "../ui";
import { keep, recall } from "./shortcuts";
import { followed, followIn, keptViews, viewsOpen } from "./state";

/** Follow, or let the camera stand; remembered for this room. */
export function toggleFollow(): void {
  const on = !followed.value;
  followIn.value = { ...followIn.value, [room.value]: on };
  if (stage.value) stage.value.following = on;
}

export function StageTools(): JSX.Element {
  const look = (name: "front" | "side" | "top" | "three-quarter" | "fit") => () => stage.value?.camera.look(name);
  return (
    <Toolbar class="stage-tools" label="Camera">
      <IconButton icon="view-angle" label="At an angle" shortcut="Q" onClick={look("three-quarter")} />
      <IconButton icon="view-front" label="From the front" shortcut="R" onClick={look("front")} />
      <IconButton icon="view-side" label="From the side" shortcut="S" onClick={look("side")} />
      <IconButton icon="view-top" label="From above" shortcut="T" onClick={look("top")} />
      <IconButton icon="fit" label="All that is shown" shortcut="A" onClick={look("fit")} />
      <hr />
      <IconButton icon="follow-camera" label="Follow the figure" shortcut="F" pressed={followed.value} onClick={toggleFollow} />
      <Views />
    </Toolbar>
  );
}

function Views(): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const open = viewsOpen.value;
  useAway(
    box,
    open,
    () => (viewsOpen.value = false),
    () => box.current?.querySelector<HTMLElement>(".views button:not(:disabled)")?.focus(),
  );
  return (
    <div
      class="menu-box"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        viewsOpen.value = false;
        box.current?.querySelector("button")?.focus();
        event.stopPropagation();
      }}
    >
      <IconButton icon="keep" label="Saved views" shortcut="V" expanded={open} onClick={() => (viewsOpen.value = !open)} />
      {open && (
        <div class="menu right views" role="group" aria-label="Saved views">
          {keptViews.value.map((view, index) => (
            <div key={index} class="view-row">
              <button type="button" class={classes(!view && "faint")} disabled={!view} onClick={() => recall(index + 1)}>
                <span>View {index + 1}</span>
                <kbd>Alt {index + 1}</kbd>
              </button>
              <button type="button" class="keep" aria-label={`${view ? "Replace" : "Save"} view ${index + 1}`} onClick={() => keep(index + 1)}>
                {view ? "Replace" : "Save"}
              </button>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

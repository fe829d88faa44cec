/** The camera's buttons over the stage. */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { useAway } from "../ui/away";
import { stage } from "../state/stage";
import { room } from "../state/store";
import { classes, Icon, Toolbar } from "../ui";
import { keep, recall } from "./shortcuts";
import { followed, followIn, keptViews, viewsOpen } from "./state";

/** Go along, or let the camera stand; remembered for this room. */
export function toggleFollow(): void {
  const on = !followed.value;
  followIn.value = { ...followIn.value, [room.value]: on };
  if (stage.value) stage.value.following = on;
}

type Angle = "front" | "side" | "top" | "three-quarter" | "fit";
const look = (name: Angle): void => void stage.value?.camera.look(name);

const ANGLES: readonly { name: Angle; icon: string; label: string; key: string }[] = [
  { name: "three-quarter", icon: "view-angle", label: "At an angle", key: "Q" },
  { name: "front", icon: "view-front", label: "From the front", key: "R" },
  { name: "side", icon: "view-side", label: "From the side", key: "S" },
  { name: "top", icon: "view-top", label: "From above", key: "T" },
];

export function StageTools(): JSX.Element {
  return (
    <Toolbar class="stage-tools" label="Camera">
      <button type="button" class="stage-tool" aria-label="Go along with the figure" aria-pressed={followed.value} title="The camera goes along with the figure (F)" onClick={toggleFollow}>
        <Icon name="follow-camera" />
        <span>Go along</span>
      </button>
      <button type="button" class="stage-tool" aria-label="See all that is shown" title="See all that is shown (A)" onClick={() => look("fit")}>
        <Icon name="fit" />
        <span>See all</span>
      </button>
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
    () => box.current?.querySelector<HTMLElement>(".views button")?.focus(),
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
      <button type="button" class="stage-tool" aria-label="View: angles and saved views" aria-expanded={open} title="Angles and saved views (V)" onClick={() => (viewsOpen.value = !open)}>
        <Icon name="view-angle" />
        <span>View</span>
      </button>
      {open && (
        <div class="menu right views" role="group" aria-label="Views">
          {ANGLES.map(({ name, icon, label, key }) => (
            <button
              key={name}
              type="button"
              class="view-angle"
              onClick={() => {
                viewsOpen.value = false;
                look(name);
              }}
            >
              <Icon name={icon} />
              <span>{label}</span>
              <kbd>{key}</kbd>
            </button>
          ))}
          <hr />
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

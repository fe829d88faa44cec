/** The control points as a list for the keyboard: a path can be made and bent without a mouse. */

import { addAhead, chooseAt, chooseControl, nudge } from "./actions";
import { controlsOf } from "./drawing";
import { chosen, course, others } from "./state";
import { removeControl } from "./tools";

/** Metres of one press of an arrow, and with Shift. */
const [SMALL, LARGE] = [0.1, 0.5];

function pressed(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = event.shiftKey ? LARGE : SMALL;
  const keys: Record<string, () => void> = {
    // x is to the left of who walks ahead, along z
    ArrowLeft: () => nudge(step, 0),
    ArrowRight: () => nudge(-step, 0),
    ArrowUp: () => nudge(0, step),
    ArrowDown: () => nudge(0, -step),
    PageUp: () => chooseControl(-1),
    PageDown: () => chooseControl(1),
    Enter: addAhead,
    Delete: () => chosen.value !== null && removeControl(chosen.value),
    Backspace: () => chosen.value !== null && removeControl(chosen.value),
  };
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

function told(metres: number, positive: string, negative: string): string {
  return `${Math.abs(metres).toFixed(2)} m ${metres < 0 ? negative : positive}`;
}

/** The list, with the place of the chosen point. */
export function Points() {
  const controls = controlsOf(course.value.drawing);
  const at = chosen.value === null ? undefined : controls[chosen.value];
  const says = at ? `Point ${chosen.value! + 1}: ${told(at[0]!, "left", "right")}, ${told(at[1]!, "ahead", "behind")}` : `${controls.length} points`;
  return (
    <div class="follow-points">
      <div
        class="follow-points-list"
        role="listbox"
        aria-multiselectable="true"
        tabIndex={0}
        aria-label="Control points. Arrow keys move the chosen one, Page Up and Page Down choose, Enter adds one ahead, Delete removes"
        aria-activedescendant={chosen.value === null ? undefined : `follow-point-${chosen.value}`}
        onKeyDown={pressed}
        onFocus={() => chosen.value === null && chooseControl(-1)}
      >
        {controls.length === 0 && <span class="follow-hint">Click on the floor, or press Enter here</span>}
        {controls.map((_, index) => (
          <span
            key={index}
            id={`follow-point-${index}`}
            role="option"
            aria-selected={chosen.value === index || others.value.has(index)}
            onPointerDown={(event) => chooseAt(index, event.shiftKey || event.ctrlKey || event.metaKey)}
          >
            {index + 1}
          </span>
        ))}
      </div>
      <p class="follow-hint" aria-live="polite">
        {says}. <kbd>←↑↓→</kbd> move, <kbd>Enter</kbd> adds ahead, <kbd>Delete</kbd> removes.
      </p>
    </div>
  );
}

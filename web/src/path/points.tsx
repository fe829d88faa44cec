/** The points of a path as a list for the keyboard: a path can be made and bent without a mouse. */

import type { Point } from "../motion/spline";

/** Metres of one press of an arrow, and with Shift. */
const [SMALL, LARGE] = [0.1, 0.5];

interface Props {
  /** [x, z] of each */
  points: readonly Point[];
  chosen: number | null;
  others?: ReadonlySet<number>;
  choose(index: number, more: boolean): void;
  /** choose the one so many further on */
  step(by: number): void;
  /** move the chosen one over the floor */
  nudge(x: number, z: number): void;
  add(): void;
  remove(): void;
}

function told(metres: number, positive: string, negative: string): string {
  return `${Math.abs(metres).toFixed(2)} m ${metres < 0 ? negative : positive}`;
}

/** The list, with the place of the chosen point. */
export function Points({ points, chosen, others, choose, step, nudge, add, remove }: Props) {
  const at = chosen === null ? undefined : points[chosen];
  const says = at ? `Point ${chosen! + 1}: ${told(at[0]!, "left", "right")}, ${told(at[1]!, "ahead", "behind")}` : `${points.length} points`;
  const pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = event.shiftKey ? LARGE : SMALL;
    const keys: Record<string, () => void> = {
      // x is to the left of who walks ahead, along z
      ArrowLeft: () => nudge(by, 0),
      ArrowRight: () => nudge(-by, 0),
      ArrowUp: () => nudge(0, by),
      ArrowDown: () => nudge(0, -by),
      PageUp: () => step(-1),
      PageDown: () => step(1),
      Enter: add,
      Delete: remove,
      Backspace: remove,
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <div class="path-points">
      <div
        class="path-points-list"
        role="listbox"
        aria-multiselectable="true"
        tabIndex={0}
        aria-label="Control points. Arrow keys move the chosen one, Page Up and Page Down choose, Enter adds one ahead, Delete removes"
        aria-activedescendant={chosen === null ? undefined : `path-point-${chosen}`}
        onKeyDown={pressed}
        onFocus={() => chosen === null && step(-1)}
      >
        {points.length === 0 && <span class="path-hint">Click on the floor, or press Enter here</span>}
        {points.map((_, index) => (
          <span
            key={index}
            id={`path-point-${index}`}
            role="option"
            aria-selected={chosen === index || others?.has(index) === true}
            onPointerDown={(event) => choose(index, event.shiftKey || event.ctrlKey || event.metaKey)}
          >
            {index + 1}
          </span>
        ))}
      </div>
      <p class="path-hint" aria-live="polite">
        {says}. <kbd>←↑↓→</kbd> move, <kbd>Enter</kbd> adds ahead, <kbd>Delete</kbd> removes.
      </p>
    </div>
  );
}

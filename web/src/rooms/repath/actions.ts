/** What buttons and keys do to the path. */

import { batch } from "@preact/signals";
import { deleted, insertedBeside, moved, MOST_CONTROLS, pointsOf } from "./curve";
import { chosen, history } from "./model";

/** Add a point after the chosen one, or before the last one where none is chosen. */
export function addPoint(): void {
  const path = history.value.value;
  if (path.controls.length >= MOST_CONTROLS) return;
  const made = insertedBeside(path, chosen.value ?? path.controls.length - 1);
  batch(() => {
    history.commit(made.curve);
    chosen.value = made.index;
  });
}

/** Remove the chosen point; the one before it is chosen then. */
export function removePoint(): void {
  const index = chosen.value;
  const path = history.value.value;
  if (index === null || path.controls.length <= 2) return;
  batch(() => {
    history.commit(deleted(path, index));
    chosen.value = Math.max(0, Math.min(index, path.controls.length - 2));
  });
}

/** Choose the point so many further on. */
export function chooseNext(by: number): void {
  const count = history.value.value.controls.length;
  chosen.value = chosen.value === null ? (by > 0 ? 0 : count - 1) : (chosen.value + by + count) % count;
}

/** Move the chosen point over the floor by so many metres. */
export function nudgeChosen(x: number, z: number): void {
  const index = chosen.value;
  const path = history.value.value;
  const from = index === null ? undefined : pointsOf(path)[index];
  if (index !== null && from) history.nudge(moved(path, index, [from[0] + x, from[1], from[2] + z]));
}

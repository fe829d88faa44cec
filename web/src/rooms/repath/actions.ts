/** What buttons and keys do to the path. */

import { batch } from "@preact/signals";
import { deleted, insertedBeside, MOST_CONTROLS } from "./curve";
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

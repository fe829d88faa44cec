/** Nearer, farther, all of it. */

import type { JSX } from "preact";
import { IconButton } from "../../ui";

/** What the buttons do in a view. */
export interface Zooming {
  nearer(way: 1 | -1): void;
  fit(): void;
  /** what "all of it" is called */
  all: string;
}

/** Three buttons; keys do the same within the view. */
export function ZoomButtons({ nearer, fit, all }: Zooming): JSX.Element {
  return (
    <div class="graph-zoom">
      <IconButton icon="plus" label="Zoom in" onClick={() => nearer(1)} />
      <IconButton icon="minus" label="Zoom out" onClick={() => nearer(-1)} />
      <IconButton icon="fit" label={all} onClick={fit} />
    </div>
  );
}

/** What the colours of the graph view mean, and the way back to the walk. */

import type { JSX } from "preact";
import { Button } from "../../ui";
import { type Drawing, MOST_ARCS } from "./graph-data";
import { allArcs, detail, scene, walk } from "./model";
import { showWalk } from "./scene";
import { OTHER } from "./stretches";

const MOST_LABELS = 10;

/** One line below the tracks. */
export function GraphLegend({ drawing }: { drawing: Drawing }): JSX.Element {
  const other = drawing.tracks.some((track) => track.kepts.some(({ label }) => !drawing.colours.has(label)));
  const dropped = drawing.tracks.some((track) => track.kept.reduce((sum, [first, last]) => sum + last - first, 0) < track.frames);
  return (
    <div class="graph-foot">
      <ul class="graph-legend" aria-label="Legend">
        {[...drawing.colours].slice(0, MOST_LABELS).map(([label, colour]) => (
          <Key key={label} colour={`var(${colour})`} text={label.replaceAll("_", " ")} />
        ))}
        {drawing.colours.size > MOST_LABELS && <li>and {drawing.colours.size - MOST_LABELS} labels more</li>}
        {other && <Key colour={`var(${OTHER})`} text="other" />}
        {dropped && <Key colour="var(--line-2)" text="dropped" />}
        <Key arc colour="var(--c-transition)" text={transitionsText(drawing)} />
        {drawing.bridges.length > 0 && <Key arc colour="var(--c-target)" text="bridge" />}
        {drawing.tracks.some((track) => track.mirrored) && <li>⇋ mirrored</li>}
      </ul>
      <div class="graph-arcs">
        {!allArcs.value && <span class="graph-note">Point at a clip to see where it leads.</span>}
        <Button small kind="quiet" pressed={allArcs.value} onClick={() => (allArcs.value = !allArcs.value)}>
          All transitions
        </Button>
      </div>
      {walk.value && scene.value.kind !== "walk" && (
        <Button small onClick={showWalk}>
          Show the walk
        </Button>
      )}
    </div>
  );
}

function transitionsText(drawing: Drawing): string {
  const all = (detail.value?.summary.transitions ?? 0) - drawing.bridges.length;
  return allArcs.value && all > drawing.transitions.length ? `transition (${MOST_ARCS.toLocaleString("en")} of ${all.toLocaleString("en")} drawn)` : "transition";
}

function Key({ colour, text, arc = false }: { colour: string; text: string; arc?: boolean }): JSX.Element {
  return (
    <li>
      <span class={arc ? "graph-key arc" : "graph-key"} style={{ "--key": colour }} />
      {text}
    </li>
  );
}

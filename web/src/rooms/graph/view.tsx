/** The 2D view beside the stage: the matrix of a pair, or the whole graph. */

import type { JSX } from "preact";
import { Segmented } from "../../ui";
import { GraphView } from "./graph-view";
import { MinimaCount } from "./matrix-bars";
import { MatrixView } from "./matrix-view";
import { detail, type ViewName, view } from "./model";

const VIEWS: { value: ViewName; label: string }[] = [
  { value: "matrix", label: "Matrix" },
  { value: "graph", label: "Graph" },
];

/** One of the two views, with the control that chooses it. */
export function View(): JSX.Element {
  return (
    <section class="graph-side" aria-label={view.value === "matrix" ? "Matrix view" : "Graph view"}>
      <header class="graph-head">
        <Segmented label="View" hideLabel value={view.value} options={VIEWS} onChange={(next) => (view.value = next as ViewName)} />
        {view.value === "matrix" ? <MinimaCount /> : <span class="graph-note">{detail.value?.name}</span>}
      </header>
      {view.value === "matrix" ? <MatrixView /> : <GraphView />}
    </section>
  );
}

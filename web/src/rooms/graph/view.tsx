/** The 2D view beside the stage: the matrix of a pair, or the whole graph. */

import type { JSX } from "preact";
import { Segmented } from "../../ui";
import { GraphView, zooming as graphZooming } from "./graph-view";
import { MinimaCount } from "./matrix-bars";
import { MatrixView } from "./matrix-view";
import { zooming as matrixZooming } from "./matrix-window";
import { detail, drawing, matrix as compared, type ViewName, view } from "./model";
import { ZoomButtons } from "./zoom-buttons";

const VIEWS: { value: ViewName; label: string }[] = [
  { value: "matrix", label: "Matrix" },
  { value: "graph", label: "Tracks" },
];

/** One of the two views, with the control that chooses it. */
export function View(): JSX.Element {
  const matrix = view.value === "matrix";
  return (
    <section class="graph-side" aria-label={matrix ? "Matrix view" : "Graph view"}>
      <header class="graph-head">
        <Segmented label="View" hideLabel value={view.value} options={VIEWS} onChange={(next) => (view.value = next as ViewName)} />
        {matrix ? <MinimaCount /> : <span class="graph-note">{detail.value?.name}</span>}
        {(matrix ? compared.value : drawing.value) && <ZoomButtons {...(matrix ? matrixZooming : graphZooming)} />}
      </header>
      {matrix ? <MatrixView /> : <GraphView />}
    </section>
  );
}

/** The 2D view beside the stage: the matrix of a pair, or the whole graph. */

import type { JSX } from "preact";
import { Button, Segmented } from "../../ui";
import { BundlesView } from "./bundles-view";
import { GraphView, zooming as graphZooming } from "./graph-view";
import { MinimaCount } from "./matrix-bars";
import { MatrixView } from "./matrix-view";
import { zooming as matrixZooming } from "./matrix-window";
import { bundles, detail, drawing, matrix as compared, openBundle, opened, type ViewName, view } from "./model";
import { ZoomButtons } from "./zoom-buttons";

const VIEWS: { value: ViewName; label: string }[] = [
  { value: "matrix", label: "Matrix" },
  { value: "graph", label: "Tracks" },
];

/** One of the two views, with the control that chooses it. */
export function View(): JSX.Element {
  const matrix = view.value === "matrix";
  // of thousands of clips first their folders or groups
  const bundled = !matrix && bundles.value !== null && openBundle.value === null;
  return (
    <section class="graph-side" aria-label={matrix ? "Matrix view" : "Graph view"}>
      <header class="graph-head">
        <Segmented label="View" hideLabel value={view.value} options={VIEWS} onChange={(next) => (view.value = next as ViewName)} />
        {!matrix && openBundle.value && (
          <Button small icon="left" onClick={() => (opened.value = null)}>
            All folders and groups
          </Button>
        )}
        {matrix ? <MinimaCount /> : <span class="graph-note">{openBundle.value?.name ?? detail.value?.name}</span>}
        {(matrix ? compared.value : drawing.value) && !bundled && <ZoomButtons {...(matrix ? matrixZooming : graphZooming)} />}
      </header>
      {matrix ? <MatrixView /> : bundled ? <BundlesView /> : <GraphView />}
    </section>
  );
}

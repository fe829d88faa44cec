/** The matrix view: how alike two clips are at every pair of moments, and where one can become the other. */

import { computed, useComputed } from "@preact/signals";
import type { JSX } from "preact";
import { dark, goTo } from "../../state/store";
import { Button, Empty } from "../../ui";
import { busyComparing } from "./actions";
import { useGestures } from "./gestures";
import { look } from "./look";
import { MatrixFoot, MatrixHead } from "./matrix-bars";
import { distanceAt, type Matrix } from "./matrix-data";
import { type Box, drawMatrix, plotBox } from "./matrix-draw";
import { drawnIn, gestures, keyDown, minimumAt, seen } from "./matrix-window";
import { chosen, clipName, hovered, matrix, matrixRefusal, pairThreshold } from "./model";
import { toPixel } from "./scale";
import { Surface } from "./surface";

/** The cells as a picture, made once a pair. */
const bitmap = computed<HTMLCanvasElement | null>(() => {
  const now = matrix.value;
  if (!now || now.rows === 0 || now.columns === 0) return null;
  const canvas = document.createElement("canvas");
  canvas.width = now.columns;
  canvas.height = now.rows;
  const data = new ImageData(new Uint8ClampedArray(now.pixels), now.columns, now.rows);
  canvas.getContext("2d")?.putImageData(data, 0, 0);
  return canvas;
});

/** where the map was drawn last */
let box: Box = { left: 0, top: 0, right: 1, bottom: 1 };

function paint(context: CanvasRenderingContext2D, width: number, height: number): void {
  const [now, part, picture] = [matrix.value, seen.value, bitmap.value];
  if (!now || !part || !picture) return;
  void dark.value; // the tokens change with the theme
  box = plotBox(width, height, now.rows, now.columns);
  drawnIn(box);
  const marks = { threshold: pairThreshold.value, chosen: chosen.value, crosshair: hovered.value };
  drawMatrix(context, box, now, picture, part, marks, [clipName(now.a), clipName(now.b)], look());
}

/** The heat-map with its bars above and below. */
export function MatrixView(): JSX.Element {
  const handlers = useGestures(gestures);
  const described = useComputed(() => describe(matrix.value, chosen.value));
  return (
    <div class="graph-view">
      <MatrixHead />
      <div class="graph-plot">
        {matrix.value && (
          <>
            <Surface
              paint={paint}
              {...handlers}
              onKeyDown={keyDown}
              tabIndex={0}
              role="application"
              aria-label="Heat-map of the two clips"
              aria-description="Arrow keys go from minimum to minimum, the cheapest first; Enter plays the transition; plus, minus and 0 zoom."
            />
            <Tip />
          </>
        )}
        {!matrix.value && <Absent />}
        {busyComparing.value && <div class="graph-busy">Comparing …</div>}
        <div class="graph-unseen" aria-live="polite">
          {described}
        </div>
      </div>
      <MatrixFoot />
    </div>
  );
}

function Absent(): JSX.Element | null {
  if (busyComparing.value) return null;
  if (matrixRefusal.value) return <Empty title="These two cannot be compared" text={matrixRefusal.value} />;
  return (
    <Empty title="No clips to compare" text="Bring some in, or take the samples; then choose any two of them here.">
      <Button onClick={() => goTo("library")}>Go to the Library</Button>
    </Empty>
  );
}

/** The distance under the pointer, beside the crosshair. */
function Tip(): JSX.Element | null {
  const [now, at, part] = [matrix.value, hovered.value, seen.value];
  if (!now || !at || !part) return null;
  const x = toPixel(part.j, at.j, box.left, box.right);
  const y = toPixel(part.i, at.i, box.bottom, box.top);
  const near = minimumAt(at.i, at.j);
  const distance = distanceAt(now, at.i, at.j);
  const aside = x > (box.left + box.right) / 2;
  const above = y > (box.top + box.bottom) / 2;
  const style = {
    left: `${x + (aside ? -14 : 14)}px`,
    top: `${y + (above ? -14 : 14)}px`,
    transform: `translate(${aside ? "-100%" : "0"}, ${above ? "-100%" : "0"})`,
  };
  return (
    <div class="graph-tip" style={style}>
      <strong>{distance === null ? "unknown" : `${distance.toFixed(1)} cm`}</strong>
      <span>
        A {(at.i / now.fps).toFixed(2)} s, B {(at.j / now.fps).toFixed(2)} s
      </span>
      {near >= 0 && <span>click: minimum {near + 1}, {now.minima.cost[near]!.toFixed(1)} cm</span>}
    </div>
  );
}

/** The chosen minimum in words, for those who do not see it. */
function describe(now: Matrix | null, n: number): string {
  if (!now || n < 0 || n >= now.minima.cost.length) return "";
  const at = (frame: number): string => (frame / now.fps).toFixed(2);
  const { first, second, cost } = now.minima;
  return `Minimum ${n + 1} of ${cost.length}: ${cost[n]!.toFixed(1)} centimetres, A at ${at(first[n]!)} seconds, B at ${at(second[n]!)} seconds.`;
}

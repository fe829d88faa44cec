/** The threshold curve as a small plot: transitions and frames kept, and the line of the slider. */

import type { JSX } from "preact";
import type { CurvePoint } from "../../api/types";
import { curveRange, readCurve } from "./curve";
import { ticks, tickText, toPixel, toValue } from "./scale";

const WIDTH = 308;
const HEIGHT = 132;
const BOX = { left: 38, right: WIDTH - 46, top: 20, bottom: HEIGHT - 20 };

interface Props {
  curve: readonly CurvePoint[];
  attainable: number;
  /** the graph's own threshold, and the one under the slider */
  own: number;
  value: number;
  groups: number[];
  onInput(value: number): void;
}

/** Share of frames kept on the left scale, transitions on the right; drag anywhere to move the threshold. */
export function CurvePlot({ curve, attainable, own, value, groups, onInput }: Props): JSX.Element {
  const range = curveRange(curve, own);
  const span = { low: range.min, high: Math.max(range.max, range.min + 0.1) };
  const most = Math.max(1, ...curve.map((point) => point.transitions));
  const x = (cm: number): number => toPixel(span, cm, BOX.left, BOX.right);
  const share = (part: number): number => toPixel({ low: 0, high: 1 }, part, BOX.bottom, BOX.top);
  const count = (number: number): number => toPixel({ low: 0, high: most }, number, BOX.bottom, BOX.top);
  const line = (y: (point: CurvePoint) => number): string =>
    curve.map((point) => `${x(point.threshold_cm).toFixed(1)},${y(point).toFixed(1)}`).join(" ");
  const now = readCurve(curve, attainable, value);
  const below = ticks(span.low, span.high, 5);
  const beside = ticks(0, most, 4).filter((tick) => tick > 0);
  const drag = (event: PointerEvent): void => {
    if (event.buttons !== 1) return;
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const cm = toValue(span, ((event.clientX - box.left) / box.width) * WIDTH, BOX.left, BOX.right);
    onInput(Math.round(Math.min(range.max, Math.max(range.min, cm)) * 10) / 10);
  };
  const grab = (event: PointerEvent): void => {
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    drag(event);
  };
  return (
    <svg class="graph-curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="Frames kept and transitions by threshold" onPointerDown={grab} onPointerMove={drag}>
      <text class="share" x={2} y={10}>
        frames kept
      </text>
      <text class="count" x={WIDTH - 2} y={10} text-anchor="end">
        transitions
      </text>
      {[0, 0.5, 1].map((part) => (
        <g key={part}>
          <line class="grid" x1={BOX.left} x2={BOX.right} y1={share(part)} y2={share(part)} />
          <text class="share" x={BOX.left - 5} y={share(part) + 4} text-anchor="end">
            {100 * part}%
          </text>
        </g>
      ))}
      {beside.map((tick) => (
        <text class="count" key={tick} x={BOX.right + 6} y={count(tick) + 4}>
          {tick.toLocaleString("en", { notation: "compact" })}
        </text>
      ))}
      {below.map((tick) => (
        <text key={tick} x={x(tick)} y={BOX.bottom + 14} text-anchor="middle">
          {tickText(tick, below)}
        </text>
      ))}
      <text x={WIDTH - 2} y={BOX.bottom + 14} text-anchor="end">
        cm
      </text>
      {groups.map((cm, n) => (
        <path key={n} class="group" d={`M${x(cm) - 3.5},${BOX.bottom} h7 l-3.5,-6 z`}>
          <title>
            group {n + 1}: {cm.toFixed(1)} cm
          </title>
        </path>
      ))}
      <polyline class="count" points={line((point) => count(point.transitions))} />
      <polyline class="share" points={line((point) => share(Math.min(1, attainable > 0 ? point.frames / attainable : 0)))} />
      <line class="now" x1={x(value)} x2={x(value)} y1={BOX.top - 4} y2={BOX.bottom} />
      <circle class="count" cx={x(value)} cy={count(now.transitions)} r={3.5} />
      <circle class="share" cx={x(value)} cy={share(now.share)} r={3.5} />
    </svg>
  );
}

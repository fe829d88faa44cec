/** The target plane as a picture: reliability as shading, the region, the box, the examples' hits, and the target, to be clicked, dragged or moved by keys. */

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { dark } from "../../state/store";
import { Empty } from "../../ui";
import { rgb } from "./colour";
import { aim, bones, box, busy, corners, detail, dragging, extent, hits, limb, made, release, settings, spaces, target, trust } from "./model";
import { covered, flipped, inside, nudge, PlaneMap, reliabilityAt, shaded, type Spot, ticks } from "./plane";

/** Pixels about the picture, for the numbers of the axes. */
const MARGIN = { left: 40, right: 20, top: 30, bottom: 26 };
/** Pixels below it for the reading. */
const READING = 32;
const SHADE = 0.85;

/** The 2D view of the strike room. */
export function TargetPlane() {
  const frame = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  const hover = useSignal<Spot | null>(null);

  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const watch = new ResizeObserver(([entry]) => {
      if (entry) size.value = { width: Math.floor(entry.contentRect.width), height: Math.floor(entry.contentRect.height) };
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, []);

  const map = useComputed(() => {
    const { width, height } = size.value;
    const shown = extent.value;
    const [w, h] = [width - MARGIN.left - MARGIN.right, height - MARGIN.top - MARGIN.bottom - READING];
    return shown && w > 20 && h > 20 ? new PlaneMap(shown, w, h) : null;
  });

  return (
    <div class="strike-view" ref={frame}>
      {map.value && detail.value && <Picture map={map.value} hover={hover} />}
      {spaces.value.length === 0 && <Empty icon="target" title="The target plane" text="Once there is a space of strikes, click here, and the strike hits that point." />}
    </div>
  );
}

function Picture({ map, hover }: { map: PlaneMap; hover: { value: Spot | null } }) {
  const seen = map.extent;
  const spot = target.value;
  const { width, height } = map;

  const at = (event: PointerEvent): [number, number] => {
    const bounds = (event.currentTarget as Element).getBoundingClientRect();
    return map.spot(event.clientX - bounds.left - MARGIN.left, event.clientY - bounds.top - MARGIN.top);
  };
  const within = ([x, y]: Spot) => x >= seen.low[0] && x <= seen.high[0] && y >= seen.low[1] && y <= seen.high[1];

  return (
    <div class="strike-picture">
      <Shading map={map} />
      <svg
        class="strike-plane"
        width={width + MARGIN.left + MARGIN.right}
        height={height + MARGIN.top + MARGIN.bottom}
        role="application"
        tabindex={0}
        aria-label={`Target plane, seen from behind. ${spot ? `Target ${told(spot)}.` : ""} Click or drag to aim; arrow keys move the target.`}
        aria-busy={busy.value}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          const place = at(event);
          if (!within(place)) return;
          dragging.value = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          aim(place);
        }}
        onPointerMove={(event) => {
          const place = at(event);
          hover.value = within(place) ? place : null;
          if (dragging.value) aim(place);
        }}
        onPointerUp={release}
        onPointerCancel={release}
        onPointerLeave={() => {
          hover.value = null;
        }}
        onKeyDown={(event) => {
          const by = nudge(event);
          if (!by || !spot) return;
          event.preventDefault();
          event.stopPropagation();
          aim([spot[0] + by[0], spot[1] + by[1]]);
        }}
      >
        <g transform={`translate(${MARGIN.left} ${MARGIN.top})`}>
          <text class="strike-title" x={0} y={-9}>{width < 190 ? limb.value : `Seen from behind: ${limb.value}`}</text>
          <Grid map={map} />
          <Figure map={map} />
          <Region map={map} />
          <Examples map={map} />
          {spot && <Aim map={map} spot={spot} />}
        </g>
      </svg>
      <Reading spot={hover.value ?? spot} hovered={hover.value !== null} />
    </div>
  );
}

/** Reliability, drawn once for each space and theme and stretched by the browser. */
function Shading({ map }: { map: PlaneMap }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const grid = trust.value;
  const { mirror } = settings.value;
  const isDark = dark.value;

  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!grid || !context) return;
    const colour = rgb("accent");
    context.putImageData(new ImageData(shaded(grid, colour, SHADE), grid.columns, grid.rows), 0, 0);
  }, [grid, isDark]);

  if (!grid) return null;
  const area = mirror ? flipped(covered(grid)) : covered(grid);
  const [left, top] = map.pixel(area.high);
  const [right, bottom] = map.pixel(area.low);
  const style = { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px`, transform: mirror ? "scaleX(-1)" : undefined };
  return (
    <div class="strike-shading" style={{ left: `${MARGIN.left}px`, top: `${MARGIN.top}px`, width: `${map.width}px`, height: `${map.height}px` }}>
      <canvas ref={canvas} width={grid.columns} height={grid.rows} style={style} />
    </div>
  );
}

function Grid({ map }: { map: PlaneMap }) {
  const seen = map.extent;
  const about = Math.max(3, Math.round(map.width / 80));
  return (
    <g class="strike-grid">
      <rect x={0} y={0} width={map.width} height={map.height} class="strike-edge" />
      {ticks(seen.low[0], seen.high[0], about).map((x) => {
        const [px] = map.pixel([x, 0]);
        return (
          <g key={`x${x}`}>
            <line x1={px} x2={px} y1={0} y2={map.height} />
            <text x={px} y={map.height + 16} text-anchor="middle">{x === 0 ? "0" : x.toFixed(1).replace("-", "−")}</text>
          </g>
        );
      })}
      {ticks(seen.low[1], seen.high[1], Math.max(3, Math.round(map.height / 60))).map((y) => {
        const [, py] = map.pixel([0, y]);
        return (
          <g key={`y${y}`}>
            <line x1={0} x2={map.width} y1={py} y2={py} />
            <text x={-8} y={py + 4} text-anchor="end">{y.toFixed(1)}</text>
          </g>
        );
      })}
    </g>
  );
}

/** The ready pose, faintly: what is left and how high a head is. */
function Figure({ map }: { map: PlaneMap }) {
  return (
    <svg class="strike-figure" width={map.width} height={map.height}>
      <path d={bones.value.map(([from, to]) => `M${map.pixel(from).join(" ")}L${map.pixel(to).join(" ")}`).join("")} />
    </svg>
  );
}

function Region({ map }: { map: PlaneMap }) {
  const edges = box.value;
  const points = corners.value.map((corner) => map.pixel(corner).join(",")).join(" ");
  if (!edges) return null;
  const [left, top] = map.pixel(edges.high);
  const [right, bottom] = map.pixel(edges.low);
  return (
    <>
      <rect class="strike-box" x={left} y={top} width={right - left} height={bottom - top} />
      <polygon class="strike-region" points={points} />
    </>
  );
}

function Examples({ map }: { map: PlaneMap }) {
  return (
    <g class="strike-examples">
      {hits.value.map(({ clip, at }, i) => {
        const [x, y] = map.pixel([at[0], at[1]]);
        return (
          <g key={`${clip} ${i}`} transform={`translate(${x} ${y})`}>
            <title>{`${i + 1}: ${clip}`}</title>
            <circle r={8} />
            <text y={3.5} text-anchor="middle">{i + 1}</text>
          </g>
        );
      })}
    </g>
  );
}

function Aim({ map, spot }: { map: PlaneMap; spot: Spot }) {
  const [x, y] = map.pixel(spot);
  const strike = made.value?.strike;
  const missed = strike && !strike.reached ? map.pixel([strike.hit[0], strike.hit[1]]) : null;
  return (
    <g class="strike-aim">
      {missed && (
        <>
          <line x1={x} y1={y} x2={missed[0]} y2={missed[1]} />
          <circle class="strike-hit" cx={missed[0]} cy={missed[1]} r={4} />
        </>
      )}
      <circle cx={x} cy={y} r={13} />
      <path d={`M${x - 19} ${y}h12M${x + 7} ${y}h12M${x} ${y - 19}v12M${x} ${y + 7}v12`} />
      <circle class="strike-centre" cx={x} cy={y} r={2.5} />
    </g>
  );
}

/** The numbers of the place under the pointer, or of the target. */
function Reading({ spot, hovered }: { spot: Spot | null; hovered: boolean }) {
  const grid = trust.value;
  if (!spot) return null;
  const there = grid && reliabilityAt(grid, [settings.value.mirror ? -spot[0] : spot[0], spot[1]]);
  // of the target itself the server has said it exactly
  const value = hovered ? there : (made.value?.strike.reliability ?? there);
  return (
    <div class="strike-reading">
      <span>{told(spot)}</span>
      <span>{inside(corners.value, spot) ? "inside" : "outside"}</span>
      {value !== null && <span>reliability {value.toFixed(2)}</span>}
    </div>
  );
}

/** A place in words: metres to one side and up. */
export function told([x, y]: Spot): string {
  const side = Math.abs(x) < 0.0005 ? "" : x > 0 ? " left" : " right";
  return `${Math.abs(x).toFixed(2)} m${side}, ${y.toFixed(2)} m up`;
}

/** Drawing of the graph: tracks, arcs, names and the axis. */

import type { Drawing, Track } from "./graph-data";
import { arc, arcOpacity, BRIDGE } from "./layout";
import { BOLD, fitted, type Look, SMALL } from "./look";
import type { Box } from "./matrix-draw";
import { type Span, ticks, tickText, toPixel } from "./scale";
import { keptOf, OTHER } from "./stretches";

/** The part that is seen: seconds to the right, rows downwards. */
export interface Window {
  x: Span;
  y: Span;
}

/** The rows below which names cannot be read. */
export const LEAST_ROW = 14;
const BOTTOM = 30;
const DASHES = [5, 3];
/** What the heading of a group takes. */
const HEADING = 144;
/** Where names begin: what is mirrored bears a sign before it. */
const NAME = 24;

/** Where the tracks stand; names, of which the longest takes `names` pixels, are left of them. */
export function tracksBox(width: number, height: number, names: number): Box {
  const gutter = Math.round(Math.min(width * 0.36, Math.max(HEADING, names + NAME + 12)));
  return { left: gutter, top: 6, right: Math.max(gutter + 40, width - 14), bottom: Math.max(60, height - BOTTOM) };
}

/** Pixels of the longest name. */
export function longestName(context: CanvasRenderingContext2D, drawing: Drawing): number {
  context.font = SMALL;
  return Math.max(0, ...drawing.tracks.map((track) => context.measureText(shortName(track)).width));
}

/** All of the graph: the headings of groups need a row above the first. */
export function wholeWindow(drawing: Drawing): Window {
  return { x: { low: 0, high: drawing.longest * 1.02 }, y: { low: -1.6, high: Math.max(drawing.rows.height, 1) - 0.3 } };
}

/** All of it where its names can be read, else from the top as much as can. */
export function firstWindow(drawing: Drawing, box: Box): Window {
  const { x, y } = wholeWindow(drawing);
  const rows = Math.min(y.high - y.low, (box.bottom - box.top) / LEAST_ROW);
  return { x, y: { low: y.low, high: y.low + rows } };
}

/** Pixels of a row. */
export function rowHeight(box: Box, seen: Window): number {
  return (box.bottom - box.top) / (seen.y.high - seen.y.low);
}

/** Where a frame of a clip lies. */
export function placeOf(drawing: Drawing, box: Box, seen: Window, clip: number, frame: number): [number, number] {
  return [
    toPixel(seen.x, frame / drawing.fps, box.left, box.right),
    toPixel(seen.y, drawing.tracks[clip]?.row ?? 0, box.top, box.bottom),
  ];
}

function thickness(box: Box, seen: Window): number {
  return Math.min(11, Math.max(3, 0.42 * rowHeight(box, seen)));
}

/** Arcs that are stroked at once: it is quicker, and where strokes of many lie on each other it still gets darker. */
const TOGETHER = 8;

/** Draw the chosen edges as arcs, the cheapest last and strongest. */
export function drawArcs(context: CanvasRenderingContext2D, drawing: Drawing, box: Box, seen: Window, colours: Look): void {
  const { edges, transitions, bridges, dearest } = drawing;
  clipped(context, box, () => {
    const opacity = arcOpacity(transitions.length);
    context.lineWidth = 1;
    context.strokeStyle = colours.transition;
    for (let n = 0; n < transitions.length; n += TOGETHER) {
      const some = transitions.subarray(n, n + TOGETHER);
      context.globalAlpha = opacity * (1 - 0.6 * (dearest > 0 ? edges.cost_cm[some[0]!]! / dearest : 0));
      strokeEdges(context, drawing, box, seen, some);
    }
    context.globalAlpha = Math.min(0.6, Math.max(0.3, arcOpacity(bridges.length)));
    context.strokeStyle = colours.bridge;
    context.lineWidth = 1.2;
    context.setLineDash(DASHES);
    for (const edge of bridges) strokeEdges(context, drawing, box, seen, [edge]);
    context.setLineDash([]);
  });
}

/** Draw the edges of one clip strongly. */
export function drawLit(context: CanvasRenderingContext2D, drawing: Drawing, box: Box, seen: Window, which: readonly number[], colours: Look): void {
  clipped(context, box, () => {
    context.globalAlpha = Math.min(0.9, Math.max(0.3, arcOpacity(which.length) * 2));
    for (const edge of which) {
      const bridge = drawing.edges.kind[edge] === BRIDGE;
      context.strokeStyle = bridge ? colours.bridge : colours.transition;
      context.lineWidth = 1.3;
      context.setLineDash(bridge ? DASHES : []);
      strokeEdges(context, drawing, box, seen, [edge]);
    }
    context.setLineDash([]);
  });
}

function strokeEdges(context: CanvasRenderingContext2D, drawing: Drawing, box: Box, seen: Window, some: Iterable<number>): void {
  const { edges } = drawing;
  context.beginPath();
  for (const edge of some) {
    // an edge leads to where the blend has ended; its arc to where it begins
    const from = placeOf(drawing, box, seen, edges.source_clip[edge]!, edges.source_frame[edge]!);
    const to = placeOf(drawing, box, seen, edges.target_clip[edge]!, edges.target_frame[edge]! - edges.length[edge]!);
    addArc(context, box, seen, from, to);
  }
  context.stroke();
}

/** Add an arc between two places in pixels to the path; nothing where it cannot be seen. */
function addArc(context: CanvasRenderingContext2D, box: Box, seen: Window, [x0, y0]: [number, number], [x1, y1]: [number, number]): void {
  const row = rowHeight(box, seen);
  if (Math.max(x0, x1) < box.left || Math.min(x0, x1) > box.right) return;
  if (Math.max(y0, y1) < box.top || Math.min(y0, y1) - row > box.bottom) return;
  const [a, b, c, d, e, f, g, h] = arc(x0, y0, x1, y1, row, box.right - box.left);
  context.moveTo(a, b);
  context.bezierCurveTo(c, d, e, f, g, h);
}

/** Draw the tracks with their names, the groups' headings and the axis. */
export function drawTracks(context: CanvasRenderingContext2D, drawing: Drawing, box: Box, seen: Window, colours: Look): void {
  const row = rowHeight(box, seen);
  const thick = thickness(box, seen);
  clipped(context, { ...box, left: 0 }, () => {
    drawHeadings(context, drawing, box, seen, colours);
    for (const [clip, track] of drawing.tracks.entries()) {
      const [, y] = placeOf(drawing, box, seen, clip, 0);
      if (y < box.top - row || y > box.bottom + row) continue;
      if (row >= LEAST_ROW - 4) drawName(context, track, box, y, colours);
    }
  });
  clipped(context, box, () => {
    for (const [clip, track] of drawing.tracks.entries()) {
      const [x0, y] = placeOf(drawing, box, seen, clip, 0);
      if (y < box.top - row || y > box.bottom + row) continue;
      const [x1] = placeOf(drawing, box, seen, clip, track.frames);
      bar(context, x0, x1, y, thick, colours.line2);
      for (const { label, first, last } of track.kepts) {
        const [from] = placeOf(drawing, box, seen, clip, first);
        const [to] = placeOf(drawing, box, seen, clip, last);
        bar(context, from, to, y, thick, colours.token(drawing.colours.get(label) ?? OTHER));
      }
    }
  });
  drawAxis(context, box, seen, colours);
  drawThumb(context, drawing, box, seen, colours);
}

/** Which part of all rows is seen, as the thumb of a scrollbar; none where all are. */
function drawThumb(context: CanvasRenderingContext2D, drawing: Drawing, box: Box, seen: Window, colours: Look): void {
  const whole = wholeWindow(drawing).y;
  if (seen.y.high - seen.y.low > whole.high - whole.low - 1e-6) return;
  const [from, to] = [seen.y.low, seen.y.high].map((row) => toPixel(whole, row, box.top, box.bottom));
  context.fillStyle = colours.line2;
  context.beginPath();
  context.roundRect(box.right + 6, from!, 4, to! - from!, 2);
  context.fill();
}

function bar(context: CanvasRenderingContext2D, from: number, to: number, y: number, thick: number, colour: string): void {
  context.fillStyle = colour;
  context.fillRect(from, y - thick / 2, Math.max(to - from, 0.75), thick);
}

function drawName(context: CanvasRenderingContext2D, track: Track, box: Box, y: number, colours: Look): void {
  context.font = SMALL;
  context.textAlign = "left";
  context.textBaseline = "middle";
  const gone = track.kept.length === 0;
  context.fillStyle = gone ? colours.text3 : colours.text2;
  if (track.mirrored) context.fillText("⇋", 10, y);
  context.fillText(fitted(context, shortName(track), box.left - NAME - 8), NAME, y);
}

/** A mirrored clip bears the name of its original here: the sign beside it says the rest. */
export function shortName(track: { name: string; mirrored: boolean }): string {
  return track.mirrored ? track.name.replace(/_mirrored$/, "") : track.name;
}

function drawHeadings(context: CanvasRenderingContext2D, drawing: Drawing, box: Box, seen: Window, colours: Look): void {
  const row = rowHeight(box, seen);
  const { groups } = drawing.rows;
  if (row < LEAST_ROW - 4) return;
  context.textAlign = "left";
  context.textBaseline = "middle";
  groups.forEach(({ number, first, last }) => {
    // a clip by itself needs no heading
    if (last === first) return;
    const y = toPixel(seen.y, first - 1, box.top, box.bottom);
    const cm = drawing.thresholds[number];
    context.font = BOLD;
    context.fillStyle = colours.text;
    const words = `Group ${number + 1}`;
    context.fillText(words, 10, y);
    const width = context.measureText(words).width;
    context.font = SMALL;
    context.fillStyle = colours.text3;
    if (cm !== undefined) context.fillText(`  up to ${cm.toFixed(1)} cm`, 10 + width, y);
    context.strokeStyle = colours.line;
    context.beginPath();
    context.moveTo(box.left, Math.round(y) + 0.5);
    context.lineTo(box.right, Math.round(y) + 0.5);
    context.stroke();
  });
}

function drawAxis(context: CanvasRenderingContext2D, box: Box, seen: Window, colours: Look): void {
  const found = ticks(seen.x.low, seen.x.high, (box.right - box.left) / 64);
  context.font = SMALL;
  context.fillStyle = colours.text3;
  context.strokeStyle = colours.line;
  context.textAlign = "center";
  context.textBaseline = "top";
  context.beginPath();
  context.moveTo(box.left, box.bottom + 0.5);
  context.lineTo(box.right, box.bottom + 0.5);
  for (const tick of found) {
    const x = Math.round(toPixel(seen.x, tick, box.left, box.right)) + 0.5;
    context.moveTo(x, box.bottom);
    context.lineTo(x, box.bottom + 4);
    context.fillText(tickText(tick, found) + " s", x, box.bottom + 8);
  }
  context.stroke();
}

function clipped(context: CanvasRenderingContext2D, box: Box, draw: () => void): void {
  context.save();
  context.beginPath();
  context.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
  context.clip();
  draw();
  context.restore();
}

/** Light what a walk plays over the rest: its stretches in their colours, its jumps as arcs. */
export function drawWalk(
  context: CanvasRenderingContext2D,
  drawing: Drawing,
  box: Box,
  seen: Window,
  walk: readonly { clip: number; first: number; last: number }[],
  colours: Look,
): void {
  const thick = thickness(box, seen);
  clipped(context, box, () => {
    context.globalAlpha = 0.66;
    context.fillStyle = colours.surface;
    context.fillRect(box.left, box.top, box.right - box.left, box.bottom - box.top);
    context.globalAlpha = Math.min(0.95, Math.max(0.4, 6 / Math.sqrt(walk.length + 1)));
    context.strokeStyle = colours.walked;
    context.lineWidth = 1.4;
    walk.forEach((stretch, n) => {
      const next = walk[n + 1];
      if (!next) return;
      context.beginPath();
      addArc(context, box, seen, placeOf(drawing, box, seen, stretch.clip, stretch.last), placeOf(drawing, box, seen, next.clip, next.first));
      context.stroke();
    });
    context.globalAlpha = 1;
    for (const { clip, first, last } of walk) {
      const [from, y] = placeOf(drawing, box, seen, clip, first);
      const [to] = placeOf(drawing, box, seen, clip, last);
      bar(context, from - 1.5, to + 1.5, y, thick + 3, colours.walked);
      bar(context, from, to, y, thick, colours.line2);
      for (const part of keptOf(drawing.tracks[clip]!.kepts, [[first, last]])) {
        const [begin] = placeOf(drawing, box, seen, clip, part.first);
        const [end] = placeOf(drawing, box, seen, clip, part.last);
        bar(context, begin, end, y, thick, colours.token(drawing.colours.get(part.label) ?? OTHER));
      }
    }
  });
}

/** The name of the clip that is played now, in the accent's colour. */
export function drawPlayedName(context: CanvasRenderingContext2D, drawing: Drawing, box: Box, seen: Window, clip: number, colours: Look): void {
  const track = drawing.tracks[clip];
  const row = rowHeight(box, seen);
  const [, y] = placeOf(drawing, box, seen, clip, 0);
  if (!track || row < LEAST_ROW - 4 || y < box.top || y > box.bottom) return;
  context.fillStyle = colours.surface;
  context.fillRect(0, y - row / 2 + 1, box.left - 1, row - 2);
  drawName(context, track, box, y, { ...colours, text2: colours.accent, text3: colours.accent });
}

/** The playhead: where in which clip the motion is now. */
export function drawPlayhead(context: CanvasRenderingContext2D, box: Box, seen: Window, [x, y]: [number, number], colours: Look): void {
  if (x < box.left - 1 || x > box.right + 1 || y < box.top || y > box.bottom) return;
  const reach = thickness(box, seen) / 2 + 5;
  context.strokeStyle = colours.surface;
  context.lineWidth = 5;
  upright(context, x, y, reach);
  context.strokeStyle = colours.text;
  context.lineWidth = 2;
  upright(context, x, y, reach);
  context.fillStyle = colours.text;
  context.beginPath();
  context.arc(x, y - reach, 3.5, 0, 2 * Math.PI);
  context.fill();
}

function upright(context: CanvasRenderingContext2D, x: number, y: number, reach: number): void {
  context.beginPath();
  context.moveTo(x, y - reach);
  context.lineTo(x, y + reach);
  context.stroke();
}

/** Drawing of the heat-map: cells, minima, axes, legend and crosshair. */

import { BOLD, fitted, type Look, SMALL } from "./look";
import type { Matrix } from "./matrix-data";
import { markRadius, upTo } from "./minima";
import { gradientStops } from "./palette";
import { type Span, ticks, tickText, toPixel } from "./scale";

/** A rectangle in pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The part of both axes that is seen, in frames: A upwards, B to the right. */
export interface Seen {
  i: Span;
  j: Span;
}

/** What is marked on the map. */
export interface Marks {
  /** centimetres up to which a minimum is full; null where all are */
  threshold: number | null;
  chosen: number;
  crosshair: { i: number; j: number } | null;
}

const MARGIN = { left: 50, right: 68, top: 10, bottom: 42 };
const BAR = { gap: 14, width: 10 };
// clips more unlike in length than this are drawn with axes of different scales
const MOST_UNEQUAL = 2.6;

/** Where the map stands: frames of A and B equally long where the clips are about as long as each other. */
export function plotBox(width: number, height: number, rows: number, columns: number): Box {
  const across = Math.max(40, width - MARGIN.left - MARGIN.right);
  const up = Math.max(40, height - MARGIN.top - MARGIN.bottom);
  const ratio = rows / Math.max(columns, 1);
  const even = ratio <= MOST_UNEQUAL && ratio >= 1 / MOST_UNEQUAL;
  const wide = even ? Math.min(across, up / ratio) : across;
  const high = even ? Math.min(up, across * ratio) : up;
  const left = Math.round(MARGIN.left + (across - wide) / 2);
  const top = Math.round(MARGIN.top + (up - high) / 2);
  return { left, top, right: Math.round(left + wide), bottom: Math.round(top + high) };
}

/** Draw all of it. `bitmap` holds the cells of the whole map, one pixel each. */
export function drawMatrix(
  context: CanvasRenderingContext2D,
  box: Box,
  matrix: Matrix,
  bitmap: CanvasImageSource,
  seen: Seen,
  marks: Marks,
  names: [string, string],
  colours: Look,
): void {
  drawCells(context, box, matrix, bitmap, seen, colours);
  drawMinima(context, box, matrix, seen, marks, colours);
  if (marks.crosshair) drawCrosshair(context, box, seen, marks.crosshair);
  drawAxes(context, box, matrix, seen, names, colours);
  drawLegend(context, box, matrix, marks.threshold, colours);
}

function drawCells(context: CanvasRenderingContext2D, box: Box, matrix: Matrix, bitmap: CanvasImageSource, seen: Seen, colours: Look): void {
  const [wide, high] = [box.right - box.left, box.bottom - box.top];
  context.fillStyle = colours.surface2;
  context.fillRect(box.left, box.top, wide, high);
  const cell = (value: number): number => value / matrix.step + 0.5;
  const [left, right] = [cell(seen.j.low), cell(seen.j.high)];
  // the bitmap's first row is the last of A
  const [top, bottom] = [matrix.rows - cell(seen.i.high), matrix.rows - cell(seen.i.low)];
  // cells that can be told apart stay cells
  context.imageSmoothingEnabled = wide / (right - left) < 3;
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, left, top, right - left, bottom - top, box.left, box.top, wide, high);
  context.strokeStyle = colours.line;
  context.strokeRect(box.left - 0.5, box.top - 0.5, wide + 1, high + 1);
}

function drawMinima(context: CanvasRenderingContext2D, box: Box, matrix: Matrix, seen: Seen, marks: Marks, colours: Look): void {
  const { first, second, cost } = matrix.minima;
  // those that can become transitions are what is looked for: of many others a speck tells enough
  const usable = marks.threshold === null ? cost.length : upTo(matrix.minima, marks.threshold);
  const crowded = cost.length - usable > CROWD;
  const radius = markRadius(crowded ? usable : cost.length);
  context.save();
  context.beginPath();
  // a minimum on the border shows whole
  context.rect(box.left - radius - 1, box.top - radius - 1, box.right - box.left + 2 * radius + 2, box.bottom - box.top + 2 * radius + 2);
  context.clip();
  // the cheapest last, on top
  for (let n = cost.length - 1; n >= 0; n -= 1) {
    const [i, j] = [first[n]!, second[n]!];
    if (i < seen.i.low || i > seen.i.high || j < seen.j.low || j > seen.j.high) continue;
    const x = toPixel(seen.j, j, box.left, box.right);
    const y = toPixel(seen.i, i, box.bottom, box.top);
    const full = marks.threshold === null || cost[n]! <= marks.threshold;
    if (full || !crowded) dot(context, x, y, radius, full);
    else speck(context, x, y);
  }
  const { chosen } = marks;
  if (chosen >= 0 && chosen < cost.length) {
    const x = toPixel(seen.j, second[chosen]!, box.left, box.right);
    const y = toPixel(seen.i, first[chosen]!, box.bottom, box.top);
    ring(context, x, y, radius + 4.5, "#ffffff", 4);
    ring(context, x, y, radius + 4.5, colours.transition, 2);
  }
  context.restore();
}

// On a map of all lightnesses a mark needs both a dark and a pale edge.
const MARK = "#d6336c";

/** Minima above the threshold from which on they are specks. */
const CROWD = 150;

function speck(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.globalAlpha = 0.55;
  context.fillStyle = "#ffffff";
  context.fillRect(x - 1, y - 1, 2, 2);
  context.globalAlpha = 1;
}

function dot(context: CanvasRenderingContext2D, x: number, y: number, radius: number, full: boolean): void {
  if (full) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = MARK;
    context.fill();
    context.strokeStyle = "#ffffff";
    context.lineWidth = radius > 3 ? 1.2 : 0.8;
    context.stroke();
  } else {
    ring(context, x, y, radius - 0.4, "#ffffff", radius > 3 ? 3 : 2);
    ring(context, x, y, radius - 0.4, MARK, radius > 3 ? 1.4 : 0.9);
  }
  context.lineWidth = 1;
}

function ring(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string, width: number): void {
  context.beginPath();
  context.arc(x, y, Math.max(radius, 0.5), 0, 2 * Math.PI);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
  context.lineWidth = 1;
}

function drawCrosshair(context: CanvasRenderingContext2D, box: Box, seen: Seen, { i, j }: { i: number; j: number }): void {
  const x = Math.round(toPixel(seen.j, j, box.left, box.right)) + 0.5;
  const y = Math.round(toPixel(seen.i, i, box.bottom, box.top)) + 0.5;
  for (const [colour, dash] of [["rgb(0 0 0 / 0.55)", [] as number[]], ["rgb(255 255 255 / 0.9)", [3, 3]]] as const) {
    context.strokeStyle = colour;
    context.setLineDash([...dash]);
    context.beginPath();
    if (x >= box.left && x <= box.right) {
      context.moveTo(x, box.top);
      context.lineTo(x, box.bottom);
    }
    if (y >= box.top && y <= box.bottom) {
      context.moveTo(box.left, y);
      context.lineTo(box.right, y);
    }
    context.stroke();
  }
  context.setLineDash([]);
}

function drawAxes(context: CanvasRenderingContext2D, box: Box, matrix: Matrix, seen: Seen, [a, b]: [string, string], colours: Look): void {
  const seconds = (span: Span): [number, number] => [span.low / matrix.fps, span.high / matrix.fps];
  context.font = SMALL;
  context.fillStyle = colours.text2;
  context.strokeStyle = colours.text3;
  context.textAlign = "center";
  context.textBaseline = "top";
  const below = ticks(...seconds(seen.j), (box.right - box.left) / 60);
  for (const tick of below) {
    const x = Math.round(toPixel(seen.j, tick * matrix.fps, box.left, box.right)) + 0.5;
    line(context, x, box.bottom + 1, x, box.bottom + 5);
    context.fillText(tickText(tick, below), x, box.bottom + 7);
  }
  context.textAlign = "right";
  context.textBaseline = "middle";
  const beside = ticks(...seconds(seen.i), (box.bottom - box.top) / 44);
  for (const tick of beside) {
    const y = Math.round(toPixel(seen.i, tick * matrix.fps, box.bottom, box.top)) + 0.5;
    line(context, box.left - 5, y, box.left - 1, y);
    context.fillText(tickText(tick, beside), box.left - 8, y);
  }
  context.textAlign = "center";
  context.textBaseline = "top";
  title(context, `B: ${b}`, (box.left + box.right) / 2, box.bottom + 23, box.right - box.left, colours);
  context.save();
  context.translate(box.left - 44, (box.top + box.bottom) / 2);
  context.rotate(-Math.PI / 2);
  title(context, `A: ${a}`, 0, 0, box.bottom - box.top, colours);
  context.restore();
}

function title(context: CanvasRenderingContext2D, name: string, x: number, y: number, width: number, colours: Look): void {
  context.font = BOLD;
  const unit = ", s";
  context.fillStyle = colours.text;
  context.fillText(fitted(context, name, width - context.measureText(unit).width) + unit, x, y);
  context.font = SMALL;
}

function drawLegend(context: CanvasRenderingContext2D, box: Box, matrix: Matrix, threshold: number | null, colours: Look): void {
  const left = box.right + BAR.gap;
  const range: Span = { low: matrix.least, high: Math.max(matrix.most, matrix.least + 1e-6) };
  const fill = context.createLinearGradient(0, box.bottom, 0, box.top);
  for (const [part, colour] of gradientStops(24)) fill.addColorStop(part, colour);
  context.fillStyle = fill;
  context.fillRect(left, box.top, BAR.width, box.bottom - box.top);
  context.font = SMALL;
  context.textAlign = "left";
  context.textBaseline = "middle";
  const marks = ticks(range.low, range.high, (box.bottom - box.top) / 44);
  // the topmost bears the unit: there is no room for a title beside the bar
  marks.forEach((tick, n) => {
    const y = Math.round(toPixel(range, tick, box.bottom, box.top)) + 0.5;
    context.fillStyle = colours.text2;
    context.fillText(tickText(tick, marks) + (n === marks.length - 1 ? " cm" : ""), left + BAR.width + 6, y);
  });
  if (threshold !== null && threshold > range.low && threshold < range.high) {
    const y = Math.round(toPixel(range, threshold, box.bottom, box.top)) + 0.5;
    context.strokeStyle = "#ffffff";
    context.lineWidth = 4;
    line(context, left - 3, y, left + BAR.width + 3, y);
    context.strokeStyle = MARK;
    context.lineWidth = 2;
    line(context, left - 3, y, left + BAR.width + 3, y);
    context.lineWidth = 1;
  }
}

function line(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

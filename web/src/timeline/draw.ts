/** Drawing of the ruler and of plots: pure of state, all is given. */
import type { Lane } from "./lanes";

/** What to draw on: its size in CSS pixels, and the page's colours by name. */
export interface Sheet {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  colour: (name: string) => string;
}

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600];

/** The step between labelled ticks so that they are at least `apart` pixels from each other. */
export function tickStep(seconds: number, width: number, apart = 64): number {
  const least = (seconds / Math.max(width, 1)) * apart;
  return STEPS.find((step) => step >= least) ?? Math.ceil(least / 600) * 600;
}

/** Seconds as people read them: 4.2 s, 1:05. */
export function clock(seconds: number, step = 1): string {
  if (seconds < 60) return step < 1 ? seconds.toFixed(step < 0.1 ? 2 : 1) : String(Math.round(seconds));
  const minutes = Math.floor(seconds / 60 + 1e-9);
  return `${minutes}:${String(Math.round(seconds - minutes * 60)).padStart(2, "0")}`;
}

/** Ticks with their times. */
export function drawRuler({ context, width, height, colour }: Sheet, seconds: number): void {
  context.clearRect(0, 0, width, height);
  if (seconds <= 0) return;
  const step = tickStep(seconds, width);
  const fine = step / 5;
  context.font = '11px system-ui, "DejaVu Sans", sans-serif';
  context.textBaseline = "alphabetic";
  for (let index = 0; index * fine <= seconds + 1e-9; index++) {
    const at = index * fine;
    const x = Math.round((at / seconds) * width) + 0.5;
    const whole = index % 5 === 0;
    context.strokeStyle = colour(whole ? "--line-2" : "--line");
    context.beginPath();
    context.moveTo(x, height);
    context.lineTo(x, height - (whole ? 8 : 4));
    context.stroke();
    if (!whole) continue;
    const text = clock(at, step);
    const room = context.measureText(text).width;
    context.fillStyle = colour("--text-3");
    if (x + 4 + room <= width) context.fillText(text, Math.max(x - room / 2, 0), height - 11);
  }
}

/** One lane: its marks, then its curve. */
export function drawLane({ context, width, height, colour }: Sheet, lane: Lane, frames: number): void {
  context.clearRect(0, 0, width, height);
  if (frames < 1) return;
  for (const mark of lane.marks ?? []) {
    const left = (mark.first / frames) * width;
    const wide = Math.max(((mark.last - mark.first) / frames) * width, 1);
    context.fillStyle = colour(mark.colour);
    context.globalAlpha = lane.values ? 0.16 : 0.22;
    if (lane.values) context.fillRect(left, 0, wide, height);
    else round(context, left + 0.5, 3, Math.max(wide - 1, 1), height - 6);
    context.globalAlpha = 1;
    if (mark.text && !lane.values) write(context, mark.text, left, wide, height, colour("--text"));
  }
  if (!lane.values?.length) return;
  const most = lane.most ?? largest(lane.values);
  const y = (value: number): number => height - 2 - (most > 0 ? Math.min(Math.max(value / most, 0), 1) : 0) * (height - 6);
  const path = curve(lane.values, frames, width, y);
  context.fillStyle = context.strokeStyle = colour(lane.colour ?? "--accent");
  context.lineWidth = 1.5;
  context.lineJoin = "round";
  context.beginPath();
  path.forEach(([px, py], index) => (index ? context.lineTo(px, py) : context.moveTo(px, py)));
  context.stroke();
  context.lineTo(path.at(-1)![0], height);
  context.lineTo(path[0]![0], height);
  context.globalAlpha = 0.12;
  context.fill();
  context.globalAlpha = 1;
  scale(context, `${Number(most.toPrecision(2))}${lane.unit ? ` ${lane.unit}` : ""}`, width, colour);
}

/** What the upper edge of a plot stands for, at its right end. */
function scale(context: CanvasRenderingContext2D, text: string, width: number, colour: (name: string) => string): void {
  context.font = '10px system-ui, "DejaVu Sans", sans-serif';
  context.textBaseline = "top";
  const room = context.measureText(text).width;
  context.fillStyle = colour("--surface");
  context.globalAlpha = 0.8;
  context.fillRect(width - room - 6, 0, room + 6, 13);
  context.globalAlpha = 1;
  context.fillStyle = colour("--text-3");
  context.fillText(text, width - room - 3, 2);
  context.strokeStyle = colour("--line-2");
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(0, 0.5);
  context.lineTo(width, 0.5);
  context.stroke();
}

/** Points of a curve, one or two a pixel: where there are more values than pixels, the largest of each. */
function curve(values: ArrayLike<number>, frames: number, width: number, y: (value: number) => number): [number, number][] {
  const out: [number, number][] = [];
  const bins = Math.max(Math.min(values.length, Math.floor(width)), 1);
  for (let bin = 0; bin < bins; bin++) {
    const first = Math.floor((bin * values.length) / bins);
    const last = Math.max(Math.floor(((bin + 1) * values.length) / bins), first + 1);
    let most = -Infinity;
    for (let index = first; index < last; index++) if (values[index]! > most) most = values[index]!;
    out.push([((first + last) / 2 / frames) * width, y(Number.isFinite(most) ? most : 0)]);
  }
  return out;
}

/** The largest value that is one. */
export function largest(values: ArrayLike<number>): number {
  let most = 0;
  for (let index = 0; index < values.length; index++) if (values[index]! > most) most = values[index]!;
  return most;
}

function round(context: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
  context.beginPath();
  context.roundRect(x, y, width, height, Math.min(4, width / 2));
  context.fill();
}

function write(context: CanvasRenderingContext2D, text: string, left: number, width: number, height: number, colour: string): void {
  context.font = '11px system-ui, "DejaVu Sans", sans-serif';
  if (context.measureText(text).width > width - 10) return;
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.fillText(text, left + 6, height / 2 + 0.5);
}

/** The path as it was made: a preset, a stroke of the hand or the controls of a spline, and how much it is smoothed. Every edit gives another drawing. */

import type { PathJSON } from "../../api/types";
import { distance, length, sample, type Point } from "../../motion/spline";
import { mirror, resample, reverse, smooth } from "../../motion/stroke";
import { fitted } from "../../motion/fit";
import { onCurve, through } from "../../motion/handles";
import { placeOn } from "./along";

/** Where a path comes from. `points` of a shape are the server's, for drawing it. */
export type Source =
  | { readonly kind: "shape"; readonly text: string; readonly points: readonly Point[] }
  | { readonly kind: "stroke"; readonly points: readonly Point[] }
  | { readonly kind: "spline"; readonly controls: readonly Point[] };

/** A path, or none yet. smooth: metres over which it is smoothed. */
export interface Drawing {
  readonly source: Source | null;
  readonly smooth: number;
}

/** Nothing on the floor. */
export const EMPTY: Drawing = { source: null, smooth: 0 };

/** Metres: a shorter stroke is a slip of the hand. */
export const SHORTEST_STROKE = 0.5;
/** Metres over which a stroke is smoothed unless told. */
export const USUAL_SMOOTHING = 0.25;
export const MOST_SMOOTHING = 1.5;
/** Metres between the points that are sent, and the most of them. */
const STEP = 0.05;
const MOST_POINTS = 4000;
const DEGREE = 3;
/** Metres between the controls of a spline that is laid on a line, the widest first; how many there may be, and how far it may be off in metres. */
const SPACINGS = [3, 2, 1.5, 1.2, 0.8, 0.5];
const [FEWEST_CONTROLS, MOST_CONTROLS] = [4, 48];
const NEAR = 0.03;
/** Metres ahead at which a point is added without a mouse. */
const AHEAD = 1.5;

const lines = new WeakMap<Drawing, readonly Point[]>();

/** The path as a line over the floor; empty where there is none. The same array for the same drawing. */
export function lineOf(drawing: Drawing): readonly Point[] {
  let line = lines.get(drawing);
  if (!line) {
    const raw = rawLine(drawing.source);
    line = drawing.smooth > 0 && raw.length > 1 ? smooth(raw, drawing.smooth) : raw;
    lines.set(drawing, line);
  }
  return line;
}

function rawLine(source: Source | null): readonly Point[] {
  if (!source) return [];
  if (source.kind !== "spline") return source.points;
  if (source.controls.length < 2) return [];
  const controls = source.controls;
  const count = Math.max(24, Math.min(2000, Math.round(length(controls) / STEP)));
  return sample(controls, count, DEGREE);
}

/** What is sent for it; null where there is no path to follow yet. */
export function sent(drawing: Drawing): PathJSON | null {
  const { source, smooth: width } = drawing;
  const line = lineOf(drawing);
  if (!source || line.length < 2 || length(line) < SHORTEST_STROKE) return null;
  if (width === 0 && source.kind === "shape") return { shape: source.text };
  if (width === 0 && source.kind === "spline")
    return { degree: Math.min(DEGREE, source.controls.length - 1), controls: source.controls.map(rounded) };
  const step = Math.max(STEP, length(line) / MOST_POINTS);
  return { points: resample(line, step).map(rounded) };
}

function rounded(point: Point): Point {
  return point.map((value) => Math.round(value * 1000) / 1000);
}

/** A stroke of the hand as a path; null where it is too short to be one. */
export function stroke(points: readonly Point[], width = USUAL_SMOOTHING): Drawing | null {
  const distinct = points.filter((point, i) => i === 0 || distance(point, points[i - 1] as Point) > 1e-4);
  if (distinct.length < 2 || length(distinct) < SHORTEST_STROKE) return null;
  return { source: { kind: "stroke", points: resample(distinct, STEP) }, smooth: width };
}

/** A preset. Its corners are left as they are until they are smoothed. */
export function shape(text: string, points: readonly Point[]): Drawing {
  return { source: { kind: "shape", text, points }, smooth: 0 };
}

/** A spline of these controls; of one only there is no line yet. */
export function spline(controls: readonly Point[]): Drawing {
  return { source: controls.length ? { kind: "spline", controls } : null, smooth: 0 };
}

/** The drawing smoothed over so many metres. */
export function smoothed(drawing: Drawing, width: number): Drawing {
  return { ...drawing, smooth: Math.max(0, Math.min(MOST_SMOOTHING, width)) };
}

/** Left and right exchanged, in the line through its beginning. */
export function mirrored(drawing: Drawing): Drawing {
  return changed(drawing, mirror);
}

/** Walked from its end to its beginning. */
export function turnedRound(drawing: Drawing): Drawing {
  return changed(drawing, reverse);
}

function changed(drawing: Drawing, by: (points: readonly Point[]) => readonly Point[]): Drawing {
  const { source } = drawing;
  if (!source) return drawing;
  if (source.kind === "spline") return { ...drawing, source: { kind: "spline", controls: by(source.controls) } };
  return { ...drawing, source: { kind: "stroke", points: by(resample(source.points, STEP)) } };
}

const NONE: ReadonlySet<number> = new Set();
const controlled = new WeakMap<Drawing, readonly Point[]>();

const held = new WeakMap<readonly Point[], readonly Point[]>();

/** The points by which the path can be bent: they lie on it, on the spline that comes nearest to it where it is none. */
export function pointsOf(drawing: Drawing): readonly Point[] {
  const controls = controlsOf(drawing);
  let points = held.get(controls);
  if (!points) {
    points = onCurve(controls, DEGREE);
    held.set(controls, points);
  }
  return points;
}

/** How much longer a curve is than the line from point to point before it is taken to run in loops. */
const LOOPS = 1.5;

/** The smooth path through points; near them only, where they lie so unevenly that it would run in loops. */
function threaded(points: readonly Point[]): Drawing {
  const made = spline(through(points, DEGREE));
  return points.length > 2 && length(lineOf(made)) > LOOPS * length(points) ? spline(points) : made;
}

/** The controls of its spline: its own, or those of the one that comes nearest to it. */
export function controlsOf(drawing: Drawing): readonly Point[] {
  if (drawing.source?.kind === "spline" && drawing.smooth === 0) return drawing.source.controls;
  let controls = controlled.get(drawing);
  if (!controls) {
    controls = laidOn(lineOf(drawing));
    controlled.set(drawing, controls);
  }
  return controls;
}

/** As few controls as a spline needs to come near to a line. */
function laidOn(line: readonly Point[]): readonly Point[] {
  if (line.length < 2) return [];
  const metres = length(line);
  const wanted = resample(line, Math.max(0.1, metres / 300));
  let controls: Point[] = [];
  for (const spacing of SPACINGS) {
    const count = Math.max(FEWEST_CONTROLS, Math.min(MOST_CONTROLS, Math.round(metres / spacing) + 2));
    if (count === controls.length) continue;
    controls = fitted(line, count, DEGREE).map(([x, , z]) => [x, z]);
    const laid = sample(controls, 10 * count, DEGREE);
    if (wanted.every((point) => placeOn(laid, point).distance < NEAR)) break;
  }
  return controls;
}

/** With point `index` at another place, and others as far from where they were. */
export function moved(drawing: Drawing, index: number, to: Point, others: ReadonlySet<number> = NONE): Drawing {
  const points = pointsOf(drawing);
  const from = points[index]!;
  return threaded(points.map((each, i) => (i === index ? to : others.has(i) ? each.map((value, axis) => value + to[axis]! - from[axis]!) : each)));
}

/** With one more point at the end. */
export function extended(drawing: Drawing, to: Point): Drawing {
  return threaded([...pointsOf(drawing), to]);
}

/** With one more point a step ahead of the last, in the direction in which the path ends. */
export function ahead(drawing: Drawing): Drawing {
  const points = pointsOf(drawing);
  const last = points.at(-1);
  if (!last) return spline([[0, 0], [0, AHEAD]]);
  const before = points.at(-2) ?? [last[0]!, last[1]! - 1];
  const away = distance(last, before) || 1;
  const step = last.map((value, axis) => value + (AHEAD * (value - before[axis]!)) / away);
  return threaded([...points, step]);
}

/** With one more point where the line was clicked, and which one that is. */
export function inserted(drawing: Drawing, at: Point): { drawing: Drawing; index: number } {
  const points = pointsOf(drawing);
  if (points.length < 2) return { drawing: extended(drawing, at), index: points.length };
  // by where they lie along the line, which a straight connection may cut short
  const line = lineOf(drawing);
  const place = placeOn(line, at).s;
  const index = Math.max(1, points.findIndex((point) => placeOn(line, point).s > place));
  return { drawing: threaded([...points.slice(0, index), at, ...points.slice(index)]), index };
}

/** Without point `index`, and without others. */
export function removed(drawing: Drawing, index: number, others: ReadonlySet<number> = NONE): Drawing {
  return threaded(pointsOf(drawing).filter((_, i) => i !== index && !others.has(i)));
}

/** The drawing of a path as it is saved; a shape needs its points, which the server has. */
export function loaded(path: PathJSON, points: (shape: string) => readonly Point[]): Drawing {
  if ("shape" in path) return shape(path.shape, points(path.shape));
  if ("points" in path) return { source: { kind: "stroke", points: path.points }, smooth: 0 };
  return spline(path.controls.map((each) => (each.length === 3 ? [each[0]!, each[2]!] : each)));
}

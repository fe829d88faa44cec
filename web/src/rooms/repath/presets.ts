/** Shapes as splines, which stand for them until a hand changes them. */

import { fitted } from "../../motion/fit";
import { length } from "../../motion/spline";
import { type Control, type Curve, curve } from "./curve";

/** Of shapes with corners: how many points they have. */
const CORNERS: Readonly<Record<string, number>> = { zigzag: 5, square: 5 };
/** How many points other shapes have; and metres between those of lines that are drawn. */
const POINTS: Readonly<Record<string, number>> = { line: 5, circle: 13, eight: 22, wave: 15, spiral: 24 };
const APART = 1.2;
const [FEWEST, MOST] = [6, 40];

/** How many points a path takes, and of which degree it is. name: of the shape that it is, if any. */
export function pieces(name: string, metres: number): { count: number; degree: number } {
  if (name in CORNERS) return { count: CORNERS[name]!, degree: 1 };
  return { count: POINTS[name] ?? Math.max(FEWEST, Math.min(MOST, Math.round(metres / APART) + 3)), degree: 3 };
}

/** Where a path begins: a place on the floor and a heading in radians, 0 along +Z, positive towards +X. */
export interface Beginning {
  readonly x: number;
  readonly z: number;
  readonly heading: number;
}

/** Within this of the origin a clip counts as beginning there, and a shape can go by its name. */
const AT_ORIGIN = { metres: 0.25, radians: 0.2 };

/** The curve of a shape, by its text, from its points as the server samples them, begun where the clip begins. */
export function shaped(text: string, points: readonly (readonly number[])[], from: Beginning): Curve {
  const { count, degree } = pieces(text.split(":")[0]!, length(points));
  const controls = fitted(points, count, degree);
  if (Math.hypot(from.x, from.z) < AT_ORIGIN.metres && Math.abs(from.heading) < AT_ORIGIN.radians) return curve(controls, degree, text);
  const [sin, cos] = [Math.sin(from.heading), Math.cos(from.heading)];
  const placed = controls.map(([x, y, z]): Control => [from.x + x * cos + z * sin, y, from.z - x * sin + z * cos]);
  return curve(placed, degree, text, true);
}

/** The curve of a line that a hand has drawn. */
export function drawnBy(points: readonly (readonly number[])[]): Curve {
  const { count, degree } = pieces("", length(points));
  return curve(fitted(points, count, degree), degree);
}

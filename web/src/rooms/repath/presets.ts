/** Shapes to begin with: how large each is to be, how the server calls it, and the spline that stands for it until a hand changes it. */

import { fitted } from "../../motion/fit";
import { type Control, type Curve, curve } from "./curve";

/** A shape to choose. size: what its one slider says; metres: how long its path is for each metre of that size. */
export interface Preset {
  readonly name: string;
  readonly title: string;
  readonly size: string;
  readonly least: number;
  readonly most: number;
  readonly metres: number;
  readonly degree: number;
  text(size: number): string;
  controls(size: number): number;
}

const TAU = 2 * Math.PI;
const cubic = (count: number) => ({ degree: 3, controls: () => count });
const corners = (count: number) => ({ degree: 1, controls: () => count });

/** All presets, in the order in which they are shown. */
export const PRESETS: readonly Preset[] = [
  { name: "line", title: "Line", size: "Length", least: 1, most: 60, metres: 1, text: (s) => `line:${s}`, ...cubic(5) },
  { name: "circle", title: "Circle", size: "Radius", least: 0.5, most: 10, metres: TAU, text: (s) => `circle:${s}`, ...cubic(13) },
  { name: "eight", title: "Eight", size: "Radius", least: 0.5, most: 8, metres: 2 * TAU, text: (s) => `eight:${s}`, ...cubic(22) },
  { name: "zigzag", title: "Zigzag", size: "Leg", least: 1, most: 12, metres: 4, text: (s) => `zigzag:${s}`, ...corners(5) },
  { name: "wave", title: "Wave", size: "Length", least: 4, most: 60, metres: 1.14, text: (s) => `wave:${s},${round(s / 16)}`, ...cubic(15) },
  { name: "square", title: "Square", size: "Side", least: 1, most: 12, metres: 4, text: (s) => `square:${s}`, ...corners(5) },
  { name: "spiral", title: "Spiral", size: "Radius", least: 1, most: 10, metres: 8.4, text: (s) => `spiral:${s}`, ...cubic(24) },
  {
    name: "drawn", title: "Drawn", size: "Length", least: 4, most: 60, metres: 1, text: (s) => `drawn:${s}`, degree: 3,
    controls: (s) => Math.max(6, Math.min(40, Math.round(s / 1.2) + 3)),
  },
]; // prettier-ignore

/** The preset and size of a text such as `circle:3`; null where it is none of ours. */
export function presetOf(text: string | null): { preset: Preset; size: number } | null {
  const [name, numbers] = (text ?? "").split(":");
  const preset = PRESETS.find((each) => each.name === name);
  const size = Number.parseFloat(numbers ?? "");
  return preset && size > 0 ? { preset, size } : null;
}

/** A size at which the path is about so many metres long, on the slider's scale. */
export function sizeFor(preset: Preset, metres: number): number {
  const size = Math.round((2 * metres) / preset.metres) / 2;
  return Math.max(preset.least, Math.min(preset.most, size));
}

/** Where a path begins: a place on the floor and a heading in radians, 0 along +Z, positive towards +X. */
export interface Beginning {
  readonly x: number;
  readonly z: number;
  readonly heading: number;
}

/** Within this of the origin a clip counts as beginning there, and a shape can go by its name. */
const AT_ORIGIN = { metres: 0.25, radians: 0.2 };

/** The curve of a preset from its points as the server samples them, begun where the clip begins. */
export function shaped(preset: Preset, size: number, points: readonly (readonly number[])[], from: Beginning): Curve {
  const controls = fitted(points, preset.controls(size), preset.degree);
  if (Math.hypot(from.x, from.z) < AT_ORIGIN.metres && Math.abs(from.heading) < AT_ORIGIN.radians)
    return curve(controls, preset.degree, preset.text(size));
  const [sin, cos] = [Math.sin(from.heading), Math.cos(from.heading)];
  const placed = controls.map(([x, y, z]): Control => [from.x + x * cos + z * sin, y, from.z - x * sin + z * cos]);
  return curve(placed, preset.degree, preset.text(size), true);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

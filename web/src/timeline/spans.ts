/** Times of things that are dragged along a timeline. */

/** Which part of a span is dragged. */
export type Part = "whole" | "from" | "to";

/** Seconds that a span lasts at least. */
export const SHORTEST = 0.1;

/** A time on a frame, written without the dust of division. */
export function snapped(time: number, rate: number): number {
  return Number((Math.round(time * rate) / rate).toFixed(3));
}

/** The time under a place of the window, on a frame. */
export function timeAt(clientX: number, box: { left: number; width: number }, seconds: number, rate: number): number {
  const share = box.width > 0 ? (clientX - box.left) / box.width : 0;
  // the last frame is the last moment
  return snapped(Math.min(Math.max(share * seconds, 0), Math.max(seconds - 1 / rate, 0)), rate);
}

/** A span of which a part is dragged by some seconds, within 0 and the last frame of a timeline of `seconds`. */
export function dragged(span: { from: number; to: number }, part: Part, by: number, seconds: number): { from: number; to: number } {
  const { from, to } = span;
  if (part === "from") return { from: Math.min(Math.max(from + by, 0), to - SHORTEST), to };
  if (part === "to") return { from, to: Math.max(Math.min(to + by, seconds), from + SHORTEST) };
  const held = Math.min(Math.max(by, -from), Math.max(seconds - to, -from));
  return { from: from + held, to: to + held };
}

/** What rooms show under the scrubber: plots over frames, and spans of frames. */
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import type { Colour } from "../stage/palette";

/** Frames first to last, half open. */
export interface Mark {
  first: number;
  last: number;
  colour: Colour;
  /** written into the span where there is room */
  text?: string;
}

export interface Lane {
  id: string;
  label: string;
  /** one value a frame; leave it out for a lane of spans alone */
  values?: Float32Array | ArrayLike<number>;
  unit?: string;
  colour?: Colour;
  marks?: Mark[];
  /** the value at the top of the lane; the largest there is unless told */
  most?: number;
  /** digits behind the point of the value shown; 1 unless told */
  digits?: number;
  /** what stands in the lane instead of a plot: things that can be dragged (`Track`) */
  Content?: ComponentType;
  /** pixels; as tall as a plot unless told */
  tall?: number;
  /** a click on a mark, by its place in the list */
  onMark?: (index: number) => void;
}

/** the lanes that are shown now */
export const lanes = signal<Lane[]>([]);

/** Show these lanes, and no others. */
export function setLanes(list: Lane[]): void {
  lanes.value = list;
}

/** Two handles on the scrubber, in frames, half open; null where there are none. */
export interface Span {
  first: number;
  last: number;
}

export const trim = signal<Span | null>(null);

/** A canvas that fills its place, at the screen's own resolution, drawn again whenever something that it shows has changed. */

import { useSignal, useSignalEffect } from "@preact/signals";
import type { HTMLAttributes, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

type Painter = (context: CanvasRenderingContext2D, width: number, height: number) => void;

/** `paint` gets a clean canvas in CSS pixels; the signals that it reads bring the next drawing. */
export function Surface({ paint, ...rest }: { paint: Painter } & Omit<HTMLAttributes<HTMLCanvasElement>, "size">): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width !== size.value.width || height !== size.value.height) size.value = { width, height };
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [size]);
  useSignalEffect(() => {
    const { width, height } = size.value;
    // kept in memory, as the bitmaps that are drawn on it: nothing has to go to a graphics card and back
    const context = canvas.current?.getContext("2d", { willReadFrequently: true });
    if (!context || width === 0 || height === 0) return;
    const dense = window.devicePixelRatio || 1;
    const [across, down] = [Math.round(width * dense), Math.round(height * dense)];
    // setting the size of a canvas throws its memory away, even where it stays the same
    if (context.canvas.width !== across || context.canvas.height !== down) {
      context.canvas.width = across;
      context.canvas.height = down;
    }
    context.setTransform(dense, 0, 0, dense, 0, 0);
    context.clearRect(0, 0, width, height);
    paint(context, width, height);
  });
  return (
    <div class="graph-surface" ref={place}>
      <canvas ref={canvas} {...rest} />
    </div>
  );
}

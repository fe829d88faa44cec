/** Wheel, drag, click and hover on a chart. */

import { useRef } from "preact/hooks";

/** What a chart does with gestures. Places are pixels within it. */
export interface Gestures {
  zoom(factor: number, x: number, y: number): void;
  pan(dx: number, dy: number): void;
  /** a wheel that is not meant to zoom; false: zoom all the same */
  scroll?(dx: number, dy: number): boolean;
  click(x: number, y: number): void;
  hover(x: number, y: number): void;
  leave(): void;
}

/** The nearer the pointer stays to where it went down, the surer it is a click. */
const STILL = 4;

/** Pixels of the pointer within the element of the event. */
function within(event: MouseEvent): [number, number] {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/** The handlers to spread on the chart's canvas. */
export function useGestures(gestures: Gestures) {
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      const [x, y] = within(event);
      drag.current = { x, y, moved: false };
    },
    onPointerMove(event: PointerEvent) {
      const [x, y] = within(event);
      const from = drag.current;
      if (!from) return gestures.hover(x, y);
      if (!from.moved && Math.hypot(x - from.x, y - from.y) < STILL) return;
      gestures.pan(x - from.x, y - from.y);
      drag.current = { x, y, moved: true };
    },
    onPointerUp(event: PointerEvent) {
      const from = drag.current;
      drag.current = null;
      if (from && !from.moved) gestures.click(...within(event));
    },
    onPointerCancel() {
      drag.current = null;
    },
    onPointerLeave() {
      if (!drag.current) gestures.leave();
    },
    onWheel(event: WheelEvent) {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1;
      const [dx, dy] = [event.deltaX * lines, event.deltaY * lines];
      // browsers tell a pinch as a wheel with Ctrl
      if (!event.ctrlKey && !event.metaKey && gestures.scroll?.(dx, dy)) return;
      gestures.zoom(Math.exp(Math.max(-60, Math.min(60, dy)) * 0.004), ...within(event));
    },
  };
}

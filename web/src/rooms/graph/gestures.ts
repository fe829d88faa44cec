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
/** Pixels between two fingers below which their distance tells nothing. */
const NEAR = 12;

/** Pixels of the pointer within the element of the event. */
function within(event: MouseEvent): [number, number] {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/** The handlers to spread on the chart's canvas. */
export function useGestures(gestures: Gestures) {
  const drag = useRef<{ id: number; x: number; y: number; moved: boolean } | null>(null);
  // a second finger: how far it is from the first tells how near one looks
  const second = useRef<{ id: number; x: number; y: number } | null>(null);
  function lift(event: PointerEvent): void {
    if (second.current?.id === event.pointerId) second.current = null;
    else if (drag.current?.id === event.pointerId) {
      // the finger that stays goes on
      drag.current = second.current && { ...second.current, moved: true };
      second.current = null;
    }
  }
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      const [x, y] = within(event);
      if (!drag.current) drag.current = { id: event.pointerId, x, y, moved: false };
      else if (!second.current) {
        second.current = { id: event.pointerId, x, y };
        drag.current.moved = true;
      }
    },
    onPointerMove(event: PointerEvent) {
      const [x, y] = within(event);
      const from = drag.current;
      if (!from) return gestures.hover(x, y);
      const other = second.current;
      if (other) {
        const [moving, still] = event.pointerId === from.id ? [from, other] : event.pointerId === other.id ? [other, from] : [];
        if (!moving || !still) return;
        const before = Math.hypot(moving.x - still.x, moving.y - still.y);
        const now = Math.hypot(x - still.x, y - still.y);
        const [middleX, middleY] = [(x + still.x) / 2, (y + still.y) / 2];
        gestures.pan(middleX - (moving.x + still.x) / 2, middleY - (moving.y + still.y) / 2);
        if (before > NEAR && now > NEAR) gestures.zoom(before / now, middleX, middleY);
        Object.assign(moving, { x, y });
        return;
      }
      if (event.pointerId !== from.id) return;
      if (!from.moved && Math.hypot(x - from.x, y - from.y) < STILL) return;
      gestures.pan(x - from.x, y - from.y);
      Object.assign(from, { x, y, moved: true });
    },
    onPointerUp(event: PointerEvent) {
      const from = drag.current;
      lift(event);
      if (from && event.pointerId === from.id && !from.moved) gestures.click(...within(event));
    },
    onPointerCancel: lift,
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

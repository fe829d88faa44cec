/** A canvas that is drawn anew when what it shows, its size or the theme changes. */
import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { dark } from "../state/store";
import type { Sheet } from "./draw";

/** Draws by `draw`, which may read signals: it is called again when they change. */
export function Canvas({ draw, height, label }: { draw: (sheet: Sheet) => void; height: number; label?: string }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(draw);
  latest.current = draw;
  const paint = useRef(() => {});
  useEffect(() => {
    const element = canvas.current!;
    const context = element.getContext("2d")!;
    paint.current = () => {
      const width = element.clientWidth;
      const ratio = Math.max(devicePixelRatio, 1);
      element.width = Math.round(width * ratio);
      element.height = Math.round(height * ratio);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      const style = getComputedStyle(element);
      const colour = (name: string): string => {
        if (name.startsWith("#") || name.startsWith("rgb")) return name;
        return style.getPropertyValue(name.startsWith("--") ? name : `--${name}`) || name;
      };
      latest.current({ context, width, height, colour });
    };
    const end = effect(() => {
      // reading it is enough: another theme, other colours
      void dark.value;
      paint.current();
    });
    const observer = new ResizeObserver(() => paint.current());
    observer.observe(element);
    return () => {
      end();
      observer.disconnect();
    };
  }, [height]);
  useEffect(() => paint.current(), [draw]);
  return <canvas ref={canvas} style={{ height: `${height}px` }} role={label ? "img" : undefined} aria-label={label} aria-hidden={label ? undefined : true} />;
}

/** Over the stage, where something is made on the floor: what the pointer does, what is done to it, what is shown, and a word about the chosen tool. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { stage } from "../state/stage";
import { type IconName, IconButton, Toolbar } from "../ui";
import { Legend, type LegendEntry } from "./legend";
import "./path.css";

/** What the pointer does. */
export interface PathTool<Name extends string> {
  readonly tool: Name;
  readonly icon: IconName;
  readonly label: string;
  /** what of the label stands below the icon where there is room; all of it unless told */
  readonly word?: string;
  readonly key: string;
}

/** What is done at once. */
export interface PathAct {
  readonly icon: IconName;
  readonly label: string;
  /** as for a tool */
  readonly word?: string;
  readonly key: string;
  readonly disabled: boolean;
  run(): void;
}

interface Props<Name extends string, Layer extends string> {
  tools: readonly PathTool<Name>[];
  tool: Name;
  onTool(tool: Name): void;
  /** what is made */
  of: string;
  acts: readonly PathAct[];
  /** what is shown, each of which can be hidden */
  legend?: readonly LegendEntry<Layer>[] | null;
  shown?: Readonly<Record<Layer, boolean>>;
  onLayer?(layer: Layer): void;
  says?: ComponentChildren;
  children?: ComponentChildren;
}

/** The overlay of a room. Without tools there is the legend alone. */
export function PathOverlay<Name extends string, Layer extends string>(props: Props<Name, Layer>) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => keepClear(box.current!), []);
  return (
    <div class="path-overlay" ref={box}>
      {props.tools.length > 0 && (
        <div class="path-tools">
          <Toolbar label="Tool" entry="[aria-pressed=true]">
            {props.tools.map((one) => (
              <IconButton key={one.tool} icon={one.icon} label={one.label} word={one.word ?? one.label} shortcut={one.key} pressed={props.tool === one.tool} onClick={() => props.onTool(one.tool)} />
            ))}
          </Toolbar>
          <Toolbar label={props.of}>
            {props.acts.map((one) => (
              <IconButton key={one.label} icon={one.icon} label={one.label} word={one.word ?? one.label} shortcut={one.key || undefined} disabled={one.disabled} onClick={one.run} />
            ))}
          </Toolbar>
        </div>
      )}
      <div class="path-below">
        {props.says && <p class="path-says">{props.says}</p>}
        {props.children}
        {props.legend && props.shown && props.onLayer && <Legend entries={props.legend} shown={props.shown} onToggle={props.onLayer} />}
      </div>
    </div>
  );
}

/** Pixels between what lies over the stage and what is framed below it or above. */
const APART = 8;

/** Tell the camera how much of the stage lies under an overlay; returns what ends it. */
function keepClear(overlay: HTMLElement): () => void {
  let [width, top, foot] = [0, 0, 0];
  const measure = (): void => {
    const canvas = stage.value?.canvas.getBoundingClientRect();
    if (!canvas) return;
    const reach = (part: string, of: (rect: DOMRect) => number): number => {
      const rect = overlay.querySelector(part)?.getBoundingClientRect();
      return rect?.height ? of(rect) + APART : 0;
    };
    // a hint that comes and goes with the tools must not move the picture each time: room that was left stays
    if (canvas.width !== width) [width, top, foot] = [canvas.width, 0, 0];
    top = Math.max(top, reach(".path-tools", (rect) => rect.bottom - canvas.top));
    foot = Math.max(foot, reach(".path-below", (rect) => canvas.bottom - rect.top));
    stage.value!.camera.cover(top, foot);
  };
  const observer = new ResizeObserver(measure);
  observer.observe(overlay);
  const parts = new MutationObserver(() => {
    for (const part of overlay.children) observer.observe(part);
  });
  parts.observe(overlay, { childList: true });
  for (const part of overlay.children) observer.observe(part);
  return () => {
    observer.disconnect();
    parts.disconnect();
    stage.value?.camera.cover(0, 0);
  };
}

/** Over the stage, where something is made on the floor: what the pointer does, what is done to it, what is shown, and a word about the chosen tool. */

import type { ComponentChildren } from "preact";
import { type IconName, IconButton, Toolbar } from "../ui";
import { Legend, type LegendEntry } from "./legend";
import "./path.css";

/** What the pointer does. */
export interface PathTool<Name extends string> {
  readonly tool: Name;
  readonly icon: IconName;
  readonly label: string;
  readonly key: string;
}

/** What is done at once. */
export interface PathAct {
  readonly icon: IconName;
  readonly label: string;
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
  return (
    <div class="path-overlay">
      {props.tools.length > 0 && (
        <div class="path-tools">
          <Toolbar label="Tool" entry="[aria-pressed=true]">
            {props.tools.map((one) => (
              <IconButton key={one.tool} icon={one.icon} label={one.label} shortcut={one.key} pressed={props.tool === one.tool} onClick={() => props.onTool(one.tool)} />
            ))}
          </Toolbar>
          <Toolbar label={props.of}>
            {props.acts.map((one) => (
              <IconButton key={one.label} icon={one.icon} label={one.label} shortcut={one.key || undefined} disabled={one.disabled} onClick={one.run} />
            ))}
          </Toolbar>
        </div>
      )}
      {props.legend && props.shown && props.onLayer && <Legend entries={props.legend} shown={props.shown} onToggle={props.onLayer} />}
      {props.says && <p class="path-says">{props.says}</p>}
      {props.children}
    </div>
  );
}

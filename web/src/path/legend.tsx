/** What is on the stage: a legend whose entries can be switched off. */

import { classes } from "../ui";

/** Something that is shown. token: its colour. line: whether it is one. */
export interface LegendEntry<Layer extends string> {
  readonly layer: Layer;
  readonly label: string;
  readonly token: string;
  readonly line?: boolean;
}

interface Props<Layer extends string> {
  entries: readonly LegendEntry<Layer>[];
  shown: Readonly<Record<Layer, boolean>>;
  onToggle(layer: Layer): void;
}

export function Legend<Layer extends string>({ entries, shown, onToggle }: Props<Layer>) {
  return (
    <div class="path-legend" role="group" aria-label="Shown on the stage">
      {entries.map(({ layer, label, token, line }) => (
        <button
          key={layer}
          type="button"
          class={classes("path-chip", line && "line")}
          aria-pressed={shown[layer]}
          title={`${shown[layer] ? "Hide" : "Show"}: ${label.toLowerCase()}`}
          onClick={() => onToggle(layer)}
        >
          <i style={{ background: `var(${token})` }} />
          {label}
        </button>
      ))}
    </div>
  );
}

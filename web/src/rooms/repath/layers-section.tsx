/** What is shown on the stage: each can be hidden. */

import { classes, Icon, Section } from "../../ui";
import { type Layers, layers } from "./model";

const NAMES: readonly { key: keyof Layers; label: string; colour: string; look: "figure" | "line" | "dashed" | "dot" | "feet" }[] = [
  { key: "made", label: "New figure", colour: "text-2", look: "figure" },
  { key: "original", label: "Original figure", colour: "c-original", look: "figure" },
  { key: "path", label: "New path", colour: "c-path", look: "line" },
  { key: "ownPath", label: "Original path", colour: "c-original", look: "dashed" },
  { key: "controls", label: "Control points", colour: "c-path", look: "dot" },
  { key: "walked", label: "Walked way", colour: "c-walked", look: "line" },
  { key: "trackers", label: "Trackers", colour: "c-path", look: "dot" },
  { key: "footprints", label: "Footprints", colour: "c-left", look: "feet" },
];

export function LayersSection() {
  const now = layers.value;
  return (
    <Section title="Shown">
      <div class="repath-layers">
        {NAMES.map(({ key, label, colour, look }) => (
          <button
            key={key}
            type="button"
            role="switch"
            aria-checked={now[key]}
            class={classes("repath-layer", !now[key] && "off")}
            onClick={() => {
              layers.value = { ...now, [key]: !now[key] };
            }}
          >
            <i class={`swatch ${look}`} style={{ color: `var(--${colour})` }} aria-hidden="true" />
            <span>{label}</span>
            <Icon name={now[key] ? "eye" : "eye-off"} size={14} />
          </button>
        ))}
      </div>
    </Section>
  );
}

/** A shape to begin with, from a list, and its size. */

import { useState } from "preact/hooks";
import { IconButton, type Option, Select, Slider } from "../ui";
import { parse, type Preset, PRESETS } from "./shapes";

const OWN = { value: "", label: "Your own" };

interface Props {
  /** the text of the shape that it is; null where it is none of them */
  text: string | null;
  /** the size to begin with; the usual one unless told */
  size?: (preset: Preset) => number;
  /** other things to begin with, and what is chosen where it is one of them */
  others?: readonly Option[];
  other?: string;
  onOther?: (value: string) => void;
  /** another shape, or the same of another size: then for each move of the slider, the last of which ends it */
  onTake: (text: string, resized: boolean, last: boolean) => void;
}

export function ShapeField({ text, size, others = [], other = "", onOther, onTake }: Props) {
  const now = text === null ? null : parse(text);
  const [variant, setVariant] = useState(0);
  const choose = (name: string): void => {
    const preset = PRESETS.find((one) => one.name === name);
    if (!preset) return onOther?.(name);
    // the same shape once more: another one of its kind
    const next = now?.preset === preset ? variant + 1 : variant;
    setVariant(next);
    onTake(preset.text(size?.(preset) ?? preset.usual, next), false, true);
  };
  return (
    <>
      <div class="path-shape">
        <Select
          label="Shape"
          value={now?.preset.name ?? other}
          options={[OWN, ...others, ...PRESETS.map(({ name, title }) => ({ value: name, label: title }))]}
          onChange={choose}
        />
        {now?.preset.name === "drawn" && <IconButton icon="dice" label="Another curve" onClick={() => choose("drawn")} />}
      </div>
      {now && (
        <Slider
          label={now.preset.size}
          value={now.size}
          min={now.preset.least}
          max={now.preset.most}
          step={0.1}
          unit="m"
          onInput={(metres) => onTake(now.preset.text(metres, now.variant), true, false)}
          onChange={(metres) => onTake(now.preset.text(metres, now.variant), true, true)}
        />
      )}
    </>
  );
}

/** The ground that the path leads over. */

import { Section, Segmented, Slider } from "../../ui";
import { hasHeights } from "./curve";
import { type GroundKind, groundText, KINDS, NUMBERS, numberOf, withNumber } from "./ground";
import { ground, history } from "./model";

export function GroundSection() {
  const now = ground.value;
  return (
    <Section title="Ground">
      <Segmented
        label="Ground"
        hideLabel
        value={now.kind}
        options={KINDS}
        onChange={(kind) => {
          ground.value = { ...now, kind: kind as GroundKind };
        }}
      />
      {NUMBERS[now.kind].map(({ key, label, unit, min, max, step }) => (
        <Slider
          key={`${now.kind} ${key}`}
          label={label}
          value={numberOf(now, key)}
          min={min}
          max={max}
          step={step}
          unit={unit}
          onInput={(value) => {
            ground.value = withNumber(ground.value, key, value);
          }}
        />
      ))}
      {groundText(now) !== null && hasHeights(history.value.value) && (
        <p class="faint">On this ground the path's own heights are left out.</p>
      )}
    </Section>
  );
}

/** The ground that the path leads over. */

import { capital, Section, Segmented, Slider } from "../../ui";
import { hasHeights } from "./curve";
import { numbersOf, withNumber } from "./ground";
import { ground, grounds, groundAsked, history } from "./model";

export function GroundSection() {
  const now = ground.value;
  const shown = grounds.value.find((one) => one.name === now.name);
  const values = shown ? numbersOf(now, shown) : [];
  return (
    <Section title="Ground">
      <Segmented
        label="Ground"
        hideLabel
        value={shown?.name ?? ""}
        options={[{ value: "", label: "Flat" }, ...grounds.value.map(({ name, help }) => ({ value: name, label: capital(name), hint: help }))]}
        onChange={(name) => {
          ground.value = { ...now, name };
        }}
      />
      {shown?.numbers.map(({ label, unit, least, most, step }, index) => (
        <Slider
          key={`${shown.name} ${label}`}
          label={label}
          value={values[index]!}
          min={least}
          max={most}
          step={step}
          unit={unit}
          onInput={(value) => {
            ground.value = withNumber(ground.value, shown, index, value);
          }}
        />
      ))}
      {groundAsked.value !== null && hasHeights(history.value.value) && (
        <p class="faint">On this ground the path's own heights are left out.</p>
      )}
    </Section>
  );
}

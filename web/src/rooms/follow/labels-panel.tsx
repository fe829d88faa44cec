/** Which label is borne where along the path. */

import { Button, IconButton, NumberField, Section, Select } from "../../ui";
import { paint, restLabel, within, type Stretch } from "./sections";
import { labelColour } from "./show";
import { brush, course, edit, labels, shownLength, tool } from "./state";
import { Strip } from "./strip";
import { paintLabel } from "./tools";

const ANY = { value: "", label: "Any label" };

/** The section of labels. */
export function LabelsPanel() {
  const { label, stretches } = course.value;
  const length = shownLength.value;
  const parts = within(stretches, length);
  const rest = restLabel(label, labels.value);
  const painting = tool.value === "paint" || parts.length > 0;
  return (
    <Section
      title="Labels"
      aside={
        parts.length > 0 ? (
          <Button small kind="quiet" onClick={() => edit({ stretches: [] })}>
            Wipe all
          </Button>
        ) : null
      }
    >
      <Select
        label={parts.length ? "Elsewhere" : "Whole path"}
        value={parts.length ? rest : label}
        options={[...(parts.length ? [] : [ANY]), ...labels.value]}
        onChange={(value) => edit({ label: value })}
      />
      {painting ? (
        <>
          <Brushes />
          <Strip />
        </>
      ) : (
        <Button small kind="quiet" icon="tag" disabled={labels.value.length === 0} onClick={() => (tool.value = "paint")}>
          Paint labels on stretches of it
        </Button>
      )}
      {parts.map((one, index) => (
        <Part key={index} part={one} length={length} />
      ))}
      {painting && (
        <Button small kind="quiet" icon="plus" disabled={length <= 0 || labels.value.length === 0} onClick={() => addPart(parts, length)}>
          Add a stretch
        </Button>
      )}
    </Section>
  );
}

/** The label to paint with. */
function Brushes() {
  return (
    <div class="follow-brushes" role="group" aria-label="Label to paint">
      {labels.value.map((one) => (
        <button
          key={one}
          type="button"
          class="follow-chip"
          aria-pressed={paintLabel() === one}
          onClick={() => {
            brush.value = one;
            tool.value = "paint";
          }}
        >
          <i style={{ background: `var(${labelColour(one)})` }} />
          {one}
        </button>
      ))}
      <button
        type="button"
        class="follow-chip"
        aria-pressed={paintLabel() === ""}
        onClick={() => {
          brush.value = "";
          tool.value = "paint";
        }}
      >
        <i class="follow-wipe" />
        wipe
      </button>
    </div>
  );
}

/** Paint the first free stretch, or the end of the path, with the chosen label. */
function addPart(parts: readonly Stretch[], length: number): void {
  const from = parts.at(-1)?.last ?? 0;
  const first = from < length - 1 ? from : length / 2;
  edit({ stretches: paint(course.value.stretches, first, Math.min(length, first + Math.max(2, length / 4)), paintLabel() || labels.value[0] || null) });
}

function Part({ part, length }: { part: Stretch; length: number }) {
  // one that reaches the end goes on where the path grows
  const end = part.last >= length ? Infinity : part.last;
  const wiped = () => paint(course.value.stretches, part.first, end, null);
  const change = (to: Partial<Stretch>) => {
    const { first, last, label } = { ...part, last: end, ...to };
    edit({ stretches: paint(wiped(), first, last, label) });
  };
  return (
    <div class="follow-part">
      <i style={{ background: `var(${labelColour(part.label)})` }} />
      <Select label="Label of this stretch" hideLabel value={part.label} options={labels.value} onChange={(label) => change({ label })} />
      <NumberField label="From metre" hideLabel value={part.first} min={0} max={part.last} step={0.1} onChange={(first) => change({ first })} />
      <span>–</span>
      <NumberField label="To metre" hideLabel value={part.last} min={part.first} max={length} step={0.1} unit="m" onChange={(last) => change({ last })} />
      <IconButton icon="close" label={`Remove this stretch of ${part.label}`} onClick={() => edit({ stretches: wiped() })} />
    </div>
  );
}

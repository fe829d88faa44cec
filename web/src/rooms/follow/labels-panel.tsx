/** Which label is borne where along the path. */

import { useState } from "preact/hooks";
import { Button, IconButton, labelColour, NumberField, Section, Select, TextField } from "../../ui";
import { paint, restLabel, within, type Stretch } from "./sections";
import { doubt } from "./several";
import { brush, course, edit, labels, ownLabels, several, shownLength, tool } from "./state";
import { Strip } from "./strip";
import { paintLabel } from "./tools";

const ANY = { value: "", label: "Any label" };
/** of what was said of several labels, how much is remembered */
const MOST = 8;

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
      <Several />
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

/** A line to ask for several labels at once; what is said there is offered wherever labels are. */
function Several() {
  const [error, setError] = useState<string | null>(null);
  if (ownLabels.value.length < 2) return null;
  const say = (text: string): void => {
    const said = text.trim();
    const why = said && doubt(said, ownLabels.value);
    setError(why || null);
    if (!said || why) return;
    several.value = [...several.value.filter((one) => one !== said), said].slice(-MOST);
    if (tool.value === "paint") brush.value = said;
    else edit({ label: said });
  };
  return <TextField label="Several at once" value="" placeholder="walk+happy, !run" error={error} onChange={say} />;
}

/** The label to paint with. */
function Brushes() {
  return (
    <div class="follow-brushes" role="group" aria-label="Label to paint">
      {labels.value.map((one) => (
        <button
          key={one}
          type="button"
          class="path-chip"
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
        class="path-chip"
        aria-pressed={paintLabel() === ""}
        onClick={() => {
          brush.value = "";
          tool.value = "paint";
        }}
      >
        <i class="path-wipe" />
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

/** Metres: a shorter stretch is none. */
const SHORTEST = 0.25;

function Part({ part, length }: { part: Stretch; length: number }) {
  // one that reaches the end goes on where the path grows
  const end = part.last >= length ? Infinity : part.last;
  const wiped = () => paint(course.value.stretches, part.first, end, null);
  const change = (to: Partial<Stretch>) => {
    const { first, last, label } = { ...part, last: end, ...to };
    edit({ stretches: paint(wiped(), first, last >= length ? Infinity : last, label) });
  };
  return (
    <div class="follow-part">
      <i style={{ background: `var(${labelColour(part.label)})` }} />
      <Select label="Label of this stretch" hideLabel value={part.label} options={labels.value} onChange={(label) => change({ label })} />
      <NumberField label="From metre" hideLabel value={part.first} min={0} max={part.last - SHORTEST} step={0.1} onChange={(first) => change({ first })} />
      <span>–</span>
      <NumberField label="To metre" hideLabel value={part.last} min={part.first + SHORTEST} max={length} step={0.1} unit="m" onChange={(last) => change({ last })} />
      <IconButton icon="close" label={`Remove this stretch of ${part.label}`} onClick={() => edit({ stretches: wiped() })} />
    </div>
  );
}

/** Walks without a path: at random, and in an order. */

import { useState } from "preact/hooks";
import { IconButton, NumberField, Section, Select, Slider, Toggle } from "../../ui";
import { playNext } from "./search";
import { clipNames, labels, ordering, wandering } from "./state";

const POOLS = [
  { value: "0", label: "Any transition" },
  { value: "0.05", label: "The best 5 %" },
  { value: "0.1", label: "The best 10 %" },
  { value: "0.25", label: "The best quarter" },
  { value: "0.5", label: "The better half" },
];
const SEEDS = 100_000;

/** Settings of a random walk. */
export function RandomPanel() {
  const now = wandering.value;
  const set = (part: Partial<typeof now>) => {
    playNext();
    wandering.value = { ...now, ...part };
  };
  return (
    <Section title="Random walk" fixed>
      <p class="follow-hint">A walk that sees all of the graph evenly, in an order that chance has. The same seed gives the same walk.</p>
      <NumberField label="Length" value={now.seconds} min={1} max={600} step={1} unit="s" onChange={(seconds) => set({ seconds })} />
      <div class="path-shape">
        <NumberField label="Variation" value={now.seed} min={0} max={SEEDS} step={1} onChange={(seed) => set({ seed: Math.round(seed) })} />
        <IconButton icon="dice" label="Another seed" shortcut="N" onClick={anotherSeed} />
      </div>
      <Select label="Label" value={now.label} options={[{ value: "", label: "Any label" }, ...labels.value]} onChange={(label) => set({ label })} />
      <Select label="Choose from" value={String(now.pool)} options={POOLS} onChange={(pool) => set({ pool: Number(pool) })} />
    </Section>
  );
}

/** Throw the dice. */
export function anotherSeed(): void {
  playNext();
  wandering.value = { ...wandering.value, seed: Math.floor(Math.random() * SEEDS) };
}

/** Settings of a walk in order. */
export function SequencePanel() {
  const now = ordering.value;
  const [held, setHeld] = useState<number | null>(null);
  const set = (steps: readonly string[]) => {
    playNext();
    ordering.value = { ...now, steps };
  };
  const move = (from: number, to: number) => {
    if (to < 0 || to >= now.steps.length || from === to) return;
    const steps = [...now.steps];
    steps.splice(to, 0, ...steps.splice(from, 1));
    set(steps);
  };
  const clips = clipNames.value.filter((name) => !labels.value.includes(name));
  return (
    <Section title="In order" fixed>
      <p class="follow-hint">Labels and clips one after the other, by the cheapest way there is.</p>
      <ol class="follow-steps" aria-label="Steps">
        {now.steps.map((step, index) => (
          <li
            key={index}
            draggable
            onDragStart={() => setHeld(index)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => held !== null && move(held, index)}
          >
            <button
              type="button"
              aria-label={`Step ${index + 1}: ${step}. Left and right arrow move it, Delete removes it`}
              onKeyDown={(event) => {
                const to = { ArrowLeft: index - 1, ArrowRight: index + 1 }[event.key];
                if (to !== undefined) {
                  move(index, to);
                  // who moves a step goes with it
                  event.currentTarget.closest("ol")?.children[to]?.querySelector("button")?.focus();
                }
                else if (event.key === "Delete" || event.key === "Backspace") set(now.steps.filter((_, i) => i !== index));
                else return;
                event.preventDefault();
                event.stopPropagation();
              }}
            >
              <b>{index + 1}</b> {step}
            </button>
            <IconButton icon="close" size={12} label={`Remove step ${index + 1}, ${step}`} onClick={() => set(now.steps.filter((_, i) => i !== index))} />
          </li>
        ))}
      </ol>
      {now.steps.length === 0 && <p class="follow-hint">Nothing yet: choose what comes first, such as stand, then walk, then run.</p>}
      <Select label="Add" value="" placeholder="A label or a clip…" options={[...labels.value, ...clips]} onChange={(name) => set([...now.steps, name])} />
      <Slider label="Stay in each" value={now.stay} min={0.1} max={10} step={0.1} unit="s" onChange={(stay) => (ordering.value = { ...now, stay })} />
      <Toggle
        label="Either side"
        value={now.eitherSide ?? false}
        hint="Mirrored copies count too: a right punch may become a left one."
        onChange={(eitherSide) => (ordering.value = { ...now, eitherSide })}
      />
    </Section>
  );
}

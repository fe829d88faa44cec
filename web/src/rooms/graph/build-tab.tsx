/** The making of a graph: which clips, how they are compared, and how far alike they must be. */

import type { JSX } from "preact";
import { goTo } from "../../state/store";
import { Button, Empty, NumberField, Section, Segmented, Slider, TextField, Toggle } from "../../ui";
import { build, takenClips } from "./actions";
import { ClipList } from "./clip-list";
import { JobCard } from "./job-card";
import { form, type Form, usable } from "./model";

const set = (part: Partial<Form>): void => void (form.value = { ...form.value, ...part });

const THRESHOLDS = [
  { value: "auto", label: "Automatic" },
  { value: "cm", label: "In cm" },
];

/** The form, and the progress of what it has begun. */
export function BuildTab(): JSX.Element {
  if (usable.value.length === 0) {
    return (
      <Empty title="No clips yet" text="A graph is built from clips. Bring some in, or take the samples.">
        <Button onClick={() => goTo("library")}>Go to the Library</Button>
      </Empty>
    );
  }
  const { name, window, auto, threshold, mirror, bridges } = form.value;
  const count = takenClips().length;
  return (
    <>
      <JobCard />
      <Section title="Clips of the graph">
        <ClipList />
      </Section>
      <Section title="How it is built">
        <TextField label="Name" value={name} placeholder="graph" onChange={(text) => set({ name: text })} live />
        <Toggle label="Mirrored copies of all clips" hint="Who turns left in a clip can turn right, too" value={mirror} onChange={(on) => set({ mirror: on })} />
      </Section>
      <Section title="Expert settings" closed>
        <Slider
          label="Window"
          value={window}
          min={0.1}
          max={1}
          step={1 / 30}
          format={(value) => `${value.toFixed(2)}\u202fs`}
          hint="How much motion is compared and blended at a transition"
          onInput={(value) => set({ window: value })}
        />
        <Segmented label="Threshold" value={auto ? "auto" : "cm"} options={THRESHOLDS} onChange={(choice) => set({ auto: choice === "auto" })} />
        {!auto && <NumberField label="At most" value={threshold} min={0.5} max={50} step={0.5} unit="cm" onChange={(value) => set({ threshold: value })} />}
        <p class="graph-note">
          {auto
            ? "Each kind of motion gets a threshold of its own, so that most of it is kept."
            : "One for all: windows that differ by more become no transition."}
        </p>
        <Toggle label="Bridges between unlike groups" value={bridges} onChange={(on) => set({ bridges: on })} />
      </Section>
      <div class="graph-act">
        <Button kind="primary" wide disabled={count === 0} onClick={() => void build()}>
          Build from {count === 1 ? "1 clip" : `${count} clips`}
        </Button>
      </div>
    </>
  );
}

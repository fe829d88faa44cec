/** The strike between two walks: who goes there, strikes, and goes on. */

import { ExactField, IconButton, Notice, Section, Select, Toggle } from "../../ui";
import { graph, graphs, type Joining, joining, labels, setJoined } from "./model";
import { select } from "../../state/store";

const MOST = 60;
const lasts = (value: number): string | null => (value >= 0 && value <= MOST ? null : `From 0 to ${MOST} seconds, please.`);

export function JoinSection() {
  const now = joining.value;
  const set = (part: Partial<Joining>): void => void (joining.value = { ...now, ...part });
  return (
    <Section title="Between two walks" closed={!now.on}>
      {graphs.value.length === 0 ? (
        <Notice>To walk up to the strike takes a graph: build one in the Graph room.</Notice>
      ) : (
        <Toggle label="Walk up to it, and on" hint="A random walk, the strike, and another walk" value={now.on} onChange={setJoined} />
      )}
      {now.on && graph.value && (
        <>
          {graphs.value.length > 1 && (
            <Select label="Graph" value={graph.value.id} options={graphs.value.map(({ id, name }) => ({ value: id, label: name }))} onChange={(id) => select({ graph: id })} />
          )}
          <ExactField label="Walk before" value={now.before} unit="s" step={0.5} refuse={lasts} onChange={(before) => set({ before: before! })} />
          <ExactField label="Walk after" value={now.after} unit="s" step={0.5} refuse={lasts} onChange={(after) => set({ after: after! })} />
          <Select label="Label" value={labels.value.includes(now.label) ? now.label : ""} options={[{ value: "", label: "Any label" }, ...labels.value]} onChange={(label) => set({ label })} />
          <ExactField
            label="Variation"
            value={now.seed}
            refuse={(value) => (Number.isInteger(value) && value >= 0 ? null : "A whole number from 0 on, please.")}
            onChange={(seed) => set({ seed: seed! })}
            aside={<IconButton icon="dice" label="Other walks" onClick={() => set({ seed: now.seed + 1 })} />}
          />
        </>
      )}
    </Section>
  );
}

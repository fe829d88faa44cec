/** The panel of the room. */

import { select } from "../../state/store";
import { Segmented, Select } from "../../ui";
import { ComparePanel } from "./compare-panel";
import { LabelsPanel } from "./labels-panel";
import { MotionPanel, PreferencePanel } from "./motion-panel";
import { preparing } from "./newcomer";
import { PathPanel } from "./path-panel";
import type { Mode } from "./request";
import { MadeOf, ResultPanel } from "./result-panel";
import { StartPanel } from "./start-panel";
import { graph, graphs, mode } from "./state";
import { RandomPanel, SequencePanel } from "./walks-panel";
import "./follow.css";

const MODES = [
  { value: "path", label: "Path", hint: "Somebody walks along a line that you draw" },
  { value: "random", label: "Random", hint: "A walk by chance" },
  { value: "sequence", label: "Sequence", hint: "Clips and labels in an order" },
];

/** Modes above, settings in the middle, the result below, always in sight. */
export function Panel() {
  if (!graph.value || preparing.value) return <StartPanel />;
  const now = mode.value;
  return (
    <div class="path-panel">
      <div class="path-head">
        <Segmented label="What to walk" hideLabel value={now} options={MODES} onChange={(value) => (mode.value = value as Mode)} />
        {graphs.value.length > 1 && (
          <Select
            label="Graph"
            value={graph.value.id}
            options={graphs.value.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(id) => select({ graph: id })}
          />
        )}
      </div>
      <div class="path-body" key={now}>
        {now === "path" && <PathPanel />}
        {now === "random" && <RandomPanel />}
        {now === "sequence" && <SequencePanel />}
        {now === "path" && <LabelsPanel />}
        <MotionPanel />
        {now === "path" && <PreferencePanel />}
        <ComparePanel />
        <MadeOf />
      </div>
      <div class="path-foot">
        <ResultPanel />
      </div>
    </div>
  );
}

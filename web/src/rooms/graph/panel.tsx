/** The room's panel: the graphs of the workspace, or the making of a new one. */

import type { JSX } from "preact";
import { Segmented } from "../../ui";
import { BuildTab } from "./build-tab";
import { GraphsTab } from "./graphs-tab";
import { tab } from "./model";

const TABS = [
  { value: "graphs", label: "Graphs" },
  { value: "build", label: "New graph" },
];

/** Two tabs, of which the last shown comes back. */
export function Panel(): JSX.Element {
  return (
    <div class="graph-panel">
      <Segmented label="Panel" hideLabel value={tab.value} options={TABS} onChange={(next) => (tab.value = next as typeof tab.value)} />
      {tab.value === "graphs" ? <GraphsTab /> : <BuildTab />}
    </div>
  );
}

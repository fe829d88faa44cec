/** The panel of the repath room. */

import { clips, goTo, selection } from "../../state/store";
import { Button, Empty, Notice, Select, sentenceCase } from "../../ui";
import { GroundSection } from "./ground-section";
import { choose, opened, problem } from "./model";
import { ExpertSection, MotionSection } from "./motion-section";
import { PathSection } from "./path-section";
import { ResultFoot } from "./result-section";
import "./repath.css";

/** Clip, path, motion, ground and result. */
export function Panel() {
  const readable = clips.value.filter((clip) => !clip.info?.error);
  if (readable.length === 0)
    return (
      <Empty icon="repath" title="No clips yet" text="A clip can be bent along any path. Add some in the library, or take the built-in ones there.">
        <Button kind="primary" onClick={() => goTo("library")}>Open the library</Button>
      </Empty>
    );
  return (
    <div class="path-panel">
      <div class="path-head">
        <Select
          label="Clip"
          value={selection.value.clip ?? ""}
          options={readable.map((clip) => ({ value: clip.id, label: clip.name }))}
          onChange={choose}
          placeholder="Choose a clip…"
        />
      </div>
      <div class="path-body">
        {selection.value.clip === null && <Empty icon="repath" title="Which clip?" text="Choose the clip whose path you want to bend." />}
        {problem.value && (
          <div class="repath-problem">
            <Notice kind="error">{sentenceCase(problem.value)}</Notice>
          </div>
        )}
        {opened.value && (
          <>
            <PathSection />
            <MotionSection />
            <GroundSection />
            <ExpertSection />
          </>
        )}
      </div>
      {opened.value && (
        <div class="path-foot">
          <ResultFoot />
        </div>
      )}
    </div>
  );
}

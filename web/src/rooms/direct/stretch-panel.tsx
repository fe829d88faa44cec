/** A stretch of the scene, made anew while all else stays as it is. */

import { Button, ExactField, Notice, Section, sentenceCase } from "../../ui";
import { choosePart } from "./actions";
import { asItWas, canStretch, makeAnew } from "./search";
import { anew, refused, scene, seed, stretch } from "./state";

export function StretchSection() {
  const now = stretch.value;
  const before = anew.value;
  if (!now && !before) return null;
  const outside = (value: number): string | null => (value >= 0 && value <= scene.value.seconds ? null : `Seconds from 0 to ${scene.value.seconds}.`);
  return (
    <Section title="Stretch">
      {now && (
        <>
          <ExactField label="From" value={now.from} step={0.1} unit="s" refuse={outside} onChange={(from) => choosePart({ ...now, from: from! }, true)} />
          <ExactField label="To" value={now.to} step={0.1} unit="s" refuse={outside} onChange={(to) => choosePart({ ...now, to: to! }, true)} />
          <Button kind="primary" wide icon="dice" title="R" disabled={!canStretch()} onClick={makeAnew}>
            Make this stretch anew
          </Button>
          {refused.value && <Notice kind="error">{sentenceCase(refused.value)}</Notice>}
        </>
      )}
      {before && (
        <>
          <p data-anew={before.stretch}>
            From {before.stretch.replace("-", " to ")} s: variation {before.seed}. All else: variation {seed.value}.
          </p>
          <Button small icon="undo" disabled={!canStretch()} onClick={asItWas}>
            As it was
          </Button>
        </>
      )}
      <p class="faint">One stretch at a time: another one, or any change to the scene, begins from the whole again and forgets this one.</p>
    </Section>
  );
}

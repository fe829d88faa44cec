/** The panel of the strike room. */

import { useSignal } from "@preact/signals";
import { clips, server } from "../../state/store";
import { Button, Empty, IconButton, Notice, NumberField, Progress, Section, Select, sentenceCase, Slider, Toggle } from "../../ui";
import { Builder, BuildProgress } from "./builder";
import { buildFromSamples, job, said, SAMPLED, starting } from "./build";
import { aim, aimAtMiddle, ahead, chosen, choose, depths, detail, extent, joining, plural, problem, setDeep, setMirror, settings, type Settings, spaces, target, tip } from "./model";
import { JoinSection } from "./join-section";
import { ResultSection } from "./result-section";
import "./strike.css";

/** The space, the target, what came of it; and how another space is built. */
export function Panel() {
  const building = useSignal(false);
  if (!server.value) return null;
  if (spaces.value.length === 0) return <FirstSpace />;
  return (
    <>
      <div class="strike-space">
        <Select
          label="Space"
          hideLabel
          value={chosen.value ? `${chosen.value.id} ${chosen.value.space}` : ""}
          options={spaces.value.map((each) => ({ value: `${each.id} ${each.space}`, label: `${each.space}: ${each.strikes} ${plural(each.kind)}` }))}
          onChange={(key) => {
            const found = spaces.value.find((each) => `${each.id} ${each.space}` === key);
            if (found) choose(found);
          }}
        />
        <Button icon="plus" label="New space" title="Build another space" pressed={building.value} onClick={() => (building.value = !building.value)}>New</Button>
      </div>
      {job.value && <BuildProgress job={job.value} />}
      {building.value && !job.value && <Builder done={() => (building.value = false)} />}
      {problem.value && (
        <div class="strike-problem">
          <Notice kind="error">{sentenceCase(problem.value)}</Notice>
        </div>
      )}
      {detail.value && (
        <>
          <TargetSection />
          <JoinSection />
          <ResultSection />
          {said.value.length > 0 && (
            <Section title="How the space was built" closed>
              {said.value.map((notice) => (
                <Notice key={notice}>{sentenceCase(notice)}</Notice>
              ))}
            </Section>
          )}
        </>
      )}
    </>
  );
}

/** Nothing to strike with yet: one click builds a space of the built-in strikes. */
function FirstSpace() {
  const own = clips.value.length > 0;
  return (
    <>
      <Empty
        icon="strike"
        title="No space of strikes yet"
        text="A few captured punches or kicks make a space: then any point between and around them can be hit. Begin with the built-in ones, or choose clips of your own."
      >
        {job.value === null && (
          <>
            {SAMPLED.map((kind, index) => (
              <Button key={kind} kind={index === 0 ? "primary" : "plain"} disabled={starting.value} onClick={() => void buildFromSamples(kind)}>
                Sample {plural(kind)}
              </Button>
            ))}
          </>
        )}
      </Empty>
      {job.value && <BuildProgress job={job.value} />}
      {starting.value && !job.value && (
        <div class="strike-progress">
          <Progress value={null} label="The built-in clips" />
          <span class="faint">The built-in clips are being written.</span>
        </div>
      )}
      {own && !job.value && !starting.value && <Builder />}
    </>
  );
}

function TargetSection() {
  const spot = target.value;
  const now = settings.value;
  const range = depths.value;
  return (
    <Section title="Target" aside={<IconButton icon="target" label="Aim at the middle" shortcut="C" onClick={aimAtMiddle} />}>
      {spot && (
        <>
          <NumberField label="To the left" value={spot[0]} step={0.01} digits={2} unit="m" min={extent.value?.low[0]} max={extent.value?.high[0]} onChange={(x) => aim([x, spot[1]])} />
          <NumberField label="Up" value={spot[1]} step={0.01} digits={2} unit="m" min={extent.value?.low[1]} max={extent.value?.high[1]} onChange={(y) => aim([spot[0], y])} />
          <Toggle label="Set the distance too" hint="Otherwise the strike hits as far ahead as it likes" value={now.deep} onChange={setDeep} />
          {now.deep && (
            <Slider
              label="Ahead"
              value={ahead.value}
              min={Math.max(0.1, Math.floor(20 * (range.least - 0.15)) / 20)}
              max={Math.ceil(20 * (range.most + 0.15)) / 20}
              step={0.005}
              unit="m"
              format={(value) => `${value.toFixed(2)}\u202fm`}
              onInput={(value) => (ahead.value = value)}
            />
          )}
        </>
      )}
      {/* whoever walks up to it strikes with the hand of the space, as it chooses */}
      {joining.value.on ? null : <Method />}
    </Section>
  );
}

/** How it is made, and with which hand or foot. */
function Method() {
  const now = settings.value;
  return (
    <>
      <Select
        label="Method"
        value={now.method}
        options={[
          { value: "auto", label: "Auto", hint: "What comes nearer to the captured strikes: a blend, or the nearest one bent onto the target" },
          { value: "blend", label: "Blend", hint: "Whole strikes are weighed" },
          { value: "nearest", label: "Nearest", hint: "The strike that hits nearest is bent onto the target" },
          { value: "partial", label: "Parts", hint: "Beyond the region, parts of the body are spliced" },
        ]}
        onChange={(method) => (settings.value = { ...now, method: method as Settings["method"] })}
      />
      <Toggle label={`With the other ${tip.value}`} value={now.mirror} onChange={setMirror} />
    </>
  );
}

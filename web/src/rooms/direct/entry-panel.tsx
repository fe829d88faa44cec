/** The entry that is chosen, as fields: numbers are kept as they are typed, or refused with a reason. */

import { Button, ExactField, IconButton, Notice, Row, Section, Segmented, Select, sentenceCase, TextField, Toggle } from "../../ui";
import { change, nudge, remove } from "./actions";
import { told, toldHit } from "./blame";
import { entryOf, neat, numberOf, type Along, type Key, type Label, type Obstacle, type Pin, type PoseKey, type StrikeKey, type Tables, type Wait } from "./scene";
import { chosen, clipNames, graphDetail, labels, missed, scene, spaces, struck, wrongOf } from "./state";

const TITLES = { key: "Place", label: "Label", wait: "Wait", pose: "Pose", strike: "Strike", clip: "Clip", path: "Path", obstacle: "Obstacle" } as const;
const how = (byKey: boolean) => (byKey ? "key" : "end");

/** The section of what is chosen; nothing where nothing is. */
export function EntryPanel() {
  const now = chosen.value;
  const entry = now && entryOf(scene.value, now.kind, now.id);
  if (!now || !entry) return null;
  const title = `${TITLES[now.kind]} ${numberOf(scene.value, now.kind, now.id)}`;
  const wrong = wrongOf(now.kind, now.id);
  return (
    <Section
      title={title}
      fixed
      aside={
        <>
          <IconButton icon="trash" label={`Delete ${title.toLowerCase()}`} shortcut="Delete" onClick={() => remove(now)} />
          <IconButton icon="close" label="Choose nothing" shortcut="Esc" onClick={() => (chosen.value = null)} />
        </>
      }
    >
      {wrong && <Notice kind="error">{sentenceCase(wrong)}</Notice>}
      {now.kind === "key" && <KeyFields key={now.id} one={entry as Key} />}
      {now.kind === "label" && <LabelFields key={now.id} one={entry as Label} />}
      {now.kind === "wait" && <Span key={now.id} kind="wait" one={entry as Wait} />}
      {now.kind === "pose" && <PoseFields key={now.id} one={entry as PoseKey} />}
      {now.kind === "strike" && <StrikeFields key={now.id} one={entry as StrikeKey} />}
      {now.kind === "clip" && <PinFields key={now.id} one={entry as Pin} />}
      {now.kind === "path" && <Span key={now.id} kind="path" one={entry as Along} />}
      {now.kind === "obstacle" && <ObstacleFields key={now.id} one={entry as Obstacle} />}
    </Section>
  );
}

const WHEN = [
  { value: "time", label: "At", hint: "At one moment" },
  { value: "window", label: "Within", hint: "Whenever it suits between two moments" },
  { value: "any", label: "Whenever", hint: "Whenever it suits" },
];

/** Arrow keys on the place: the floor as the first view has it. */
function arrows(event: KeyboardEvent): void {
  const step = event.shiftKey ? 0.5 : 0.05;
  const by = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[event.key];
  if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
  nudge(by[0]!, by[1]!);
  event.preventDefault();
  event.stopPropagation();
}

function KeyFields({ one }: { one: Key }) {
  const miss = missed.value.get(one.id);
  const when = one.time !== null ? "time" : one.window ? "window" : "any";
  const number = numberOf(scene.value, "key", one.id);
  const end = scene.value.seconds;
  const set = (to: string): void => {
    const at = one.time ?? miss?.time ?? one.window?.[0] ?? end / 2;
    if (to === "time") change("key", one.id, { time: neat(at, 3), window: null });
    else if (to === "window") change("key", one.id, { time: null, window: [neat(Math.max(at - 1, 0)), neat(Math.min(at + 1, end))] });
    else change("key", one.id, { time: null, window: null });
  };
  return (
    <>
      <Segmented label="When" value={when} options={WHEN} onChange={set} />
      {when === "time" && <ExactField label="Time" value={one.time} step={0.1} unit="s" onChange={(time, byKey) => change("key", one.id, { time }, how(byKey))} />}
      {when === "window" && (
        <div class="direct-pair">
          <ExactField label="From" value={one.window![0]} step={0.1} unit="s" onChange={(from, byKey) => change("key", one.id, { window: [from!, one.window![1]] }, how(byKey))} />
          <ExactField label="To" value={one.window![1]} step={0.1} unit="s" onChange={(to, byKey) => change("key", one.id, { window: [one.window![0], to!] }, how(byKey))} />
        </div>
      )}
      <div class="direct-pair">
        <ExactField label="x" value={one.at[0]} step={0.05} unit="m" onChange={(x, byKey) => change("key", one.id, { at: [x!, one.at[1]] }, how(byKey))} />
        <ExactField label="z" value={one.at[1]} step={0.05} unit="m" onChange={(z, byKey) => change("key", one.id, { at: [one.at[0], z!] }, how(byKey))} />
      </div>
      <ExactField
        label="Heading"
        value={one.heading}
        empty="any"
        step={5}
        unit="°"
        onChange={(heading, byKey) => change("key", one.id, { heading }, how(byKey))}
        aside={<IconButton icon="close" label="Any heading" disabled={one.heading === null} onClick={() => change("key", one.id, { heading: null })} />}
      />
      <Row label="On the floor">
        <div class="direct-nudge" role="group" tabIndex={0} aria-label="Move this place: arrow keys go 5 cm, with Shift half a metre" onKeyDown={arrows}>
          <span aria-hidden="true">← ↑ ↓ → 5 cm, Shift 50</span>
        </div>
      </Row>
      <Toggle label="Must be met" value={one.hard} hint="Off: it draws the search, but the motion is not bent for it" onChange={(hard) => change("key", one.id, { hard })} />
      {miss && (
        <p class="direct-miss" data-met={miss.met}>
          {told(miss, number)}
        </p>
      )}
    </>
  );
}

function Span({ kind, one }: { kind: "label" | "wait" | "clip" | "path"; one: Tables["label" | "wait" | "clip" | "path"] }) {
  return (
    <div class="direct-pair">
      <ExactField label="From" value={one.from} step={0.1} unit="s" onChange={(from, byKey) => change(kind, one.id, { from: from! }, how(byKey))} />
      <ExactField label="To" value={one.to} step={0.1} unit="s" onChange={(to, byKey) => change(kind, one.id, { to: to! }, how(byKey))} />
    </div>
  );
}

const HOW_MUCH = [
  { value: "must", label: "Must", hint: "The motion bears it" },
  { value: "not", label: "Not", hint: "The motion does not bear it" },
  { value: "may", label: "May", hint: "As good as what other labels ask for then" },
];

function LabelFields({ one }: { one: Label }) {
  return (
    <>
      <TextField label="Name" value={one.name} list={[...labels.value]} placeholder="walk, walk+happy, !run" onChange={(name) => name.trim() && change("label", one.id, { name: name.trim() })} />
      <Span kind="label" one={one} />
      <Segmented label="Be" value={one.may ? "may" : one.not ? "not" : "must"} options={HOW_MUCH} onChange={(to) => change("label", one.id, { not: to === "not", may: to === "may" })} />
    </>
  );
}

function PoseFields({ one }: { one: PoseKey }) {
  const frames = graphDetail.value?.clips.find((clip) => clip.name === one.clip)?.frames ?? 0;
  const whole = (value: number): string | null => (Number.isInteger(value) ? null : "A frame is a whole number.");
  return (
    <>
      <Select label="Clip" value={one.clip} options={clipNames.value} onChange={(clip) => change("pose", one.id, { clip })} />
      <ExactField label={frames ? `Frame of ${frames}` : "Frame"} value={one.frame} step={1} refuse={whole} onChange={(frame, byKey) => change("pose", one.id, { frame: frame! }, how(byKey))} />
      <ExactField label="Time" value={one.time} step={0.1} unit="s" onChange={(time, byKey) => change("pose", one.id, { time: time! }, how(byKey))} />
    </>
  );
}

function StrikeFields({ one }: { one: StrikeKey }) {
  const hit = struck.value.get(one.id);
  const set = (axis: number, value: number, byKey: boolean): void => {
    const [x, y, z] = one.target.map((old, at) => (at === axis ? value : old));
    change("strike", one.id, { target: [x!, y!, z!] }, how(byKey));
  };
  return (
    <>
      <ExactField label="Time" value={one.time} step={0.1} unit="s" onChange={(time, byKey) => change("strike", one.id, { time: time! }, how(byKey))} />
      <div class="direct-pair">
        {["x", "y", "z"].map((axis, index) => (
          <ExactField key={axis} label={axis} value={one.target[index]!} step={0.05} unit="m" onChange={(value, byKey) => set(index, value!, byKey)} />
        ))}
      </div>
      {spaces.value.length > 1 && <Select label="By" value={one.by ?? ""} options={spaces.value} onChange={(by) => change("strike", one.id, { by })} />}
      {hit && (
        <p class="direct-miss" data-met={hit.met}>
          {toldHit(hit, numberOf(scene.value, "strike", one.id))}
        </p>
      )}
    </>
  );
}

function PinFields({ one }: { one: Pin }) {
  return (
    <>
      <Select label="Clip" value={one.name} options={clipNames.value} onChange={(name) => change("clip", one.id, { name })} />
      <Span kind="clip" one={one} />
    </>
  );
}

function ObstacleFields({ one }: { one: Obstacle }) {
  const name = one.disc ? "disc" : "box";
  const values = one.disc ?? one.box!;
  const names = one.disc ? ["x", "z", "Radius"] : ["x", "z", "Width", "Depth"];
  const set = (index: number, value: number, byKey: boolean): void => {
    const next = values.map((old, at) => (at === index ? value : old));
    change("obstacle", one.id, { [name]: next } as Partial<Obstacle>, how(byKey));
  };
  return (
    <div class="direct-pair">
      {names.map((label, index) => (
        <ExactField key={label} label={label} value={values[index]!} step={0.05} unit="m" onChange={(value, byKey) => set(index, value!, byKey)} />
      ))}
    </div>
  );
}

/** What can be added at the playhead, without a mouse. */
export function AddButtons({ add }: { add: readonly { label: string; icon: string; run(): void }[] }) {
  return (
    <div class="direct-add" role="group" aria-label="Add at the playhead">
      {add.map((one) => (
        <Button key={one.label} small icon={one.icon} onClick={one.run} label={`Add a ${one.label.toLowerCase()} at the playhead`}>
          {one.label}
        </Button>
      ))}
    </div>
  );
}

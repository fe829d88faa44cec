/** The panel of the room: the scenario, how it is shown, how it went, and what is done with it. */
import { useState } from "preact/hooks";
import type { Entry } from "../../api/types";
import * as playback from "../../state/playback";
import { clips, goTo, select } from "../../state/store";
import { Button, Empty, Facts, fileName, IconButton, NumberField, Notice, Section, Segmented, Select, sentenceCase, TextField, Toggle } from "../../ui";
import { ofGroup, SPEEDS, UNDER_WAY, WAITING } from "./colours";
import { changed, lacks, lengthOf, withoutGroup, withoutWall } from "./drawing";
import { edit, keep, start, stop, write } from "./session";
import {
  chosen, colourBy, count, density, draw, drawing, DRAWN, graph, graphs, group, isBusy, isDrawn, kept, keptValue, MOST, NAMED, person, problem, report, run, scenario, scene, seconds, seed, stage,
  there, type ColourBy,
} from "./state"; // prettier-ignore
import "./crowd.css";

const COLOURS = [
  { value: "group", label: "Group" },
  { value: "speed", label: "Speed" },
  { value: "waiting", label: "Waiting" },
];

export function Panel() {
  if (!graph.value) return <Nobody />;
  return (
    <div class="crowd">
      <div class="panel-scroll">
        <ScenarioSection />
        {isDrawn.value && <DrawnSection />}
        {run.value && <ShowSection />}
        {report.value && <ReportSection />}
        {run.value && stage.value === "done" && <ExportSection />}
      </div>
      <footer class="crowd-foot">
        {problem.value && <Notice kind="error">{sentenceCase(problem.value)}</Notice>}
        {isBusy.value ? (
          <Button kind="danger" wide icon="pause" onClick={stop}>Stop</Button>
        ) : (
          <Button kind="primary" wide icon="play" disabled={!scenario.value} title={isDrawn.value ? (lacks(drawing.value) ?? undefined) : undefined} onClick={start}>Run</Button>
        )}
      </footer>
    </div>
  );
}

function Nobody() {
  return (
    <Empty icon="crowd" title="Many people at once" text="For that, clips must be joined to a motion graph with walking and standing. Follow makes a first one of the samples, or of your clips.">
      <Button kind="primary" wide onClick={() => goTo("follow")}>Make a graph in Follow</Button>
      {clips.value.length > 0 && <Button kind="quiet" wide onClick={() => goTo("graph")}>Choose clips in the Graph room</Button>}
    </Empty>
  );
}

function ScenarioSection() {
  const own = kept.value.map(({ id, name }) => ({ value: keptValue(id), label: name }));
  const named = NAMED.find((one) => one.value === chosen.value);
  return (
    <Section title="Scenario" fixed>
      {graphs.value.length > 1 && <Select label="Graph" value={graph.value!.id} options={graphs.value.map(({ id, name }) => ({ value: id, label: name }))} onChange={(id) => select({ graph: id })} />}
      <Select label="Scenario" value={chosen.value} options={[...NAMED, ...own, { value: DRAWN, label: "Drawn by hand" }]} onChange={(value) => (chosen.value = value)} />
      {named && <p class="faint">{named.hint}</p>}
      {named && <NumberField label="People" value={count.value} min={1} max={MOST} onChange={(value) => (count.value = Math.round(value))} />}
      <NumberField label="Seconds at most" value={seconds.value} min={1} max={600} unit="s" onChange={(value) => (seconds.value = value)} />
      <NumberField label="Variation" value={seed.value} min={0} max={2 ** 31} onChange={(value) => (seed.value = Math.round(value))} />
      {!isDrawn.value && (
        <Button kind="quiet" wide icon="edit" disabled={!scenario.value || isBusy.value} onClick={() => void edit()} title="Take its walls and groups into the drawing, to be changed there">
          Change it by hand
        </Button>
      )}
      <Keep />
    </Section>
  );
}

function Keep() {
  const [name, setName] = useState<string | null>(null);
  const usual = scene.value?.name ?? "scenario";
  if (name === null)
    return (
      <Button kind="quiet" wide icon="keep" disabled={!scenario.value || !!scenario.value.kept} onClick={() => setName(usual)} title="Write it to the workspace, as every command takes it">
        Save this scenario…
      </Button>
    );
  const done = (): void => {
    setName(null);
    void keep(fileName(name, "scenario"));
  };
  return (
    <div class="crowd-row">
      <TextField label="Name" hideLabel live value={name} onChange={setName} onEnter={done} />
      <Button icon="keep" onClick={done}>Save</Button>
      <IconButton icon="close" label="Do not save it" onClick={() => setName(null)} />
    </div>
  );
}

/** Groups and walls as a list: what a mouse draws, keys change and delete. */
function DrawnSection() {
  const { groups, walls } = drawing.value;
  return (
    <Section title="Drawing" fixed aside={<span class="count">{scene.value?.people ?? 0} people</span>}>
      {groups.length === 0 && walls.length === 0 && <p class="faint">Draw on the floor: walls, a box from which people start, and one to which they go.</p>}
      {groups.map((one, index) => (
        <div class="crowd-row" key={index}>
          <label class="crowd-group" title="Boxes that are drawn as goals are for this group">
            <input type="radio" name="crowd-group" checked={group.value === index} onClick={() => (group.value = group.value === index ? null : index)} />
            <i style={{ background: `var(--${ofGroup(index)})` }} />
            {one.name || `Group ${index + 1}`}
            {!one.goal && <small class="faint">no goal yet</small>}
          </label>
          <NumberField label={`People of group ${index + 1}`} hideLabel value={one.count} min={1} max={MOST} onChange={(value) => draw(changed(drawing.value, index, { count: Math.round(value) }))} />
          <IconButton icon="trash" label={`Delete group ${index + 1}`} onClick={() => { group.value = null; draw(withoutGroup(drawing.value, index)); }} />
        </div>
      ))}
      {walls.map((wall, index) => (
        <div class="crowd-row" key={index}>
          <span class="crowd-group">Wall {index + 1}<small class="faint">{lengthOf(wall).toFixed(1)} m</small></span>
          <IconButton icon="trash" label={`Delete wall ${index + 1}`} onClick={() => draw(withoutWall(drawing.value, index))} />
        </div>
      ))}
    </Section>
  );
}

function ShowSection() {
  return (
    <Section title="Shown" fixed>
      <Segmented label="Colour" value={colourBy.value} options={COLOURS} onChange={(value) => (colourBy.value = value as ColourBy)} />
      <Legend />
      <Toggle label="Density on the floor" value={density.value} onChange={(on) => (density.value = on)} />
      <Person />
    </Section>
  );
}

function Legend() {
  if (colourBy.value === "group") {
    const groups = run.value!.facts.scene.groups;
    return <p class="crowd-legend">{groups.slice(0, 8).map((one, index) => <span key={index}><i style={{ background: `var(--${ofGroup(index)})` }} />{one.name} ({one.count})</span>)}</p>;
  }
  if (colourBy.value === "waiting") return <p class="crowd-legend"><span><i style={{ background: `var(--${WAITING})` }} />waits</span><span><i style={{ background: `var(--${UNDER_WAY})` }} />goes, or has arrived</span></p>; // prettier-ignore
  return <p class="crowd-legend">{SPEEDS.map(({ speed, colour }) => <span key={speed}><i style={{ background: colour }} />{speed.toFixed(1)} m/s</span>)}</p>;
}

/** The one who is looked at. */
function Person() {
  const { frames, facts } = run.value!;
  const who = person.value;
  void there.value;
  if (who === null || !frames.count) return <p class="faint">Click somebody on the stage to go along with them.</p>;
  const frame = frames.frameAt(playback.time.value);
  const doing = !frames.isThere(frame, who) ? "has left" : frames.arrived(frame, who) ? "has arrived" : frames.waits(frame, who) ? "waits" : "goes";
  return (
    <div class="crowd-person">
      <Facts items={[["Person", `${who}, ${facts.scene.groups[facts.group[who]!]?.name ?? ""}`], ["Now", `${doing}, ${frames.speed(frame, who).toFixed(1)} m/s`]]} />
      <Button small kind="quiet" icon="close" onClick={() => (person.value = null)}>Let them go</Button>
    </div>
  );
}

function ReportSection() {
  const now = report.value!;
  const share = 100 * now.above_2cm;
  return (
    <Section title="Report" fixed>
      <div data-arrived={now.arrived} data-people={now.people}>
        <Facts
          items={[
            ["Arrived", `${now.arrived} of ${now.people}`],
            ["After", now.arrival_s === null ? "–" : `${now.arrival_s.toFixed(1)} s on average`],
            ["Waited", `${now.waited_s.toFixed(1)} s on average, ${now.waited_most_s.toFixed(1)} s at most`],
            ["Touched", <span title="How deep one trunk was in another at most, and in what share of all frames by more than 2 cm">{now.deepest_cm > 0 ? `${now.deepest_cm.toFixed(1)} cm at most (${share.toFixed(2)} %)` : "nobody"}</span>],
            ["Near misses", String(now.near_misses)],
            ["Densest", `${now.density.toFixed(2)} people/m²`],
          ]}
        />
      </div>
      {now.notices.map((notice) => <Notice key={notice} kind="warn">{sentenceCase(notice)}</Notice>)}
    </Section>
  );
}

function ExportSection() {
  const { facts } = run.value!;
  const [format, setFormat] = useState(".glb");
  const [busy, setBusy] = useState(false);
  const [written, setWritten] = useState<Entry | null>(null);
  const why = facts.formats.find((one) => one.suffix === format)?.why;
  const go = async (): Promise<void> => {
    setBusy(true);
    setWritten(null);
    setWritten(await write(fileName(`${facts.scene.name} ${facts.people}`, "crowd"), format));
    setBusy(false);
  };
  return (
    <Section title="Export" fixed>
      <Select label="Format" value={format} options={facts.formats.map(({ suffix, name }) => ({ value: suffix, label: `${name} (${suffix})` }))} onChange={setFormat} />
      {why && <Notice kind="warn">{sentenceCase(why)}</Notice>}
      <Button wide icon="export" disabled={busy || !!why} onClick={() => void go()}>{busy ? "Writing…" : "Export everybody"}</Button>
      {written && (
        <a class="crowd-file" href={`/api/exports/${written.id}/file`} download>
          {written.file}
        </a>
      )}
    </Section>
  );
}

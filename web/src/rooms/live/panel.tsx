/** The panel of the room: what to do, what is recorded, how well it goes. */
import { useEffect, useState } from "preact/hooks";
import { KeepResult } from "../../shell/keep-result";
import { clips, goTo, select } from "../../state/store";
import { Button, classes, Empty, Facts, Notice, Section, Segmented, Select, sentenceCase } from "../../ui";
import { wishLabel } from "./hands";
import { act, startAgain, takeNow, toggleRecording, tryAgain } from "./session";
import {
  acting, actions, contact, facing, figures, graph, graphs, label, labels, learning, notices, numbered, problem, recording, speeds, take, taking, type Facing,
} from "./state"; // prettier-ignore
import "./live.css";

const FACINGS = [
  { value: "way", label: "Own way", hint: "Where it goes" },
  { value: "camera", label: "Camera's", hint: "Away from the camera, whatever the way: sideways and backwards too" },
];

/** What to do above, figures below. */
export function Panel() {
  if (!graph.value) return <Nobody />;
  return (
    <div class="live">
      <div class="panel-scroll">
        {graphs.value.length > 1 && (
          <div class="live-graph">
            <Select label="Graph" value={graph.value.id} options={graphs.value.map(({ id, name }) => ({ value: id, label: name }))} onChange={(id) => select({ graph: id })} />
          </div>
        )}
        {contact.value === "refused" && (
          <div class="live-graph">
            <Notice kind="error">
              <p>{problem.value}</p>
              <Button small onClick={tryAgain}>Try again</Button>
            </Notice>
          </div>
        )}
        {notices.value.length > 0 && (
          <div class="live-graph">
            {notices.value.map((notice) => <Notice key={notice} kind="warn">{sentenceCase(notice)}</Notice>)}
          </div>
        )}
        <Doing />
        <Recording />
        <Now />
        <Keys />
        <Meter />
      </div>
    </div>
  );
}

function Nobody() {
  return (
    <Empty icon="live" title="Steer somebody" text="For that, clips must be joined to a motion graph. Follow makes a first one of the samples, or of your clips.">
      <Button kind="primary" wide onClick={() => goTo("follow")}>Make a graph in Follow</Button>
      {clips.value.length > 0 && <Button kind="quiet" wide onClick={() => goTo("graph")}>Choose clips in the Graph room</Button>}
    </Empty>
  );
}

const keyOf = (kind: "label" | "action", name: string): string | undefined => numbered.value.find((one) => one.kind === kind && one.name === name)?.key;

function Doing() {
  const ready = contact.value === "open";
  return (
    <Section title="Doing" fixed>
      <div class="live-words" role="group" aria-label="Labels">
        {["", ...labels.value].map((name) => (
          <Word key={name} name={name || "anything"} number={keyOf("label", name)} on={label.value === name} busy={learning.value !== null && learning.value === name && name !== ""} disabled={!ready} onClick={() => wishLabel(name)} />
        ))}
      </div>
      {actions.value.length > 0 && (
        <>
          <h4 class="live-head">Once</h4>
          <div class="live-words" role="group" aria-label="Actions">
            {actions.value.map((name) => (
              <Word key={name} name={name} number={keyOf("action", name)} on={acting.value === name} busy={learning.value === name} disabled={!ready} onClick={() => act(name)} />
            ))}
          </div>
        </>
      )}
      <Segmented label="Faces" value={facing.value} options={FACINGS} onChange={(value) => (facing.value = value as Facing)} />
    </Section>
  );
}

interface WordProps {
  name: string;
  number: string | undefined;
  on: boolean;
  /** its values are being worked out */
  busy: boolean;
  disabled: boolean;
  onClick: () => void;
}

function Word({ name, number, on, busy, disabled, onClick }: WordProps) {
  return (
    <button type="button" class={classes("live-word", on && "on", busy && "busy")} aria-pressed={on} aria-busy={busy} aria-keyshortcuts={number} disabled={disabled} onClick={onClick}>
      {name.replaceAll("_", " ")}
      {number && <kbd>{number}</kbd>}
    </button>
  );
}

function Recording() {
  const ready = contact.value === "open";
  const on = recording.value !== null;
  const made = take.value;
  return (
    <Section title="Take" fixed aside={on ? <Clock since={recording.value!} /> : undefined}>
      <div class="live-buttons">
        <Button kind={on ? "danger" : "plain"} icon={on ? "pause" : "record"} disabled={!ready || taking.value} onClick={toggleRecording} title={on ? "Make a motion of it (R)" : "Set out anew and record (R)"}>
          {on ? "Stop" : "Record"}
        </Button>
        <Button kind="quiet" icon="undo" disabled={!ready} onClick={startAgain} title="Stand at the middle again (Backspace)">Set out anew</Button>
      </div>
      {!on && (
        <Button kind="quiet" wide disabled={!ready || taking.value} onClick={takeNow} title="Make a motion of all since the person set out (K)">
          {taking.value ? "Making a motion of it…" : "Take what was steered so far"}
        </Button>
      )}
      {made && !on && !taking.value && (
        <div class="live-take">
          <p>{made.seconds.toFixed(1)} s, {made.metres.toFixed(1)} m. Keep it in the workspace, or export it as a file.</p>
          <KeepResult id={made.id} title={made.title} />
        </div>
      )}
    </Section>
  );
}

function Clock({ since }: { since: number }) {
  const [, again] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => again((count) => count + 1), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((performance.now() - since) / 1000));
  return <span class="live-clock">{`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`}</span>;
}

const told = (value: number | null | undefined, digits: number, unit: string): string => (value === null || value === undefined ? "–" : `${value.toFixed(digits)} ${unit}`);

function Now() {
  return (
    <Section title="Now" fixed>
      <Facts items={[["Speed", told(figures.value.speed, 1, "m/s")]]} />
    </Section>
  );
}

function Meter() {
  const { response, slide, cost } = figures.value;
  return (
    <div data-response={response?.last} data-p95={response?.p95}>
      <Section title="How quick it is" closed>
        <Facts
          items={[
            ["Answers after", <span title="From the hand to the first pose that was stepped by it; the time that 19 of the last 20 keep">{`${told(response?.last, 0, "ms")}${response ? `, mostly ${response.p95.toFixed(0)} at most` : ""}`}</span>],
            ["Feet slide", <span title="Of feet that are held, at most, in the last five seconds">{told(slide, 2, "mm")}</span>],
            ["A frame costs", <span title="On average, on the server">{told(cost, 0, "µs")}</span>],
          ]}
        />
      </Section>
    </div>
  );
}

function Keys() {
  const { walk, run } = speeds.value;
  return (
    <Section title="How to steer">
      <dl class="live-keys">
        <div class="live-fingers"><dt>Stick</dt><dd>go; pushed to its edge, run</dd></div>
        <div class="live-fingers"><dt>Tap the floor</dt><dd>go there</dd></div>
        <div><dt><kbd>W</kbd><kbd>A</kbd><kbd>S</kbd><kbd>D</kbd> or arrows</dt><dd>go, at {walk.toFixed(1)} m/s</dd></div>
        <div><dt><kbd>Shift</kbd></dt><dd>run, at {run.toFixed(1)} m/s</dd></div>
        <div><dt>Click on the floor</dt><dd>go there</dd></div>
        <div><dt>Drag on the floor</dt><dd>lead the way</dd></div>
        <div><dt>Right drag, wheel</dt><dd>the camera</dd></div>
        <div><dt><kbd>R</kbd></dt><dd>record, and stop</dd></div>
        <div><dt><kbd>C</kbd></dt><dd>face away from the camera, or the way</dd></div>
        <div><dt>Gamepad</dt><dd>left stick goes, right stick faces, A B X Y act, Start records</dd></div>
      </dl>
    </Section>
  );
}

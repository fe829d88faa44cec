/** The panel of the room: the scene as a whole, what is chosen, its keys, and what came of it. */

import { useEffect, useRef, useState } from "preact/hooks";
import { KeepResult } from "../../shell/keep-result";
import { SaveAs } from "../../shell/save-as";
import * as playback from "../../state/playback";
import { clips, goTo, select } from "../../state/store";
import { Button, Dialog, Empty, ExactField, IconButton, labelColour, Menu, Notice, Section, Select, sentenceCase, Toggle } from "../../ui";
import { addHere, addMoment, addStrike, choose, paintLabel } from "./actions";
import { short } from "./blame";
import { AddButtons, EntryPanel } from "./entry-panel";
import { copyRecipe, copyToml, discard, download, list, openFile, openKept, save } from "./files";
import { askAgain, openExample, playNext } from "./search";
import { EMPTY } from "./scene";
import { StretchSection } from "./stretch-panel";
import { answer, brush, chosen, edit, graph, graphs, kept, labels, missed, scene, sceneOf, searching, seed, spaces, struck, trouble, words, wrong, wrongOf } from "./state";
import "./direct.css";

export function Panel() {
  if (!graph.value) return <Nobody />;
  return (
    <div class="direct">
      <div class="panel-scroll">
        <SceneSection />
        <StretchSection />
        <EntryPanel />
        <KeysSection />
        <LabelsSection />
        <ObstaclesSection />
      </div>
      <Result />
    </div>
  );
}

function Nobody() {
  return (
    <Empty icon="direct" title="Say what happens where and when" text="For that, clips must be joined to a motion graph. Follow makes a first one of the samples, or of your clips.">
      <Button kind="primary" wide onClick={() => goTo("follow")}>
        Make a graph in Follow
      </Button>
      {clips.value.length > 0 && (
        <Button kind="quiet" wide onClick={() => goTo("graph")}>
          Choose clips in the Graph room
        </Button>
      )}
    </Empty>
  );
}

function SceneSection() {
  const [files, setFiles] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const now = scene.value;
  return (
    <Section
      title={now.name ? `Scene: ${now.name}` : "Scene"}
      fixed
      aside={
        <Menu
          label="The scene's file"
          text="File"
          items={[
            { label: "Open a file…", icon: "upload", hint: "A .toml or .json file; dropping one here does the same", run: () => input.current!.click() },
            { label: "Scenes of the workspace…", icon: "keep", run: () => setFiles(true) },
            { label: "Download as TOML", icon: "download", run: () => void download() },
            null,
            { label: "Copy TOML", icon: "copy", run: () => void copyToml() },
            { label: "Copy command", icon: "copy", disabled: !answer.value, run: () => void copyRecipe("command") },
            { label: "Copy Python", icon: "copy", disabled: !answer.value, run: () => void copyRecipe("python") },
            null,
            { label: "The example again", icon: "undo", run: () => void openExample() },
            { label: "Clear the scene", icon: "trash", run: () => edit({ ...EMPTY, seconds: now.seconds }) },
          ]}
        />
      }
    >
      <input
        ref={input}
        type="file"
        accept=".toml,.json"
        hidden
        aria-label="Scene file"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) void openFile(file);
          event.currentTarget.value = "";
        }}
      />
      {graphs.value.length > 1 && <Select label="Graph" value={graph.value!.id} options={graphs.value.map(({ id, name }) => ({ value: id, label: name }))} onChange={(id) => select({ graph: id })} />}
      <ExactField label="Lasts" value={now.seconds} step={1} unit="s" refuse={(value) => (value > 0 ? null : "A scene lasts more than 0 seconds.")} onChange={(seconds) => edit({ ...now, seconds: seconds! })} />
      <ExactField label="Speed" value={now.speed} empty="as it suits" step={0.1} unit="m/s" refuse={(value) => (value > 0 ? null : "Metres a second above 0.")} onChange={(speed) => edit({ ...now, speed })} />
      <ExactField
        label="Variation"
        value={seed.value}
        step={1}
        refuse={(value) => (Number.isInteger(value) && value >= 0 ? null : "A whole number, 0 or more.")}
        onChange={(value) => (seed.value = value!)}
        aside={<IconButton icon="dice" label="Another variation" shortcut="N" onClick={anotherSeed} />}
      />
      {words.value.has("loop") && <Toggle label="Ends as it begins" value={now.loop} hint="A loop: the end is the beginning, with no seam" onChange={(loop) => edit({ ...now, loop })} />}
      <AddButtons
        add={[
          { label: "Place", icon: "point", run: () => addMoment(playback.time.value) },
          { label: "Label", icon: "tag", run: () => addHere("label") },
          { label: "Wait", icon: "pause", run: () => addHere("wait") },
          { label: "Pose", icon: "person", run: () => addHere("pose") },
          ...(spaces.value.length ? [{ label: "Strike", icon: "strike", run: () => addStrike(playback.time.value) }] : []),
        ]}
      />
      {files && <Files close={() => setFiles(false)} />}
    </Section>
  );
}

/** The next variation. */
export function anotherSeed(): void {
  playNext();
  seed.value += 1;
}

function Files({ close }: { close(): void }) {
  useEffect(() => void list(), []);
  return (
    <Dialog title="Scenes of the workspace" onClose={close}>
      <SaveAs label="Name of this scene" usual={scene.value.name} save={save} done={close} />
      {kept.value.length === 0 ? (
        <p class="faint">None yet. What is saved is a TOML file, as kinegraph direct takes it.</p>
      ) : (
        <ul class="direct-files">
          {kept.value.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                onClick={() => {
                  void openKept(one);
                  close();
                }}
              >
                {one.name}
              </button>
              <IconButton icon="trash" label={`Delete the scene ${one.name}`} onClick={() => void discard(one)} />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

/** The keys in order with what is missed of each: a click chooses one and goes to its time. */
function KeysSection() {
  const keys = scene.value.key;
  return (
    <Section title="Places" aside={<span class="count">{keys.length}</span>}>
      {keys.length === 0 && <p class="faint">None yet. Click on the floor: somebody is to be there, at a time that suits.</p>}
      <ol class="direct-keys">
        {keys.map((key, index) => {
          const miss = missed.value.get(key.id);
          const isWrong = wrongOf("key", key.id);
          const when = key.time !== null ? `${Number(key.time.toFixed(2))} s` : key.window ? `${key.window[0]}–${key.window[1]} s` : "whenever";
          return (
            <li key={key.id} data-key={index + 1} data-cm={miss?.place} data-met={miss ? miss.met : undefined} data-wrong={isWrong !== null}>
              <button
                type="button"
                aria-pressed={chosen.value?.kind === "key" && chosen.value.id === key.id}
                onClick={() => {
                  choose("key", key.id);
                  const time = key.time ?? miss?.time;
                  if (time !== undefined) playback.seek(time);
                }}
              >
                <b>{index + 1}</b>
                <span>{when}</span>
                <span class="direct-place">
                  {key.at[0].toFixed(2)}, {key.at[1].toFixed(2)} m
                </span>
                <em>{isWrong ? "cannot be" : miss ? short(miss) : "…"}</em>
              </button>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

/** What is painted on the track of labels. */
function LabelsSection() {
  if (labels.value.length === 0) return null;
  return (
    <Section title="Paint labels">
      <div class="direct-brushes" role="group" aria-label="Label to paint">
        {[...labels.value, ""].map((name) => (
          <button key={name} type="button" class="direct-chip" aria-pressed={paintLabel() === name} onClick={() => (brush.value = name)}>
            <i style={name ? { background: `var(${labelColour(name)})` } : undefined} />
            {name || "wipe"}
          </button>
        ))}
      </div>
      <p class="faint">Drag along the Labels track to paint with it.</p>
    </Section>
  );
}

function ObstaclesSection() {
  const { obstacle, clearance } = scene.value;
  if (obstacle.length === 0) return null;
  return (
    <Section title="Obstacles" aside={<span class="count">{obstacle.length}</span>}>
      <ExactField label="Distance" value={clearance} empty="0.3" step={0.05} unit="m" refuse={(value) => (value >= 0 ? null : "Metres, 0 or more.")} onChange={(value) => edit({ ...scene.value, clearance: value })} />
      <ol class="direct-keys">
        {obstacle.map((one, index) => (
          <li key={one.id} data-wrong={wrongOf("obstacle", one.id) !== null}>
            <button type="button" aria-pressed={chosen.value?.kind === "obstacle" && chosen.value.id === one.id} onClick={() => choose("obstacle", one.id)}>
              <b>{index + 1}</b>
              <span>{one.disc ? "Disc" : "Box"}</span>
              <span class="direct-place">{(one.disc ?? one.box!).map((value) => value.toFixed(2)).join(", ")} m</span>
            </button>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** What came of it, always in sight at the foot of the panel. */
function Result() {
  const now = answer.value;
  const bad = trouble.value;
  const all = [...missed.value.values()];
  const met = all.filter((miss) => miss.met).length;
  const worst = Math.max(0, ...all.map((miss) => miss.place));
  const hands = [...struck.value.values()];
  const sums = [
    ...(all.length ? [`${met} of ${all.length} places met, ${worst.toFixed(1)} cm off at most`] : []),
    ...(hands.length ? [`${hands.filter((hit) => hit.met).length} of ${hands.length} strikes hit`] : []),
  ];
  const isDraft = now?.question.body.draft === true;
  const notices = bad || !now || isDraft ? [] : [...now.facts.warnings ?? [], ...now.facts.notices];
  return (
    <footer class="direct-foot" aria-busy={searching.value || sceneOf.value === ""} data-draft={isDraft}>
      <header>
        <h3>
          Result
          <span class="searching" role="status" data-on={searching.value}>
            {searching.value ? "Searching…" : isDraft ? "Draft" : ""}
          </span>
        </h3>
        {now && !bad && <p class="direct-sum">{sums.join("; ") || `${now.motion.seconds.toFixed(1)} s`}</p>}
      </header>
      {bad && (
        <Notice kind="error">
          <p>{sentenceCase(bad.sentence)}</p>
          {wrong.value.size === 0 && bad.status !== 409 && (
            <Button small onClick={askAgain}>
              Try again
            </Button>
          )}
        </Notice>
      )}
      {!bad && now?.facts.short && !isDraft && <Notice kind="warn">{sentenceCase(now.facts.short)}</Notice>}
      {notices.slice(0, 3).map((notice) => (
        <Notice key={notice} kind="warn">
          {sentenceCase(notice)}
        </Notice>
      ))}
      {now && !bad && <KeepResult id={now.facts.id} title={now.facts.title} />}
    </footer>
  );
}

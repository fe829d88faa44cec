/** The chosen clip: figures, labels, trimming, its neighbour. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Clip, ClipDetail, ClipInfo, LabelSpan } from "../../api/types";
import * as playback from "../../state/playback";
import { clip, clips, goTo, select, server } from "../../state/store";
import { trim } from "../../timeline/lanes";
import { Button, Dialog, Empty, Facts, IconButton, labelColour, Menu, Name, Notice, NumberField, Section, TextField } from "../../ui";
import { folderCounts, labelCounts, listed } from "./filter";
import { canRedo, canUndo, given, labelMany, redo, saveLabels, undo } from "./labelling";
import { chooseFiles, cut, detail, guessed, labelOf, labels, picked, pickedIds, remove, rename, second, secondId } from "./model";

export function Details(): JSX.Element {
  const one = clip.value;
  if (picked.value.length) return <Many some={picked.value} />;
  if (!one)
    return (
      <Empty title="No clip chosen" icon="library" text={clips.value.length ? "Choose one on the left: it is shown on the stage, and here is what it holds." : "Clips that you add are shown here, with all that is known of them."} />
    );
  const found = detail.value?.id === one.id ? detail.value : null;
  return (
    <div class="panel-scroll" key={one.id}>
      <div class="clip-head">
        <TextField label="Name" hideLabel value={one.name} onChange={(name) => void rename(one, name)} />
        <Menu
          label="More"
          items={[
            { label: "Bend its path", icon: "repath", run: () => goTo("repath") },
            { label: "Export", icon: "export", run: () => goTo("export") },
            { label: "Add more files…", icon: "upload", run: chooseFiles },
            null,
            { label: "Delete", icon: "trash", danger: true, run: () => void remove(one) },
          ]}
        />
      </div>
      {one.info?.error && <Notice kind="error">{one.info.error}</Notice>}
      {!one.info?.error && (
        <>
          <Figures one={one} />
          {found && <Labels one={found} />}
          <Trim one={one} />
          <Beside one={one} />
        </>
      )}
    </div>
  );
}

function Figures({ one }: { one: Clip }): JSX.Element {
  const info = one.info;
  if (!info) return <p class="faint pad">It is being read…</p>;
  return (
    <Section title="Clip">
      <Facts
        items={[
          ["Length", `${info.seconds.toFixed(2)} s, ${info.frames} frames`],
          ["Rate", `${Number(info.fps.toFixed(2))} frames/s`],
          ["Distance", info.distance_m === null ? "–" : `${info.distance_m.toFixed(2)} m`],
          ["Stature", info.height_m === null ? "–" : `${info.height_m.toFixed(2)} m`],
          ["Joints", String(info.joints)],
          ["Comes from", cameFrom(one)],
          ["File", <Name text={one.file} />],
          ["Size", bytes(one.size)],
        ]}
      />
      {info.notices.map((notice) => (
        <Notice key={notice}>{notice}</Notice>
      ))}
    </Section>
  );
}

function Labels({ one }: { one: ClipDetail }): JSX.Element {
  const [text, setText] = useState("");
  const own = given(one.spans);
  const others = one.spans.filter((span) => span.origin !== "file");
  const frames = one.info?.frames ?? 0;
  const add = (value: string): void => {
    const label = labelOf(value);
    if (!label) return;
    setText("");
    // with the trim handles out, the label is for what they hold
    const span = trim.value ?? { first: 0, last: frames };
    void saveLabels(one, [...own, { label, ...span }], `${one.name}: ${label} added`);
  };
  const change = (index: number, part: Partial<LabelSpan>): void => void saveLabels(one, own.map((span, at) => (at === index ? { ...span, ...part } : span)));
  return (
    <Section title="Labels" aside={<UndoLabels />}>
      {own.map((span, index) => (
        <div class="span-row" key={index}>
          <TextField label="Label" hideLabel value={span.label} list={labels.value.map(([label]) => label)} onChange={(value) => labelOf(value) && change(index, { label: labelOf(value) })} />
          <NumberField label={`${span.label}: first frame`} hideLabel value={span.first} min={0} max={span.last - 1} onChange={(first) => change(index, { first })} />
          <NumberField label={`${span.label}: end`} hideLabel value={span.last} min={span.first + 1} max={frames} onChange={(last) => change(index, { last })} />
          <IconButton icon="close" label={`Remove label ${span.label}`} size={12} onClick={() => void saveLabels(one, own.filter((_, at) => at !== index), `${one.name}: ${span.label} removed`)} />
        </div>
      ))}
      {others.length > 0 && own.length > 0 && <p class="faint">Found by itself</p>}
      {others.map((span) => (
        <button
          type="button"
          class="span-row found"
          key={`${span.label} ${span.first} ${span.origin}`}
          title={`${span.origin === "name" ? "From the clip's name" : guessed(span) ? "Guessed by how the body moves" : "Found by how the body moves"}. A click goes there.`}
          onClick={() => playback.seekFrame(span.first)}
        >
          <span>
            <i class="dot" style={{ background: `var(${labelColour(span.label)})` }} />
            {span.label}
          </span>
          <span>{span.first}</span>
          <span>{span.last}</span>
          <small>{span.origin === "name" ? "name" : guessed(span) ? "guess" : "found"}</small>
        </button>
      ))}
      <div class="add-label">
        <TextField label="New label" hideLabel live value={text} placeholder={trim.value ? "Label these frames" : "Add a label"} list={labels.value.map(([label]) => label)} onChange={setText} onEnter={add} />
        <Button disabled={!labelOf(text)} onClick={() => add(text)}>
          Add
        </Button>
      </div>
    </Section>
  );
}

/** Labels can be taken back, whatever clip they are of. */
function UndoLabels(): JSX.Element {
  return (
    <>
      <IconButton icon="undo" label="Undo the last change of labels" shortcut="Ctrl+Z" disabled={!canUndo.value} onClick={() => void undo()} />
      <IconButton icon="redo" label="Redo it" shortcut="Ctrl+Shift+Z" disabled={!canRedo.value} onClick={() => void redo()} />
    </>
  );
}

/** Several clips: what they have in common, and what is done to all of them. */
function Many({ some }: { some: readonly Clip[] }): JSX.Element {
  const [text, setText] = useState("");
  const sum = (of: (info: ClipInfo) => number | null): number => some.reduce((total, one) => total + ((one.info && of(one.info)) ?? 0), 0);
  const add = (value: string): void => {
    const label = labelOf(value);
    if (!label) return;
    setText("");
    void labelMany(some, { add: label });
  };
  return (
    <div class="panel-scroll">
      <div class="clip-head">
        <h2>{some.length} clips</h2>
        <IconButton icon="close" label="Pick only one" shortcut="Esc" onClick={() => (pickedIds.value = new Set())} />
      </div>
      <Section title="Together">
        <Facts
          items={[
            ["Length", `${sum((info) => info.seconds).toFixed(1)} s`],
            ["Distance", `${sum((info) => info.distance_m).toFixed(1)} m`],
            ["Folders", folderCounts(some).map(([folder]) => folder || server.value?.workspace.name).join(", ")],
          ]}
        />
      </Section>
      <Section title="Labels of all" aside={<UndoLabels />}>
        <ul class="shared-labels">
          {labelCounts(some).map(([label, count]) => (
            <li key={label}>
              <i class="dot" style={{ background: `var(${labelColour(label)})` }} />
              <span>{label}</span>
              <span class="faint">{count === some.length ? "all" : `${count} of ${some.length}`}</span>
              {count < some.length && (
                <Button small kind="quiet" label={`Label all ${label}`} onClick={() => void labelMany(some, { add: label })}>
                  Label all
                </Button>
              )}
              <IconButton icon="close" label={`Take ${label} back from all`} size={12} onClick={() => void labelMany(some, { remove: label })} />
            </li>
          ))}
        </ul>
        <div class="add-label">
          <TextField label="New label for all" hideLabel live value={text} placeholder="Add a label to all" list={labels.value.map(([label]) => label)} onChange={setText} onEnter={add} />
          <Button disabled={!labelOf(text)} onClick={() => add(text)}>
            Add
          </Button>
        </div>
        <p class="faint">What was found by how the bodies move stays beside it.</p>
      </Section>
      <Section title="All of them">
        <Button icon="trash" kind="danger" wide onClick={() => void remove(...some)}>
          Delete {some.length} clips
        </Button>
      </Section>
    </div>
  );
}

function Trim({ one }: { one: Clip }): JSX.Element {
  const [name, setName] = useState("");
  const frames = one.info?.frames ?? 0;
  const span = trim.value;
  if (!span)
    return (
      <Section title="Trim">
        <p class="faint">Cut some frames out as a clip of their own; this one stays as it is.</p>
        <Button icon="scissors" wide disabled={frames < 2} onClick={() => (trim.value = { first: 0, last: frames })}>
          Set first and last frame
        </Button>
      </Section>
    );
  const rate = one.info?.fps ?? 30;
  return (
    <Section title="Trim">
      <div class="two">
        <NumberField label="First" value={span.first} min={0} max={span.last - 1} onChange={(first) => (trim.value = { ...span, first })} />
        <NumberField label="End" value={span.last} min={span.first + 1} max={frames} onChange={(last) => (trim.value = { ...span, last })} />
      </div>
      <TextField label="Name" value={name} placeholder={`${one.name} trimmed`} live onChange={setName} />
      <p class="faint">
        {span.last - span.first} frames, {((span.last - span.first) / rate).toFixed(2)} s. The two handles on the timeline do the same.
      </p>
      <div class="actions">
        <Button kind="primary" disabled={!server.value?.workspace.writable || (span.first === 0 && span.last === frames)} onClick={() => void cut(one, span.first, span.last, name)}>
          Make the clip
        </Button>
        <Button kind="quiet" onClick={() => (trim.value = null)}>
          Cancel
        </Button>
      </div>
    </Section>
  );
}

function Beside({ one }: { one: Clip }): JSX.Element {
  const [choosing, setChoosing] = useState(false);
  const other = second.value;
  return (
    <Section title="Side by side">
      {other ? (
        <div class="beside">
          <button type="button" class="button plain" aria-label={`Second clip: ${other.name}. Choose another`} onClick={() => setChoosing(true)}>
            {other.name}
          </button>
          <IconButton
            icon="swap"
            label="Exchange the two"
            onClick={() => {
              secondId.value = one.id;
              select({ clip: other.id });
            }}
          />
          <IconButton icon="close" label="No second clip" shortcut="X" onClick={() => (secondId.value = null)} />
        </div>
      ) : (
        <>
          <p class="faint">A second clip plays beside this one, in step with it.</p>
          <Button icon="columns" wide disabled={clips.value.length < 2} onClick={() => setChoosing(true)}>
            Choose a second clip
          </Button>
        </>
      )}
      {choosing && <ChooseSecond one={one} onClose={() => setChoosing(false)} />}
    </Section>
  );
}

const MOST_LISTED = 100;

function ChooseSecond({ one, onClose }: { one: Clip; onClose: () => void }): JSX.Element {
  const [text, setText] = useState("");
  const found = listed(clips.value, text, [], "name").filter((other) => other.id !== one.id && !other.info?.error);
  const choose = (other: Clip | undefined): void => {
    if (!other) return;
    secondId.value = other.id;
    onClose();
  };
  return (
    <Dialog title={`Beside ${one.name}`} onClose={onClose}>
      <TextField label="Search clips" hideLabel live type="search" placeholder="Search" value={text} onChange={setText} onEnter={() => choose(found[0])} />
      <ul class="choices">
        {found.slice(0, MOST_LISTED).map((other) => (
          <li key={other.id}>
            <button type="button" onClick={() => choose(other)}>
              <Name text={other.name} title={other.file} />
              <span class="faint">{other.info ? `${other.info.seconds.toFixed(1)} s` : ""}</span>
            </button>
          </li>
        ))}
      </ul>
      {!found.length && <p class="faint">No clip fits these words.</p>}
    </Dialog>
  );
}

/** Where a clip comes from, as far as the studio knows. */
function cameFrom(one: Clip): JSX.Element | string {
  if (one.made_by) return <span title={one.made_by}>a result of kinegraph's</span>;
  return one.origin ?? "the folder that is served";
}

function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${(count / 1000).toFixed(0)} kB`;
  return `${(count / 1e6).toFixed(1)} MB`;
}

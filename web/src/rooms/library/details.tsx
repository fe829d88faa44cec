/** The chosen clip: figures, labels, trimming, its neighbour. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Clip, ClipDetail, LabelSpan } from "../../api/types";
import * as playback from "../../state/playback";
import { clip, clips, goTo, select, server } from "../../state/store";
import { trim } from "../../timeline/lanes";
import { Button, Dialog, Empty, Facts, IconButton, Menu, Notice, NumberField, Section, TextField } from "../../ui";
import { listed } from "./filter";
import { chooseFiles, cut, detail, given, guessed, labelOf, labels, remove, rename, saveLabels, second, secondId } from "./model";

export function Details(): JSX.Element {
  const one = clip.value;
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
          ["File", <span title={one.file}>{one.file}</span>],
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
    void saveLabels(one, [...own, { label, ...span }]);
  };
  const change = (index: number, part: Partial<LabelSpan>): void => void saveLabels(one, own.map((span, at) => (at === index ? { ...span, ...part } : span)));
  return (
    <Section title="Labels" aside={<span class="faint">frames</span>}>
      {own.map((span, index) => (
        <div class="span-row" key={index}>
          <TextField label="Label" hideLabel value={span.label} list={labels.value.map(([label]) => label)} onChange={(value) => labelOf(value) && change(index, { label: labelOf(value) })} />
          <NumberField label={`${span.label}: first frame`} hideLabel value={span.first} min={0} max={span.last - 1} onChange={(first) => change(index, { first })} />
          <NumberField label={`${span.label}: end`} hideLabel value={span.last} min={span.first + 1} max={frames} onChange={(last) => change(index, { last })} />
          <IconButton icon="close" label={`Remove label ${span.label}`} size={12} onClick={() => void saveLabels(one, own.filter((_, at) => at !== index))} />
        </div>
      ))}
      {others.map((span) => (
        <button
          type="button"
          class="span-row found"
          key={`${span.label} ${span.first} ${span.origin}`}
          title={`${span.origin === "name" ? "From the clip's name" : guessed(span) ? "Guessed by how the body moves" : "Found by how the body moves"}. A click goes there.`}
          onClick={() => playback.seekFrame(span.first)}
        >
          <span>{span.label}</span>
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

function Trim({ one }: { one: Clip }): JSX.Element {
  const [name, setName] = useState("");
  const frames = one.info?.frames ?? 0;
  const span = trim.value;
  if (!span)
    return (
      <Section title="Trim">
        <p class="faint">Keep some frames as a clip of their own; this one stays as it is.</p>
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
          <p class="faint">A second clip plays beside this one, in step with it. Shift and a click on a card do the same.</p>
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
              <span>{other.name}</span>
              <span class="faint">{other.info ? `${other.info.seconds.toFixed(1)} s` : ""}</span>
            </button>
          </li>
        ))}
      </ul>
      {!found.length && <p class="faint">No clip fits these words.</p>}
    </Dialog>
  );
}

function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${(count / 1000).toFixed(0)} kB`;
  return `${(count / 1e6).toFixed(1)} MB`;
}

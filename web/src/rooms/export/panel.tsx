/** The panel of the export room: what, under which name, with which options; and what was written. */

import { Button, Empty, Icon, Notice, NumberField, Section, Segmented, Select, sentenceCase, TextField, Toggle } from "../../ui";
import { copy } from "../../state/clipboard";
import { narrow } from "../../shell/state";
import { hero } from "../../state/hero";
import { goTo } from "../../state/store";
import { endingName, installLine, type OptionName, sizeText } from "./formats";
import { address, card, choose, chooseFormat, exporting, exports, fileName, format, onCharacter, set, settings, shownProblem, sourceKey, sources, typed, write, written } from "./model";
import { Code } from "./view";

const UNITS = ["m", "cm", "mm", "in", "ft"];

export function Panel() {
  if (sources.value.length === 0)
    return (
      <Empty icon="export" title="Nothing to export yet" text="Open a clip in the library, or make a motion in one of the rooms.">
        <Button kind="primary" onClick={() => goTo("library")}>Open the library</Button>
      </Empty>
    );
  return (
    <>
      <SourceSection />
      <OptionsSection />
      <div class="export-go">
        <Button kind="primary" wide icon="export" disabled={exporting.value || !format.value?.available || !fileName.value} title={format.value?.why ?? undefined} onClick={() => void write()}>
          {exporting.value ? "Writing…" : `Export ${fileName.value || "…"}${format.value?.suffix ?? ""}`}
        </Button>
        <p class="faint">A sidecar is written beside it, with which the command line can repeat it.</p>
      </div>
      {narrow.value && <Code />}
      <ExportsSection />
    </>
  );
}

function SourceSection() {
  return (
    <Section title="Motion" fixed>
      <Select
        label="Motion"
        hideLabel
        value={sourceKey.value}
        options={sources.value.map((each) => ({ value: `${each.kind} ${each.id}`, label: `${each.name}: ${each.what}` }))}
        onChange={choose}
      />
      <TextField
        label="Name"
        value={fileName.value}
        onChange={(name) => {
          typed.value = name.trim() || null;
        }}
      />
      {shownProblem.value && <Notice kind="error">{shownProblem.value}</Notice>}
    </Section>
  );
}

function OptionsSection() {
  const [of, as] = [card.value, format.value];
  const now = settings.value;
  if (!of || !as) return null;
  const who = as.takes.includes("character") ? hero.value : null;
  const on = who !== null && onCharacter.value;
  // a character's file stays as it is
  const takes = (name: OptionName) => as.takes.includes(name) && !(on && ["t_pose", "units", "up"].includes(name));
  return (
    <Section key={of.name} title={of.name} fixed>
      <p class="faint">{as.help}</p>
      <Unavailable why={as.why} />
      {of.endings.length > 1 && (
        <Segmented
          label="Written as"
          value={as.suffix}
          options={of.endings.map((ending) => ({ value: ending.suffix, label: endingName(ending, of), hint: ending.suffix, disabled: !ending.available }))}
          onChange={(suffix) => chooseFormat(of.endings.find((ending) => ending.suffix === suffix) ?? as)}
        />
      )}
      {who && <Toggle label={`On ${who.name}`} hint="The character's own file, with one more animation" value={on} onChange={(now) => (onCharacter.value = now)} />}
      {takes("fps") && (
        <>
          <Toggle label="Another frame rate" value={now.fps !== null} onChange={(on) => set({ fps: on ? 30 : null })} />
          {now.fps !== null && <NumberField label="Frames per second" value={now.fps} min={1} max={240} step={1} onChange={(fps) => set({ fps })} />}
        </>
      )}
      {takes("in_place") && <Toggle label="In place" hint="On the spot: the engine moves the character" value={now.in_place} onChange={(on) => set({ in_place: on })} />}
      {takes("t_pose") && <Toggle label="T-pose first" hint="In the first frame, for rigs that are made from it" value={now.t_pose} onChange={(on) => set({ t_pose: on })} />}
      {takes("units") && (
        <Select
          label="Lengths in"
          value={now.units ?? ""}
          options={[{ value: "", label: as.unit ? `${as.unit}, as usual` : "As usual" }, ...UNITS.filter((unit) => unit !== as.unit)]}
          onChange={(unit) => set({ units: unit || null })}
        />
      )}
      {takes("up") && <Segmented label="Up" value={now.up} options={[{ value: "y", label: "Y" }, { value: "z", label: "Z" }]} onChange={(up) => set({ up: up as "y" | "z" })} />}
    </Section>
  );
}

/** Why the chosen format cannot be written here, and what to install. */
function Unavailable({ why }: { why: string | null }) {
  if (why === null) return null;
  const command = installLine(why);
  return (
    <Notice kind="warn">
      {sentenceCase(why)}
      {command && (
        <div class="export-install">
          <Button small icon="copy" onClick={() => void copy(command, "The install line")}>Copy the install line</Button>
        </div>
      )}
    </Notice>
  );
}

function ExportsSection() {
  return (
    <Section title="Exports" aside={exports.value.length > 0 && <span class="count">{exports.value.length}</span>}>
      {exports.value.length === 0 ? (
        <p class="faint">Files that you export are listed here. They lie in the workspace's folder exports.</p>
      ) : (
        <ul class="export-list">
          {exports.value.map((entry) => (
            <li key={entry.id} class={written.value?.id === entry.id ? "new" : undefined}>
              <a href={address(entry)} download={fileOf(entry.file)} aria-label={`Download ${fileOf(entry.file)}`}>
                <Icon name="download" size={14} />
                <span>{fileOf(entry.file)}</span>
                <small>{sizeText(entry.size)}</small>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function fileOf(path: string): string {
  return path.split("/").at(-1) ?? path;
}

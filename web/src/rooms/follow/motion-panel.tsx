/** How the motion is made, which clips are preferred, and what is shown of it. */

import { useState } from "preact/hooks";
import type { Blend } from "../../api/types";
import { blends } from "../../state/choices";
import { ExactField, Section, Segmented, Select, Slider, TextField, Toggle } from "../../ui";
import { Pauses } from "./pauses-panel";
import { clipNames, dragging, following, labels, making, mode } from "./state";

/** Which way to face, where to pause and to begin, and how fast; and, folded away, how it is computed. */
export function MotionPanel() {
  const onPath = mode.value === "path";
  return (
    <>
      {onPath && (
        <Section title="Motion">
          <Wishes />
        </Section>
      )}
      {onPath && (
        <Section title="More wishes" closed>
          <MoreWishes />
        </Section>
      )}
      <Section title="Expert settings" closed>
        <Select
          label="Blend"
          value={making.value.blend}
          options={blends.value}
          onChange={(blend) => (making.value = { ...making.value, blend: blend as Blend })}
        />
        {onPath && <Computed />}
        <Toggle
          label="Hold standing feet still"
          hint="Feet that stand do not slide"
          value={making.value.clean}
          onChange={(clean) => (making.value = { ...making.value, clean })}
        />
      </Section>
    </>
  );
}

/** How a path is kept to. */
function Computed() {
  return (
    <>
      <Segmented
        label="Search"
        value={following.value.search}
        options={[
          { value: "fast", label: "Fast", hint: "Many walks at a time, of which the best are kept" },
          { value: "exact", label: "Exact", hint: "The best there is as far as it looks ahead; slower" },
        ]}
        onChange={(search) => (following.value = { ...following.value, search: search as "fast" | "exact" })}
      />
      <Toggle
        label="Draw the walk to the line"
        hint="Bends the result gently onto the line, as far as feet can take it"
        value={following.value.warp}
        onChange={(warp) => (following.value = { ...following.value, warp })}
      />
      <Toggle
        label="Bend clips to fit"
        hint="Clips are turned to keep to the path, as far as a body bears; off, they stay as they were captured"
        value={!following.value.unbent}
        onChange={(bent) => (following.value = { ...following.value, unbent: !bent })}
      />
    </>
  );
}

function Wishes() {
  const { start, speed, facing } = following.value;
  return (
    <>
      <Segmented
        label="Facing"
        value={facing ?? "along"}
        options={[
          { value: "along", label: "Along", hint: "Face where the path goes, or as a label that is asked for does" },
          { value: "any", label: "Any way", hint: "Backwards and sideways will do as well" },
        ]}
        onChange={(value) => (following.value = { ...following.value, facing: value as "along" | "any" })}
      />
      <Pauses />
      <Select
        label="Start with"
        value={start}
        options={[{ value: "", label: "Whatever fits" }, ...labels.value, ...clipNames.value.filter((name) => !labels.value.includes(name))]}
        onChange={(value) => (following.value = { ...following.value, start: value })}
      />
      <Slider
        label="Speed"
        hint="Metres a second that are wished for"
        value={speed}
        min={0}
        max={5}
        step={0.1}
        format={(value) => (value === 0 ? "any" : `${value.toFixed(1)} m/s`)}
        onInput={(value) => {
          dragging.value = true;
          following.value = { ...following.value, speed: value };
        }}
        onChange={() => (dragging.value = false)}
      />
    </>
  );
}

const positive = (value: number): string | null => (value > 0 ? null : "More than 0, please.");
const turn = (value: number): string | null => (Math.abs(value) <= 360 ? null : "Degrees, from −360 to 360.");

/** Where to face at both ends, for how long, and how wide the borders of labels are. */
function MoreWishes() {
  const { heading = null, endHeading = null, limit = null, zone = null } = following.value;
  const set = (part: Partial<typeof following.value>): void => void (following.value = { ...following.value, ...part });
  return (
    <>
      <ExactField label="Face at first" value={heading} empty="any" unit="°" step={15} refuse={turn} onChange={(value) => set({ heading: value })} />
      <ExactField label="Face at the end" value={endHeading} empty="any" unit="°" step={15} refuse={turn} onChange={(value) => set({ endHeading: value })} />
      <p class="follow-hint">0° is straight ahead, 90° to the left.</p>
      <ExactField label="Seconds at most" value={limit} empty="any" unit="s" refuse={positive} onChange={(value) => set({ limit: value })} />
      <ExactField label="About borders" value={zone} empty="as few as it takes" unit="m" step={0.1} refuse={(value) => (value >= 0 ? null : "0 or more, please.")} onChange={(value) => set({ zone: value })} />
      <p class="follow-hint">Metres about a border of labels in which anything may be played.</p>
    </>
  );
}

/** How many clips are listed without a search. */
const FEW = 6;
const MOST_CM = 100;

/** Clips that are kept to as long as that costs no more than a margin. */
export function PreferencePanel() {
  const [search, setSearch] = useState("");
  const { prefer } = following.value;
  const wanted = search.trim().toLowerCase();
  const names = clipNames.value.filter((name) => name.toLowerCase().includes(wanted));
  const preferred = names.filter((name) => (prefer[name] ?? 0) > 0);
  const others = names.filter((name) => !(prefer[name]! > 0));
  const listed = wanted ? others.slice(0, 12) : others.slice(0, Math.max(0, FEW - preferred.length));
  const left = names.length - preferred.length - listed.length;
  const set = (name: string, margin: number) => (following.value = { ...following.value, prefer: { ...following.value.prefer, [name]: margin } });
  const count = Object.values(prefer).filter((margin) => margin > 0).length;
  return (
    <Section title="Preferred clips" closed aside={count > 0 ? <span class="follow-figure">{count}</span> : null}>
      <p class="follow-hint">A clip is kept to as long as the walk is off by no more than this for it.</p>
      <TextField label="Search clips" hideLabel type="search" placeholder="Search clips" value={search} live onChange={setSearch} />
      {[...preferred, ...listed].map((name) => (
        <Slider
          key={name}
          label={name}
          value={prefer[name] ?? 0}
          min={0}
          max={MOST_CM}
          step={1}
          unit="cm"
          onInput={(margin) => {
            dragging.value = true;
            set(name, margin);
          }}
          onChange={(margin) => {
            set(name, margin);
            dragging.value = false;
          }}
        />
      ))}
      {names.length === 0 && <p class="follow-hint">No clip of this graph is called so.</p>}
      {left > 0 && <p class="follow-hint">{left} more: search for them by name.</p>}
    </Section>
  );
}

/** How the clip is laid on the path. */

import { Section, Segmented, Slider, Toggle } from "../../ui";
import { type Options, options } from "./model";
import { Degree } from "./path-section";

/** Seconds at first, where a length is set. */
const SECONDS = 20;

export function MotionSection() {
  const now = options.value;
  const set = (part: Partial<Options>) => {
    options.value = { ...now, ...part };
  };
  return (
    <Section title="Motion">
      <Segmented
        label="What stays"
        value={now.keep}
        options={[
          { value: "speed", label: "Speed", hint: "As many metres a second as captured" },
          { value: "time", label: "Time", hint: "The whole path in the clip's own time" },
          { value: "place", label: "Place", hint: "Stay where the path begins, as for a kick" },
        ]}
        onChange={(keep) => set({ keep: keep as Options["keep"] })}
      />
      <Segmented
        label="At its end"
        value={now.end}
        options={[
          { value: "stop", label: "Stop", hint: "Where the path ends, the motion does" },
          { value: "restart", label: "Restart", hint: "Begin the path again" },
          { value: "onward", label: "Onward", hint: "Go straight on" },
        ]}
        onChange={(end) => set({ end: end as Options["end"] })}
      />
      <Toggle label="Repeat the clip" hint="Its best loop, without a seam, until the path ends" value={now.cycle} onChange={(cycle) => set({ cycle })} />
      {now.cycle && (
        <>
          <Toggle
            label="For a set time"
            hint="Otherwise until the path ends"
            value={now.seconds !== null}
            onChange={(on) => set({ seconds: on ? SECONDS : null })}
          />
          {now.seconds !== null && (
            <Slider label="Lasts" value={now.seconds} min={2} max={120} step={1} unit="s" onInput={(seconds) => set({ seconds })} />
          )}
        </>
      )}
      <Toggle label="Natural bends" hint="Slower in bends, and leaning into them" value={now.natural} onChange={(natural) => set({ natural })} />
    </Section>
  );
}

/** How it is computed. */
export function ExpertSection() {
  const now = options.value;
  return (
    <Section title="Expert settings" closed>
      <Degree />
      <Toggle label="Hold standing feet still" hint="Feet that stand do not slide" value={now.feet} onChange={(feet) => (options.value = { ...now, feet })} />
    </Section>
  );
}

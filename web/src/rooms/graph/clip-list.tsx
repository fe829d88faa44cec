/** Which clips a new graph is to hold: all, those with a label, those that a search finds, or one by one. */

import type { JSX } from "preact";
import type { Clip } from "../../api/types";
import { labelColour, Name, TextField } from "../../ui";
import { takenClips } from "./actions";
import { form, search, usable } from "./model";
import { found, labelsOf, unfit } from "./picking";
import { many } from "./words";

/** Take clips into the graph, or leave them out; one that would not be taken by itself only where it is asked for alone. */
function take(clips: readonly Clip[], on: boolean): void {
  const reasons = unfit(usable.value);
  const [left, asked] = [new Set(form.value.left), new Set(form.value.asked)];
  for (const { id } of clips) {
    if (on) left.delete(id);
    else left.add(id);
    if (!on) asked.delete(id);
    else if (reasons.has(id) && clips.length === 1) asked.add(id);
  }
  // of a name there is one: who is asked for now goes before who was asked for then
  if (on && clips.length === 1) for (const other of usable.value) if (other.name === clips[0]!.name && other.id !== clips[0]!.id) asked.delete(other.id);
  form.value = { ...form.value, left: [...left], asked: [...asked] };
}

/** Only these; all others are left out. */
function only(clips: readonly Clip[]): void {
  const wanted = new Set(clips.map((clip) => clip.id));
  form.value = { ...form.value, left: usable.value.filter((clip) => !wanted.has(clip.id)).map((clip) => clip.id), asked: [] };
}

const length = (clip: Clip): string => (clip.info ? `${clip.info.seconds.toFixed(1)} s` : "…");

/** Search, labels and checkboxes. */
export function ClipList(): JSX.Element {
  const all = usable.value;
  const listed = found(all, search.value);
  const taken = takenClips();
  const inside = new Set(taken.map((clip) => clip.id));
  const reasons = unfit(all);
  const fit = listed.filter((clip) => !reasons.has(clip.id));
  const seconds = taken.reduce((sum, clip) => sum + (clip.info?.seconds ?? 0), 0);
  const every = fit.length > 0 && fit.every((clip) => inside.has(clip.id));
  const some = listed.some((clip) => inside.has(clip.id));
  return (
    <div class="graph-clips">
      <TextField label="Find clips" hideLabel live type="search" value={search.value} placeholder="Find by name or label" onChange={(text) => (search.value = text)} />
      <div class="graph-chips" role="group" aria-label="Take only clips with a label">
        {labelsOf(all).map(({ label, clips }) => {
          const alone = taken.length === clips.length && clips.every((clip) => inside.has(clip.id)) && clips.length < all.length;
          return (
            <button
              type="button"
              class="graph-chip"
              key={label}
              aria-pressed={alone}
              title={alone ? "Take all clips" : `Take only the clips with ${label}`}
              onClick={() => only(alone ? all : clips)}
            >
              <i class="dot" style={{ background: `var(${labelColour(label)})` }} />
              {label.replaceAll("_", " ")} <span>{clips.length}</span>
            </button>
          );
        })}
      </div>
      <label class="graph-check all">
        <input
          type="checkbox"
          checked={every}
          ref={(box) => {
            if (box) box.indeterminate = some && !every;
          }}
          onChange={(event) => take(listed, event.currentTarget.checked)}
        />
        <span>{search.value.trim() ? `All that are found (${listed.length})` : `All clips (${all.length})`}</span>
      </label>
      <ul class="graph-list" aria-label="Clips of the new graph">
        {listed.map((clip) => (
          <li key={clip.id}>
            <label class="graph-check">
              <input type="checkbox" checked={inside.has(clip.id)} onChange={(event) => take([clip], event.currentTarget.checked)} />
              <Name text={clip.name} title={clip.file} />
              <small>{inside.has(clip.id) ? length(clip) : (reasons.get(clip.id) ?? length(clip))}</small>
            </label>
          </li>
        ))}
        {listed.length === 0 && <li class="graph-none">No clip has this in its name or labels.</li>}
      </ul>
      <p class="graph-note">
        {many(taken.length, "clip")} taken, {seconds.toFixed(0)} s of motion
        {reasons.size > 0 && `; ${many(reasons.size, "clip")} with a name that another has, or made by kinegraph, left out unless ticked`}
      </p>
    </div>
  );
}

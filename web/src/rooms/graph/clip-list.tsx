/** Which clips a new graph is to hold: all, those with a label, those that a search finds, or one by one. */

import type { JSX } from "preact";
import type { Clip } from "../../api/types";
import { TextField } from "../../ui";
import { form, search, usable } from "./model";
import { found, labelsOf } from "./picking";
import { many } from "./words";

function take(ids: Iterable<string>, on: boolean): void {
  const left = new Set(form.value.left);
  for (const id of ids) {
    if (on) left.delete(id);
    else left.add(id);
  }
  form.value = { ...form.value, left: [...left] };
}

/** Only these; all others are left out. */
function only(clips: readonly Clip[]): void {
  const taken = new Set(clips.map((clip) => clip.id));
  form.value = { ...form.value, left: usable.value.filter((clip) => !taken.has(clip.id)).map((clip) => clip.id) };
}

/** Search, labels and checkboxes. */
export function ClipList(): JSX.Element {
  const all = usable.value;
  const left = new Set(form.value.left);
  const listed = found(all, search.value);
  const taken = all.filter((clip) => !left.has(clip.id));
  const seconds = taken.reduce((sum, clip) => sum + (clip.info?.seconds ?? 0), 0);
  const every = listed.length > 0 && listed.every((clip) => !left.has(clip.id));
  const some = listed.some((clip) => !left.has(clip.id));
  return (
    <div class="graph-clips">
      <TextField label="Find clips" hideLabel live type="search" value={search.value} placeholder="Find by name or label" onChange={(text) => (search.value = text)} />
      <div class="graph-chips" role="group" aria-label="Take only clips with a label">
        {labelsOf(all).map(({ label, clips }) => {
          const alone = taken.length === clips.length && clips.every((clip) => !left.has(clip.id)) && clips.length < all.length;
          return (
            <button
              type="button"
              class="graph-chip"
              key={label}
              aria-pressed={alone}
              title={alone ? "Take all clips" : `Take only the clips with ${label}`}
              onClick={() => only(alone ? all : clips)}
            >
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
          onChange={(event) => take(listed.map((clip) => clip.id), event.currentTarget.checked)}
        />
        <span>{search.value.trim() ? `All that are found (${listed.length})` : `All clips (${all.length})`}</span>
      </label>
      <ul class="graph-list" aria-label="Clips of the new graph">
        {listed.map((clip) => (
          <li key={clip.id}>
            <label class="graph-check">
              <input type="checkbox" checked={!left.has(clip.id)} onChange={(event) => take([clip.id], event.currentTarget.checked)} />
              <span>{clip.name}</span>
              <small>{clip.info ? `${clip.info.seconds.toFixed(1)} s` : "…"}</small>
            </label>
          </li>
        ))}
        {listed.length === 0 && <li class="graph-none">No clip has this in its name or labels.</li>}
      </ul>
      <p class="graph-note">
        {many(taken.length, "clip")} taken, {seconds.toFixed(0)} s of motion
      </p>
    </div>
  );
}

/** The ground that the path leads over: by name, or a height field of the folder. */

import { del, post } from "../../api/client";
import type { Entry, Trashed } from "../../api/types";
import { complain, refresh, toast } from "../../state/store";
import { Button, capital, IconButton, Section, Segmented, Select, Slider } from "../../ui";
import { hasHeights } from "./curve";
import { FIELD, numbersOf, withNumber } from "./ground";
import { fields, ground, grounds, groundAsked, history } from "./model";

export function GroundSection() {
  const now = ground.value;
  const shown = grounds.value.find((one) => one.name === now.name);
  const values = shown ? numbersOf(now, shown) : [];
  return (
    <Section title="Ground">
      <div class="repath-grounds">
        <Segmented
          label="Ground"
          hideLabel
          value={now.name === FIELD ? FIELD : (shown?.name ?? "")}
          options={[
            { value: "", label: "Flat" },
            ...grounds.value.map(({ name, help }) => ({ value: name, label: capital(name), hint: help })),
            { value: FIELD, label: "File", hint: "Heights on a grid, from a file" },
          ]}
          onChange={(name) => {
            ground.value = { ...now, name };
          }}
        />
      </div>
      {now.name === FIELD && <Fields />}
      {shown?.numbers.map(({ label, unit, least, most, step }, index) => (
        <Slider
          key={`${shown.name} ${label}`}
          label={label}
          value={values[index]!}
          min={least}
          max={most}
          step={step}
          unit={unit}
          onInput={(value) => {
            ground.value = withNumber(ground.value, shown, index, value);
          }}
        />
      ))}
      {groundAsked.value !== null && hasHeights(history.value.value) && (
        <p class="faint">On this ground the path's own heights are left out.</p>
      )}
    </Section>
  );
}

/** Height fields of the folder, and the way to another one. */
function Fields() {
  const all = fields.value;
  const chosen = all.find(({ file }) => file === groundAsked.value);
  return (
    <>
      {all.length > 0 && (
        <div class="path-shape">
          <Select
            label="Height field"
            value={chosen?.file ?? ""}
            options={all.map(({ file, name }) => ({ value: file, label: name }))}
            onChange={(file) => (ground.value = { ...ground.value, file })}
          />
          {chosen && <IconButton icon="trash" label={`Delete the height field ${chosen.name}`} onClick={() => void discard(chosen)} />}
        </div>
      )}
      <p class="faint">Heights in metres on an even grid: NPZ with heights, x0, z0 and step, NPY, or CSV.</p>
      <Button icon="upload" small onClick={choose}>
        Add a height field…
      </Button>
    </>
  );
}

function choose(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".npz,.npy,.csv";
  input.onchange = () => input.files?.[0] && void take(input.files[0]);
  input.click();
}

/** Take a file as a height field, and walk on it. */
export async function take(file: File): Promise<void> {
  const form = new FormData();
  form.append("files", file);
  try {
    const taken = await post<Entry, FormData>("/api/grounds", form);
    await refresh();
    ground.value = { ...ground.value, name: FIELD, file: taken.file };
  } catch (failure) {
    complain(failure);
  }
}

async function discard(one: Entry): Promise<void> {
  try {
    const { trash } = await del<Trashed>(`/api/grounds/${one.id}`);
    await refresh();
    toast(`${one.name} is in the trash.`, "info", { label: "Undo", run: () => post(`/api/trash/${trash}/restore`).then(refresh) });
  } catch (failure) {
    complain(failure);
  }
}

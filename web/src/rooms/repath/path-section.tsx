/** The path: presets, its control points, its degree, undo and redo. */

import { classes, IconButton, NumberField, Section, Segmented, Slider, Toolbar } from "../../ui";
import { complain } from "../../state/store";
import { addPoint, removePoint } from "./actions";
import { type Control, type Curve, hasHeights, HIGHEST_DEGREE, levelled, mirrored, moved, MOST_CONTROLS, reversed, withDegree } from "./curve";
import { chosen, groundAsked, history, metres, opened, ownAgain, takePreset } from "./model";
import { type Preset, PRESETS, presetOf, sizeFor } from "./presets";

/** Metres of a preset's path at first, for clips that are shorter. */
const USUAL = 12;

/** What each preset looks like, on a grid of 20. */
const PICTURES: Record<string, string> = {
  line: "M10 17V3",
  circle: "M10 3a7 7 0 1 0 .01 0z",
  eight: "M10 10C10 5 3 5 3 10s7 5 7 0 7-5 7 0-7 5-7 0",
  zigzag: "M4 17v-5h4V8h4V4h4",
  wave: "M10 18c5-3 5-5 0-8s-5-5 0-8",
  square: "M4 4h12v12H4z",
  spiral: "M16 10c0 4-3 6.5-6 6.5S3.5 14 3.5 10 6.5 4.5 9.5 4.5 14 7 14 9.5 12.5 13.5 10 13.5 7 12 7 10 8 8 9.5 8",
  drawn: "M4 16c3-1 1-6 4-7s3 4 5 2 0-6 3-8",
};

export function PathSection() {
  const path = history.value.value;
  const preset = presetOf(path.shape);
  return (
    <Section title="Path" aside={<span class="repath-metres">{metres.value.toFixed(1)} m, {path.controls.length} points</span>}>
      <Toolbar class="repath-tools" label="Path tools">
        <IconButton icon="undo" label="Undo" shortcut="Ctrl+Z" disabled={!history.canUndo.value} onClick={() => history.undo()} />
        <IconButton icon="redo" label="Redo" shortcut="Ctrl+Shift+Z" disabled={!history.canRedo.value} onClick={() => history.redo()} />
        <span class="repath-gap" />
        <IconButton icon="plus" label="Add a point" shortcut="P" disabled={path.controls.length >= MOST_CONTROLS} onClick={addPoint} />
        <IconButton icon="minus" label="Remove the point" shortcut="Del" disabled={chosen.value === null || path.controls.length <= 2} onClick={removePoint} />
        <span class="repath-gap" />
        <IconButton icon="mirror" label="Mirror the path" onClick={() => history.commit(mirrored(path))} />
        <IconButton icon="loop" label="Walk it the other way" onClick={() => history.commit(reversed(path))} />
        <IconButton icon="top" label="Lay it level" disabled={!hasHeights(path)} onClick={() => history.commit(levelled(path))} />
      </Toolbar>
      <div class="repath-presets" role="group" aria-label="Presets">
        <button type="button" class="repath-preset" title="The clip's own path, as a spline" onClick={ownAgain}>
          <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M4 17C5 7 9 5 10 9s4 3 6-6" /><path class="repath-dots" d="M4 17h0M10 9h0M16 3h0" /></svg>
          Own
        </button>
        {PRESETS.map((each) => (
          <button
            key={each.name}
            type="button"
            class={classes("repath-preset", preset?.preset === each && "on")}
            aria-pressed={preset?.preset === each}
            onClick={() => take(each, sizeFor(each, Math.max(USUAL, opened.value?.own.length ?? 0)))}
          >
            <svg viewBox="0 0 20 20" aria-hidden="true"><path d={PICTURES[each.name]} /></svg>
            {each.title}
          </button>
        ))}
      </div>
      {preset && <SizeSlider preset={preset.preset} size={preset.size} />}
      <Segmented
        label="Degree"
        value={String(path.degree)}
        options={Array.from({ length: HIGHEST_DEGREE }, (_, i) => ({
          value: String(i + 1),
          label: String(i + 1),
          hint: i === 0 ? "Straight from point to point" : `Curves of degree ${i + 1}`,
          disabled: i + 1 >= path.controls.length,
        }))}
        onChange={(degree) => history.commit(withDegree(path, Number(degree)))}
      />
      {chosen.value !== null && path.controls[chosen.value] ? (
        <PointFields path={path} index={chosen.value} />
      ) : (
        <p class="faint">Drag a point to bend the path, with Shift to raise it. Double-click the floor to add a point, a point to remove it.</p>
      )}
    </Section>
  );
}

function SizeSlider({ preset, size }: { preset: Preset; size: number }) {
  return (
    <Slider
      label={preset.size}
      value={size}
      min={preset.least}
      max={preset.most}
      step={0.5}
      unit="m"
      onInput={(value) => take(preset, value, true)}
      onChange={(value) => take(preset, value)}
    />
  );
}

function PointFields({ path, index }: { path: Curve; index: number }) {
  const [x, y, z] = path.controls[index]!;
  const set = (to: Control) => history.commit(moved(path, index, to));
  return (
    <div class="repath-point" role="group" aria-label={`Point ${index + 1} of ${path.controls.length}`}>
      <span class="repath-point-name">Point {index + 1}</span>
      <NumberField label="Left" value={x} step={0.05} digits={2} unit="m" min={-500} max={500} onChange={(value) => set([value, y, z])} />
      <NumberField label="Ahead" value={z} step={0.05} digits={2} unit="m" min={-500} max={500} onChange={(value) => set([x, y, value])} />
      {groundAsked.value === null ? (
        <NumberField label="Height" value={y} step={0.05} digits={2} unit="m" min={0} max={20} onChange={(value) => set([x, value, z])} />
      ) : (
        <p class="faint">The ground says how high it is here.</p>
      )}
    </div>
  );
}

function take(preset: Preset, size: number, dragged = false): void {
  takePreset(preset, size, dragged).catch(complain);
}

/** The path: a shape to begin with, its points, and as an expert's setting its degree. */

import { Points } from "../../path/points";
import { ShapeField } from "../../path/shape-field";
import { sizeFor } from "../../path/shapes";
import { complain } from "../../state/store";
import { IconButton, NumberField, Section, Segmented } from "../../ui";
import { addPoint, chooseNext, nudgeChosen, removePoint } from "./actions";
import { type Control, type Curve, HIGHEST_DEGREE, MOST_CONTROLS, moved, pointsOf, withDegree } from "./curve";
import { chosen, groundAsked, history, metres, opened, OWN, ownAgain, takePreset, tool } from "./model";

/** Metres of a shape's path at first, for clips that are shorter. */
const USUAL = 12;

const others = [{ value: OWN, label: "The clip’s own path" }];

export function PathSection() {
  const path = history.value.value;
  const points = pointsOf(path);
  return (
    <Section title="Path" aside={<span class="repath-metres">{metres.value.toFixed(1)} m, {points.length} points</span>} fixed>
      <ShapeField
        text={path.shape}
        size={(preset) => sizeFor(preset, Math.max(USUAL, opened.value?.own.length ?? 0))}
        others={others}
        other={path.shape === OWN ? OWN : ""}
        onOther={(value) => value === OWN && ownAgain()}
        onTake={(text, resized, last) => void takePreset(text, resized && !last).catch(complain)}
      />
      {tool.value === "points" && (
        <>
          <Points
            points={points.map(([x, , z]) => [x, z])}
            chosen={chosen.value}
            choose={(index) => (chosen.value = index)}
            step={chooseNext}
            nudge={nudgeChosen}
            add={addPoint}
            remove={removePoint}
          />
          {chosen.value !== null && points[chosen.value] && <PointFields path={path} index={chosen.value} />}
        </>
      )}
    </Section>
  );
}

/** How the curve is computed between its points. */
export function Degree() {
  const path = history.value.value;
  return (
    <Segmented
      label="Degree of the path"
      value={String(path.degree)}
      options={Array.from({ length: HIGHEST_DEGREE }, (_, i) => ({
        value: String(i + 1),
        label: String(i + 1),
        hint: i === 0 ? "Straight from point to point" : `Curves of degree ${i + 1}`,
        disabled: i + 1 >= path.controls.length,
      }))}
      onChange={(degree) => history.commit(withDegree(path, Number(degree)))}
    />
  );
}

function PointFields({ path, index }: { path: Curve; index: number }) {
  const [x, y, z] = pointsOf(path)[index]!;
  const set = (to: Control) => history.commit(moved(path, index, to));
  return (
    <div class="repath-point" role="group" aria-label={`Point ${index + 1} of ${path.controls.length}`}>
      <div class="repath-point-name">
        <span>Point {index + 1}</span>
        <IconButton icon="plus" label="Add a point after it" disabled={path.controls.length >= MOST_CONTROLS} onClick={addPoint} />
        <IconButton icon="trash" label="Remove this point" shortcut="Del" disabled={path.controls.length <= 2} onClick={removePoint} />
      </div>
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

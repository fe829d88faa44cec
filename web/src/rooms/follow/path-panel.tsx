/** Making the path: presets, smoothing, points by keyboard, sketches. */

import { useState } from "preact/hooks";
import { Button, Dialog, Empty, IconButton, Section, Slider } from "../../ui";
import { Points } from "../../path/points";
import { ShapeField } from "../../path/shape-field";
import { SaveAs } from "../../shell/save-as";
import { addAhead, chooseAt, chooseControl, nudge, place, smoothPath } from "./actions";
import { MOST_SMOOTHING, pointsOf, sent } from "./drawing";
import { turnsInWords } from "./figures";
import { inWords, removeObstacle } from "./obstacles";
import * as sketches from "./sketches";
import { chosen, course, dragging, graphDetail, others, tool, turns } from "./state";
import { removeControl } from "./tools";

/** The section of the path. */
export function PathPanel() {
  const { drawing } = course.value;
  const none = !drawing.source;
  return (
    <Section title="Path" aside={<Sketches />} fixed>
      <Shape />
      <Slider
        label="Smooth"
        hint="Wider turns: the path is smoothed over so many metres"
        value={drawing.smooth}
        min={0}
        max={MOST_SMOOTHING}
        step={0.05}
        unit="m"
        disabled={none}
        onInput={(width) => {
          dragging.value = true;
          smoothPath(width, false);
        }}
        onChange={(width) => {
          smoothPath(width, true);
          dragging.value = false;
        }}
      />
      {none && (
        <>
          <p class="follow-hint">Draw on the floor, or choose a shape. Thin lines are 1 m apart, thick ones 5 m.</p>
          {can() && <p class="follow-hint">{can()}</p>}
        </>
      )}
      {tool.value === "points" && (
        <Points
          points={pointsOf(drawing)}
          chosen={chosen.value}
          others={others.value}
          choose={chooseAt}
          step={chooseControl}
          nudge={nudge}
          add={addAhead}
          remove={() => chosen.value !== null && removeControl(chosen.value)}
        />
      )}
      <Obstacles />
    </Section>
  );
}

/** What the graph can do, in a sentence or two; empty where nobody in it gets anywhere. */
function can(): string {
  const speeds = Object.entries(graphDetail.value?.speeds ?? {}).map(([label, speed]) => `${label.replaceAll("_", " ")} ${speed.toFixed(1)} m/s`);
  return speeds.length ? `This graph can: ${speeds.join(", ")}. ${turnsInWords(turns.value)}` : "";
}

/** What stands in the way, to be taken away again. */
function Obstacles() {
  const all = course.value.obstacles ?? [];
  if (all.length === 0) return null;
  return (
    <ul class="follow-list" aria-label="Obstacles">
      {all.map((one, index) => (
        <li key={index}>
          <span class="follow-name">Obstacle, {inWords(one)}</span>
          <IconButton icon="trash" label={`Remove obstacle ${index + 1}`} onClick={() => removeObstacle(index)} />
        </li>
      ))}
    </ul>
  );
}

function Shape() {
  const { source } = course.value.drawing;
  return (
    <ShapeField
      text={source?.kind === "shape" ? source.text : null}
      onTake={(text, resized, last) => {
        if (resized) dragging.value = true;
        void place(text, resized, last).then(() => last && (dragging.value = false));
      }}
    />
  );
}

function Sketches() {
  const [open, setOpen] = useState(false);
  const all = sketches.sketches.value;
  const close = (): void => setOpen(false);
  return (
    <>
      <Button small kind="quiet" icon="keep" onClick={() => setOpen(true)}>
        Sketches
      </Button>
      {open && (
        <Dialog title="Sketches" onClose={close}>
          <SaveAs label="Name of this path" disabled={sent(course.value.drawing) === null} save={sketches.save} done={close} />
          {all.length === 0 ? (
            <Empty title="No sketches yet" text="Draw a path, give it a name and save it. It can be loaded here, and given to the command line." />
          ) : (
            <ul class="follow-list">
              {all.map((sketch) => (
                <li key={sketch.id}>
                  <button
                    type="button"
                    class="follow-name"
                    onClick={() => {
                      void sketches.open(sketch);
                      close();
                    }}
                  >
                    {sketch.name}
                  </button>
                  <IconButton icon="trash" label={`Delete the sketch ${sketch.name}`} onClick={() => void sketches.remove(sketch)} />
                </li>
              ))}
            </ul>
          )}
        </Dialog>
      )}
    </>
  );
}

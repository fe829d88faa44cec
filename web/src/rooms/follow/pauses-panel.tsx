/** Pauses, by their metres and seconds. */

import { Button, ExactField, IconButton } from "../../ui";
import { addPause, changePause, on, removePause } from "./pauses";
import { course, shownLength } from "./state";

const lasting = (value: number): string | null => (value > 0 && value <= 60 ? null : "More than 0 s, and 60 at most.");

/** The list of pauses, and one more. */
export function Pauses() {
  const metres = shownLength.value;
  const held = on(course.value.pauses, metres);
  const within = (value: number): string | null => (value >= 0 && value <= metres ? null : `From 0 to ${metres.toFixed(1)} m, which is where the path ends.`);
  return (
    <>
      {held.map((one, index) => (
        <div class="follow-pause" key={index} role="group" aria-label={`Pause ${index + 1}`}>
          <i />
          <span>Pause at</span>
          <ExactField label="At metre" hideLabel value={one.at} step={0.1} unit="m" refuse={within} onChange={(at) => at !== null && changePause(index, { at })} />
          <span>for</span>
          <ExactField label="For seconds" hideLabel value={one.seconds} step={0.5} unit="s" refuse={lasting} onChange={(seconds) => seconds !== null && changePause(index, { seconds })} />
          <IconButton icon="close" label={`Remove pause ${index + 1}`} onClick={() => removePause(index)} />
        </div>
      ))}
      <Button small kind="quiet" icon="pause" disabled={metres <= 0} onClick={() => addPause()}>
        Add a pause
      </Button>
    </>
  );
}

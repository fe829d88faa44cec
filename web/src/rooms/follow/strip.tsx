/** The path laid out straight, metre by metre: labels are painted on it with the pointer. */

import { useComputed } from "@preact/signals";
import { useRef } from "preact/hooks";
import { labelColour } from "../../ui";
import { given, givenInWords } from "./figures";
import { restLabel, within } from "./sections";
import { answer, course, labels, painting, problem, shownLength, stroke } from "./state";
import { endPaint, paintLabel } from "./tools";

const share = (metres: number, length: number): string => `${(100 * Math.min(1, metres / length)).toFixed(3)}%`;

/** Metres at which the strip is marked: about six of them, at round numbers. */
export function ticks(length: number): number[] {
  const step = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500].find((one) => length / one <= 7) ?? 1000;
  return Array.from({ length: Math.floor(length / step + 1e-9) + 1 }, (_, i) => i * step);
}

/** The strip. By keyboard the same is done in the list below it. */
export function Strip() {
  const bar = useRef<HTMLDivElement>(null);
  const stretches = useComputed(() => within(course.value.stretches, shownLength.value));
  const length = shownLength.value;
  const now = painting.value;

  function metresAt(event: PointerEvent): number {
    const box = bar.current!.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * length;
  }

  function down(event: PointerEvent): void {
    if (event.button !== 0 || length <= 0 || stroke.value) return;
    bar.current!.setPointerCapture(event.pointerId);
    const at = metresAt(event);
    painting.value = { from: at, to: at };
  }

  function move(event: PointerEvent): void {
    if (painting.value && bar.current!.hasPointerCapture(event.pointerId)) painting.value = { ...painting.value, to: metresAt(event) };
  }

  const rest = restLabel(course.value.label, labels.value);
  const nothing = stretches.value.length === 0 && !course.value.label ? "any label" : rest;
  const marks = length > 0 ? ticks(length) : [];
  // what came of it, where it still belongs to what is painted
  const quality = problem.value || stroke.value || length <= 0 ? null : answer.value?.facts.quality;
  const found = given(quality);
  return (
    <div class="follow-strip">
      <div
        ref={bar}
        class="follow-strip-bar"
        role="img"
        aria-label={`Labels along ${length.toFixed(1)} m: ${
          stretches.value.map((one) => `${one.label} from ${one.first.toFixed(1)} to ${one.last.toFixed(1)}`).join(", ") || nothing
        }`}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={endPaint}
        onPointerCancel={endPaint}
      >
        <span class="follow-strip-rest">{length > 0 ? nothing : "no path yet"}</span>
        {stretches.value.map((one) => (
          <span
            key={`${one.first}`}
            class="follow-strip-part"
            style={{
              left: share(one.first, length),
              width: share(one.last - one.first, length),
              "--label": `var(${labelColour(one.label)})`,
            }}
          >
            {one.label}
          </span>
        ))}
        {now && (
          <span
            class="follow-strip-part follow-strip-now"
            style={{
              left: share(Math.min(now.from, now.to), length),
              width: share(Math.abs(now.to - now.from), length),
              background: `var(${paintLabel() ? labelColour(paintLabel()) : "--surface-2"})`,
            }}
          />
        )}
      </div>
      <div
        class="follow-strip-given"
        role="img"
        aria-label={found.length ? `Given: ${found.map((one) => `${one.label} from ${one.first.toFixed(1)} to ${one.last.toFixed(1)}`).join(", ")}` : "Nothing given yet"}
        title="What the result gives of it"
      >
        {found.map((one) => (
          <span
            key={`${one.first}`}
            style={{ left: share(one.first, length), width: share(one.last - one.first, length), background: `var(${labelColour(one.label)})` }}
          />
        ))}
      </div>
      <div class="follow-strip-scale" aria-hidden="true">
        {marks.map((metres, i) => (
          <span key={metres} style={{ left: share(metres, length) }}>
            {metres}
            {i === marks.length - 1 ? " m" : ""}
          </span>
        ))}
      </div>
      {givenInWords(quality).map((sentence) => (
        <p key={sentence} class="follow-hint">
          {sentence}
        </p>
      ))}
    </div>
  );
}

/** What stands above and below the heat-map: the two clips, and the transition at the chosen minimum. */

import type { JSX } from "preact";
import type { Blend } from "../../api/types";
import { blends } from "../../state/choices";
import { playing } from "../../state/playback";
import { Button, IconButton, Segmented, Select } from "../../ui";
import { playChosen, stepMinimum } from "./matrix-window";
import { upTo } from "./minima";
import { blend, chosen, matrix, pair, pairIds, pairThreshold, scene, usable } from "./model";
import { making, playTransition } from "./scene";
import { many } from "./words";

/** The clips of the pair, and how often they meet. */
export function MatrixHead(): JSX.Element | null {
  const ids = pairIds.value;
  if (!ids) return null;
  const options = usable.value.map((clip) => ({ value: clip.id, label: clip.name }));
  const set = (part: Partial<typeof ids>): void => void (pair.value = { ...ids, ...part });
  return (
    <div class="graph-pair">
      <Select label="Clip A" hideLabel value={ids.a} options={options} onChange={(a) => set({ a })} />
      <IconButton icon="swap" label="Exchange A and B" onClick={() => set({ a: ids.b, b: ids.a })} />
      <Select label="Clip B" hideLabel value={ids.b} options={options} onChange={(b) => set({ b })} />
    </div>
  );
}

/** How many minima there are, and how many of them the threshold lets through. */
export function MinimaCount(): JSX.Element | null {
  const now = matrix.value;
  if (!now) return null;
  const all = now.total;
  const limit = pairThreshold.value;
  const below = limit === null ? "" : `, ${upTo(now.minima, limit).toLocaleString("en")} up to ${limit.toFixed(1)} cm`;
  return <span class="graph-note">{all === 0 ? "no minima" : `${many(all, "minimum", "minima")}${below}`}</span>;
}

/** The chosen minimum, and the transition there with each blend. */
export function MatrixFoot(): JSX.Element | null {
  const now = matrix.value;
  if (!now) return null;
  const n = chosen.value;
  const { first, second, cost } = now.minima;
  const at = (frame: number): string => `${(frame / now.fps).toFixed(2)} s`;
  const shown = scene.value;
  const place = n >= 0 ? { i: first[n]!, j: second[n]! } : shown.kind === "transition" || shown.kind === "pair" ? shown : null;
  const change = (next: Blend): void => {
    blend.value = next;
    if (place) playTransition(place.i, place.j);
  };
  return (
    <div class="graph-foot matrix">
      <div class="graph-minimum">
        <IconButton icon="left" label="Cheaper minimum" disabled={n <= 0} onClick={() => stepMinimum(-1)} />
        <span class="graph-place">
          {n >= 0 ? (
            <span>
              <b>{cost[n]!.toFixed(1)} cm</b>, minimum {n + 1} of {cost.length}
            </span>
          ) : (
            <span>{place ? "Not a minimum" : "No minimum"}</span>
          )}
          {place && (
            <small>
              A {at(place.i)} → B {at(place.j)}
            </small>
          )}
        </span>
        <IconButton icon="right" label="Dearer minimum" disabled={n >= cost.length - 1} onClick={() => stepMinimum(1)} />
        <Button
          kind="primary"
          icon="play"
          disabled={!place || making.value}
          onClick={() => (n >= 0 ? playChosen() : place && playTransition(place.i, place.j))}
        >
          {shown.kind === "transition" && playing.value ? "Play again" : "Play transition"}
        </Button>
      </div>
      <Segmented label="Blend" hideLabel value={blend.value} options={blends.value} onChange={(next) => change(next as Blend)} />
    </div>
  );
}

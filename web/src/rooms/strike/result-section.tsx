/** What came of a strike: whether it hits, how far to trust it, and what it is blended of. */

import type { StrikeFacts } from "../../api/types";
import { Button, classes, Facts, Notice, Section, sentenceCase } from "../../ui";
import { KeepResult } from "../../shell/keep-result";
import { aimAtNearest, busy, limb, made, problem } from "./model";

/** Smaller weights are not seen in the result. */
const SMALL = 0.01;
const MOST = 6;

export function ResultSection() {
  const now = made.value;
  return (
    <Section title="Strike" aside={<span class="strike-busy" role="status">{busy.value ? "striking…" : ""}</span>}>
      {now ? (
        <div class="made" data-stale={problem.value !== null}>
          <Verdict strike={now.strike} short={now.facts.short} />
          <Facts
            items={[
              ["Limb", limb.value],
              ["Off the target", off(now.strike.miss_cm)],
              ["Target", now.strike.inside ? "inside the region" : "outside the region"],
              ["Reliability", <Bar key="bar" value={now.strike.reliability} />],
              ...ways(now.facts.quality),
              ["Hit", `${(now.strike.hit_frame / now.motion.fps).toFixed(2)} s, ${now.strike.hit[2].toFixed(2)} m ahead`],
            ]}
          />
          <Weights strike={now.strike} />
          <p class="faint">{sentenceCase(now.strike.finish)}</p>
          {(now.facts.warnings ?? []).map((warning) => (
            <Notice key={warning} kind="warn">{sentenceCase(warning)}</Notice>
          ))}
          {now.facts.notices.map((notice) => (
            <Notice key={notice}>{sentenceCase(notice)}</Notice>
          ))}
          {problem.value === null && <KeepResult id={now.facts.id} title={now.facts.title} />}
        </div>
      ) : (
        <p class="faint">Click the target plane: the strike is made at once.</p>
      )}
    </Section>
  );
}

/** How a strike between two walks is entered and left. */
function ways(quality: Record<string, any> | null): [string, string][] {
  const told = (of: Record<string, any>, end: string): string => `${of[end]}, ${Number(of["cost_cm"]).toFixed(1)} cm`;
  const [entered, left] = [quality?.["entered"], quality?.["left"]];
  return entered && left ? [["Comes from", told(entered, "from")], ["Goes on to", told(left, "to")]] : []; // prettier-ignore
}

function Verdict({ strike, short }: { strike: StrikeFacts; short: string | null }) {
  if (strike.reached) return null;
  return (
    <Notice kind="warn">
      {sentenceCase(short ?? "this target cannot be reached: the nearest strike is shown")}
      <div class="strike-nearest">
        <Button small icon="target" onClick={aimAtNearest}>Aim at the nearest</Button>
      </div>
    </Notice>
  );
}

function Bar({ value }: { value: number }) {
  return (
    <span class="strike-bar" title="1: as sure as at the captured strikes">
      <span>
        <i style={{ width: `${100 * Math.min(Math.max(value, 0), 1)}%` }} />
      </span>
      {value.toFixed(2)}
    </span>
  );
}

/** Weights as bars from a common zero: some take away, and lie to its left. */
function Weights({ strike }: { strike: StrikeFacts }) {
  const shown = strike.weights.filter(({ weight }) => Math.abs(weight) >= SMALL);
  const least = Math.min(0, ...shown.map(({ weight }) => weight));
  const most = Math.max(1e-6, ...shown.map(({ weight }) => weight));
  const span = most - least;
  return (
    <ul class="strike-weights" aria-label={strike.way === "nearest" ? "The strike that is bent onto the target" : "What it is blended of"}>
      {shown.slice(0, MOST).map(({ clip, weight }) => (
        <li key={clip}>
          <span title={clip}>{clip}</span>
          <div>
            <i class={classes(weight < 0 && "minus")} style={{ left: `${(100 * (Math.min(weight, 0) - least)) / span}%`, width: `${(100 * Math.abs(weight)) / span}%` }} />
          </div>
          <b>{weight.toFixed(2)}</b>
        </li>
      ))}
      {shown.length > MOST && <li class="more">and {shown.length - MOST} more</li>}
    </ul>
  );
}

function off(centimetres: number): string {
  return centimetres < 0.005 ? "hit exactly" : centimetres < 1 ? `${(10 * centimetres).toFixed(1)} mm` : `${centimetres.toFixed(1)} cm`;
}

/** What came of it: figures and notices, and ways on. */

import { Button, Facts, Notice, Section, sentenceCase } from "../../ui";
import { KeepResult } from "../../shell/keep-result";
import { busy, made, opened, options, problem, tooShort } from "./model";

interface Spread {
  mean: number;
  max: number;
}

export function ResultSection() {
  const now = made.value;
  return (
    <Section title="Result" aside={<span class="repath-busy" role="status">{busy.value ? "laying…" : ""}</span>}>
      {now ? (
        <div class="made" data-stale={problem.value !== null}>
          <Facts items={figures(now.facts.quality ?? {})} />
          {tooShort.value && (
            <Notice kind="info">
              The clip's own path is {opened.value?.own.length.toFixed(1)} m long and ends before this one.
              <div class="repath-way-on">
                <Button small icon="loop" onClick={() => (options.value = { ...options.value, cycle: true })}>Repeat the clip</Button>
              </div>
            </Notice>
          )}
          {(now.facts.warnings ?? []).map((warning) => (
            <Notice key={warning} kind="warn">{sentenceCase(warning)}</Notice>
          ))}
          {news(now.facts.notices).map((notice) => (
            <Notice key={notice} kind="info">{sentenceCase(notice)}</Notice>
          ))}
          {problem.value === null && <KeepResult id={now.facts.id} title={now.facts.title} />}
        </div>
      ) : (
        <p class="faint">The motion is laid on the path as soon as there is one.</p>
      )}
    </Section>
  );
}

/** Notices of the result that are not those of the clip, which the library tells. */
function news(notices: readonly string[]): string[] {
  const known = new Set(opened.value?.motion.notices);
  return [...new Set(notices)].filter((notice) => !known.has(notice));
}

/** The server's figures by their names, as far as it tells them. */
function figures(quality: Record<string, any>): [string, string][] {
  const spread = (value: Spread | null | undefined, unit: string) => value && `${value.mean.toFixed(1)}, at most ${value.max.toFixed(1)} ${unit}`;
  const share = quality["reached"] as number | undefined;
  const speed = quality["speed"] as { mean: number; source: number } | undefined;
  const loop = quality["loop"] as { seams: number } | null | undefined;
  const rows: [string, string | null | undefined][] = [
    ["Length", `${Number(quality["seconds"]).toFixed(1)} s, ${Number(quality["walked_m"]).toFixed(1)} m walked`],
    ["Path walked", share === undefined ? null : `${Math.round(100 * share)} % of ${Number(quality["path_length_m"]).toFixed(1)} m`],
    ["Off the path", spread(quality["deviation_cm"], "cm")],
    ["Speed", speed && `${speed.mean.toFixed(2)} m/s, captured ${speed.source.toFixed(2)}`],
    ["Feet slide", spread(quality["slide_mm"], "mm")],
    ["Slid before", spread(quality["before"]?.slide_mm, "mm")],
    ["Let go", quality["let_go"] ? `${Math.round(100 * quality["let_go"])} % of the time that feet stood` : null],
    ["Seams", loop ? String(loop.seams) : null],
  ];
  return rows.filter((row): row is [string, string] => Boolean(row[1]));
}

/** What came of it: figures and notices, and ways on. */

import { Figure } from "../../path/figures";
import { KeepResult } from "../../shell/keep-result";
import { Button, Notice, sentenceCase } from "../../ui";
import { busy, made, opened, options, problem, tooShort } from "./model";

interface Spread {
  mean: number;
  max: number;
}

/** The figures, always in sight at the foot of the panel. */
export function ResultFoot() {
  const now = made.value;
  return (
    <div class="path-result" aria-busy={busy.value}>
      <header>
        <h3>
          Result
          <span class="searching" role="status" data-on={busy.value}>
            {busy.value ? <span class="searching-text">Laying…</span> : null}
          </span>
        </h3>
      </header>
      {now ? (
        <>
          <dl class="path-figures" data-stale={problem.value !== null}>
            <Figures of={now.facts.quality ?? {}} />
          </dl>
          {tooShort.value && (
            <Notice kind="info">
              The clip's own path is {opened.value?.own.length.toFixed(1)} m long and ends before this one.
              <div class="path-ways">
                <Button small icon="loop" onClick={() => (options.value = { ...options.value, cycle: true })}>Repeat the clip</Button>
              </div>
            </Notice>
          )}
          <Told warnings={now.facts.warnings ?? []} notices={news(now.facts.notices)} />
          {problem.value === null && <KeepResult id={now.facts.id} title={now.facts.title} />}
        </>
      ) : (
        <p class="faint">The motion is laid on the path as soon as there is one.</p>
      )}
    </div>
  );
}

function Told({ warnings, notices }: { warnings: readonly string[]; notices: readonly string[] }) {
  if (warnings.length + notices.length === 0) return null;
  return (
    <div class="path-warnings">
      {warnings.map((warning) => (
        <Notice key={warning} kind="warn">{sentenceCase(warning)}</Notice>
      ))}
      {notices.map((notice) => (
        <Notice key={notice} kind="info">{sentenceCase(notice)}</Notice>
      ))}
    </div>
  );
}

/** Notices of the result that are not those of the clip, which the library tells. */
function news(notices: readonly string[]): string[] {
  const known = new Set(opened.value?.motion.notices);
  return [...new Set(notices)].filter((notice) => !known.has(notice));
}

/** The server's figures by their names, as far as it tells them. */
function Figures({ of }: { of: Record<string, any> }) {
  const deviation = of["deviation_cm"] as Spread | null | undefined;
  const slide = of["slide_mm"] as Spread | null | undefined;
  const before = of["before"]?.slide_mm as Spread | null | undefined;
  const share = of["reached"] as number | undefined;
  const speed = of["speed"] as { mean: number; source: number } | undefined;
  const seams = (of["loop"] as { seams: number } | null | undefined)?.seams;
  const slid = before ? `As captured: mean ${before.mean.toFixed(1)} mm, most ${before.max.toFixed(1)} mm` : undefined;
  return (
    <>
      {deviation && <Figure name="Off the path" value={deviation.mean.toFixed(1)} unit="cm" more={`max ${deviation.max.toFixed(1)}`} />}
      {slide && <Figure name="Feet slide" value={slide.mean.toFixed(1)} unit="mm" more={`max ${slide.max.toFixed(1)}`} title={slid} />}
      {speed && <Figure name="Speed" value={speed.mean.toFixed(2)} unit="m/s" more={`captured ${speed.source.toFixed(2)}`} />}
      <Figure name="Time" value={Number(of["seconds"]).toFixed(1)} unit="s" more={`${Number(of["walked_m"]).toFixed(1)} m`} />
      {share !== undefined && share < 0.995 && <Figure name="Path walked" value={String(Math.round(100 * share))} unit="%" more={`of ${Number(of["path_length_m"]).toFixed(1)} m`} />}
      {of["let_go"] > 0 && <Figure name="Feet let go" value={String(Math.round(100 * of["let_go"]))} unit="%" more="of their stands" />}
      {seams !== undefined && <Figure name="Seams" value={String(seams)} />}
    </>
  );
}

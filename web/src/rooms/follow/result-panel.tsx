/** What came of it: figures, sentences, and ways on where it could not be done. */

import type { ComponentChildren } from "preact";
import { floats } from "../../api/pack";
import type { TransitionFacts } from "../../api/types";
import { pause, seekFrame } from "../../state/playback";
import { KeepResult, keptAs } from "../../shell/keep-result";
import { Button, fileName, Notice, Section, sentenceCase } from "../../ui";
import { avoid, avoidNothing } from "./actions";
import { figures, percent, reached, sentences, shares, told, warnings, type Spread } from "./figures";
import { keep } from "./kept";
import { aroundSomething, missed, missedInWords } from "./missed";
import { remedies, tried, trying } from "./remedies";
import { askAgain } from "./search";
import { answer, following, mode, problem, searching, type Answer } from "./state";

/** The figures, always in sight at the foot of the panel. */
export function ResultPanel() {
  const now = answer.value;
  const of = figures(now?.facts.quality);
  const onPath = mode.value === "path";
  return (
    <div class="path-result" aria-busy={searching.value}>
      <header>
        <h3>
          Result
          <span class="searching" role="status" data-on={searching.value}>
            {searching.value ? <span class="searching-text">Searching…</span> : null}
          </span>
        </h3>
      </header>
      <Trouble />
      <dl class="path-figures" data-stale={problem.value !== null}>
        {onPath && <Figure name="Off the path" spread={of.deviation} unit="cm" id="deviation" />}
        <Figure name="Feet slide" spread={of.slide} clips={of.clipsSlide} unit="mm" id="slide" />
        <div>
          <dt>Transitions</dt>
          <dd>
            {told(of.transitions, 0)}
            <Worst of={now?.facts.transitions ?? []} />
          </dd>
        </div>
        <div>
          <dt>Time</dt>
          <dd>
            {told(of.seconds, 1)}
            <small>s</small>
            {of.walked !== null && onPath && <span class="path-max">{told(of.walked, 1)} m</span>}
          </dd>
        </div>
        {!onPath && (
          <div>
            <dt>Walked</dt>
            <dd>
              {told(of.walked, 1)}
              <small>m</small>
            </dd>
          </div>
        )}
      </dl>
      {problem.value === null && now && onPath && <Avoiding of={now.facts.transitions} />}
      {problem.value === null && now && onPath && !aroundSomething(now.question.body) && <Left of={now} />}
      {problem.value === null && <Warnings of={warnings(now?.facts)} />}
      {problem.value === null && now && <KeepResult id={now.facts.id} title={now.facts.title} keep={keepNow} />}
    </div>
  );
}

/** That it leaves its path, and what mends it. */
function Left({ of }: { of: Answer }) {
  const words = missedInWords(missed(floats(of.pack, "deviation_cm")), of.motion.fps);
  if (!words) return null;
  return (
    <Notice kind="error">
      <p>{words}</p>
      <Ways />
    </Notice>
  );
}

/** What was tried and mends it. */
function Ways({ children }: { children?: ComponentChildren }) {
  return (
    <div class="path-ways" aria-live="polite">
      {remedies.value.map(({ words, apply }) => (
        <Button key={words} small onClick={apply}>
          {words}
        </Button>
      ))}
      {children}
      {trying.value && <span class="follow-hint">Trying what would help…</span>}
      {tried.value && remedies.value.length === 0 && <span class="follow-hint">No one change of the wishes mends it: another path, or other clips would.</span>}
    </div>
  );
}

/** Where the result is worse than the clips that it is made of, beside its figures. */
function Warnings({ of }: { of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <div class="path-warnings">
      {of.map((sentence) => (
        <Notice key={sentence} kind="warn">
          {sentence}
        </Notice>
      ))}
    </div>
  );
}

function Figure({ name, spread, clips, unit, id }: { name: string; spread: Spread | null; clips?: Spread | null; unit: string; id: string }) {
  const own = clips ? `; in the clips ${clips.mean} ${unit}, most ${clips.max} ${unit}` : "";
  return (
    <div data-figure={id} title={spread ? `Mean ${spread.mean} ${unit}, most ${spread.max} ${unit}${own}` : undefined}>
      <dt>{name}</dt>
      <dd>
        <span data-mean={spread?.mean}>{told(spread?.mean ?? null, 1)}</span>
        <small>{unit}</small>
        <span class="path-max" data-max={spread?.max}>
          max {told(spread?.max ?? null, 1)}
        </span>
      </dd>
    </div>
  );
}

/** To the transition between the least alike poses. */
function Worst({ of }: { of: readonly TransitionFacts[] }) {
  const worst = worstOf(of);
  if (!worst) return null;
  const words = `The worst: ${worst.from} to ${worst.to}, ${told(worst.cost_cm, 1)} cm apart`;
  return (
    <button
      type="button"
      class="follow-worst"
      title={words}
      onClick={() => {
        pause();
        seekFrame(worst.first + Math.floor(worst.length / 2));
      }}
    >
      worst {told(worst.cost_cm, 1)} cm
    </button>
  );
}

/** Search again without the worst transition; and what is avoided already. */
function Avoiding({ of }: { of: readonly TransitionFacts[] }) {
  const worst = worstOf(of);
  const count = following.value.avoid?.length ?? 0;
  return (
    <p class="follow-avoid">
      {worst?.at && (
        <button type="button" class="follow-worst" title={`${worst.from} to ${worst.to} is taken only where there is hardly another way`} onClick={() => avoid(worst.at!)}>
          Search without the worst transition
        </button>
      )}
      {count > 0 && (
        <button type="button" class="follow-worst" onClick={avoidNothing}>
          {count === 1 ? "Allow the one that is avoided" : `Allow the ${count} that are avoided`}
        </button>
      )}
    </p>
  );
}

/** The transition between the least alike poses. */
function worstOf(of: readonly TransitionFacts[]): TransitionFacts | null {
  return of.reduce<TransitionFacts | null>((most, one) => (most && most.cost_cm >= one.cost_cm ? most : one), null);
}

/** Keep what is shown, named by what it is. */
export async function keepNow(): Promise<void> {
  const now = answer.value;
  // what is still shown after a search that failed is not what was asked for
  if (now && !problem.value && !keptAs(now.facts.id)) await keep(fileName(now.facts.title, "walk", 60));
}

/** Why it could not be done, or only in part, and what to do about it. */
function Trouble() {
  const wrong = problem.value;
  const short = answer.value?.facts.short;
  if (!wrong && !short) return null;
  const sentence = wrong ? sentenceCase(wrong.sentence) : sentences({ short: short ?? null, notices: [] })[0];
  return (
    <Notice kind={wrong ? "error" : "warn"}>
      <p>{sentence}</p>
      <Ways>
        {wrong && wrong.status !== 409 && wrong.status !== 422 && (
          <Button small onClick={askAgain}>
            Try again
          </Button>
        )}
      </Ways>
    </Notice>
  );
}

/** Clips and labels of the walk with their shares, and what else is to be told. */
export function MadeOf() {
  const now = answer.value;
  if (!now) return null;
  const notices = sentences({ short: null, notices: now.facts.notices });
  return (
    <Section title="Made of" closed>
      <Steps of={now.facts.quality?.["items"]} />
      <Shares title="Labels" of={now.facts.quality?.["labels"]} most={6} />
      <Shares title="Clips" of={now.facts.quality?.["clips"]} most={8} />
      {notices.map((notice) => (
        <Notice key={notice}>{notice}</Notice>
      ))}
    </Section>
  );
}

function Steps({ of }: { of: unknown }) {
  const steps = reached(of);
  if (steps.length === 0) return null;
  return (
    <div class="follow-shares">
      <h4>Reached</h4>
      <ul>
        {steps.map((step, index) => (
          <li key={index} title={`For ${told(step.stayed, 1)} s`}>
            <span>{step.name}</span>
            <b>{told(step.seconds, 1)} s</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Shares({ title, of, most }: { title: string; of: unknown; most: number }) {
  const { shown, more } = shares(of, most);
  if (shown.length === 0) return null;
  return (
    <div class="follow-shares">
      <h4>{title}</h4>
      <ul>
        {shown.map(([name, share]) => (
          <li key={name} style={{ "--share": `${100 * share}%` }}>
            <span>{name}</span>
            <b>{percent(share)}</b>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="follow-hint">and {more} more</p>}
    </div>
  );
}

/** The graphs there are, and the open one in figures: groups, threshold, what was dropped. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { GraphDetail } from "../../api/types";
import { select, server, goTo } from "../../state/store";
import { Button, Empty, IconButton, Name, Notice, Section, Slider } from "../../ui";
import { addToGraph, deleteGraph, rechoose } from "./actions";
import { curveRange, readCurve } from "./curve";
import { CurvePlot } from "./curve-plot";
import { JobCard } from "./job-card";
import { detail, refusal, tab, trial, usable } from "./model";
import { unfit } from "./picking";
import { bridgesInWords, count, droppedInWords, inWords, many, percent } from "./words";

/** The list, then the open graph. */
export function GraphsTab(): JSX.Element {
  const graphs = server.value?.graphs ?? [];
  const open = detail.value;
  return (
    <>
      <JobCard />
      {graphs.length === 0 ? (
        <Empty title="No graph yet" text="A motion graph joins clips wherever one can become another. Build one from your clips.">
          <Button kind="primary" onClick={() => (tab.value = "build")}>
            New graph
          </Button>
        </Empty>
      ) : (
        <ul class="graph-files" aria-label="Graphs">
          {graphs.map((graph) => (
            <li key={graph.id} class={graph.id === open?.id ? "open" : ""}>
              <button type="button" aria-pressed={graph.id === open?.id} onClick={() => select({ graph: graph.id })}>
                <span>{graph.name}</span>
                <small>{graph.error ?? (graph.clips === null ? graph.file : many(graph.clips, "clip"))}</small>
              </button>
              <IconButton icon="trash" label={`Delete ${graph.name}`} onClick={() => void deleteGraph(graph)} />
            </li>
          ))}
        </ul>
      )}
      {refusal.value && <Notice kind="error">{refusal.value}</Notice>}
      {open && (
        <div class="graph-next">
          <Button kind="primary" icon="follow" onClick={() => goTo("follow")} title="Draw a line, and somebody walks it">
            Draw a path
          </Button>
          <Button icon="live" onClick={() => goTo("live")} title="Steer somebody by keys, stick or finger">
            Steer it live
          </Button>
        </div>
      )}
      {open && <Figures graph={open} />}
    </>
  );
}

function Figures({ graph }: { graph: GraphDetail }): JSX.Element {
  const { summary } = graph;
  return (
    <>
      <Section title="In figures">
        <p>{inWords(graph)}</p>
        <Groups groups={summary.groups} />
        {bridgesInWords(summary) && <p>{bridgesInWords(summary)}</p>}
        {Object.keys(summary.styles).length > 0 && <p>Labels from words in the clips' names: {Object.keys(summary.styles).join(", ")}.</p>}
        <Notices of={summary.notices} />
      </Section>
      <AddClips key={graph.id} graph={graph} />
      <Threshold graph={graph} />
      <Section title="What pruning dropped">
        <p>{droppedInWords(summary)}</p>
        {summary.warnings.map((warning) => (
          <Notice kind="warn" key={warning}>
            {warning}
          </Notice>
        ))}
        <LabelsKept labels={summary.labels} />
        <Losses graph={graph} />
      </Section>
    </>
  );
}

/** Clips of the library that are not in the graph yet, to be taken into it: nothing that it holds is compared again. */
function AddClips({ graph }: { graph: GraphDetail }): JSX.Element | null {
  const ticked = useSignal<ReadonlySet<string>>(new Set());
  const held = new Set(graph.clips.map((clip) => clip.name));
  const reasons = unfit(usable.value);
  const others = usable.value.filter((clip) => !held.has(clip.name) && !reasons.has(clip.id));
  const wanted = others.filter((clip) => ticked.value.has(clip.id));
  if (others.length === 0) return null;
  const tick = (id: string, on: boolean): void => {
    const next = new Set(ticked.value);
    if (on) next.add(id);
    else next.delete(id);
    ticked.value = next;
  };
  return (
    <Section title="Add clips" closed>
      <ul class="graph-list" aria-label="Clips that are not in the graph">
        {others.map((clip) => (
          <li key={clip.id}>
            <label class="graph-check">
              <input type="checkbox" checked={ticked.value.has(clip.id)} onChange={(event) => tick(clip.id, event.currentTarget.checked)} />
              <Name text={clip.name} title={clip.file} />
            </label>
          </li>
        ))}
      </ul>
      <Button wide disabled={wanted.length === 0} onClick={() => void addToGraph(wanted.map((clip) => clip.id))}>
        {wanted.length === 0 ? "Tick clips to add them" : `Add ${many(wanted.length, "clip")}`}
      </Button>
    </Section>
  );
}

const FEW = 5;

/** Of a long list the first few, and a button for the others. what: what they are called. */
function firstOf<T>(all: readonly T[], what: string): { shown: readonly T[]; more: JSX.Element | null } {
  const open = useSignal(false);
  const more = all.length - FEW;
  if (more <= 1) return { shown: all, more: null };
  return {
    shown: open.value ? all : all.slice(0, FEW),
    more: (
      <button type="button" class="graph-more" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
        {open.value ? `Fewer ${what}` : `${more} more ${what}`}
      </button>
    ),
  };
}

function Groups({ groups }: { groups: GraphDetail["summary"]["groups"] }): JSX.Element | null {
  const { shown, more } = firstOf(groups, "groups");
  if (groups.length === 0) return null;
  return (
    <ul class="graph-groups" aria-label="Groups">
      {shown.map((group, n) => (
        <li key={n} title={group.clips.join(", ")}>
          <b>Group {n + 1}</b>
          <span>{many(group.clips.length, "clip")}</span>
          <span>up to {group.threshold_cm.toFixed(1)} cm</span>
        </li>
      ))}
      {more && <li>{more}</li>}
    </ul>
  );
}

/** What the reader had to assume, and what was left out: of hundreds of clips that is long. */
function Notices({ of }: { of: readonly string[] }): JSX.Element {
  const { shown, more } = firstOf(of, "notes");
  return (
    <>
      {shown.map((notice) => (
        <p class="graph-note" key={notice}>
          {notice}
        </p>
      ))}
      {more}
    </>
  );
}

function Threshold({ graph }: { graph: GraphDetail }): JSX.Element | null {
  const { summary } = graph;
  const own = summary.threshold_cm;
  const value = trial.value ?? own;
  const range = curveRange(summary.curve, own);
  if (summary.curve.length === 0) return null;
  const now = readCurve(summary.curve, summary.attainable, value);
  const set = (cm: number): void => void (trial.value = cm);
  const moved = trial.value !== null && Math.abs(trial.value - own) > 0.04;
  return (
    <Section title="Threshold">
      <CurvePlot
        curve={summary.curve}
        attainable={summary.attainable}
        own={own}
        value={value}
        groups={summary.groups.map((group) => group.threshold_cm)}
        onInput={set}
      />
      <Slider label="One threshold for all" value={value} min={range.min} max={range.max} step={0.1} format={(cm) => `${cm.toFixed(1)}\u202fcm`} onInput={set} />
      <p class="graph-reading" aria-live="polite">
        About <b>{count(now.transitions)}</b> transitions below it, <b>{percent(now.share)}</b> of the frames kept
      </p>
      {!moved && summary.groups.length > 1 && <p class="graph-note">As it is, each group has a threshold of its own (▴).</p>}
      <div class="graph-act">
        <Button kind="primary" disabled={!moved} onClick={() => void rechoose(value)}>
          Apply {value.toFixed(1)} cm
        </Button>
        <Button onClick={() => void rechoose(null)}>Automatic</Button>
        {moved && (
          <Button kind="quiet" onClick={() => (trial.value = null)}>
            Reset
          </Button>
        )}
      </div>
    </Section>
  );
}

function LabelsKept({ labels }: { labels: GraphDetail["summary"]["labels"] }): JSX.Element | null {
  const all = useSignal(false);
  const ordered = Object.entries(labels).sort(([, a], [, b]) => b.seconds - a.seconds);
  if (ordered.length === 0) return null;
  const more = ordered.length - FEW;
  return (
    <ul class="graph-groups" aria-label="Seconds of each label: in the clips, kept, and usable by a walk that keeps to it">
      {ordered.slice(0, all.value || more <= 1 ? ordered.length : FEW).map(([label, held]) => (
        <li key={label}>
          <b>{label}</b>
          <span>
            {held.kept_seconds.toFixed(1)} of {held.seconds.toFixed(1)} s kept
          </span>
          <span title="in which a walk can keep to it for ever">{held.component_seconds.toFixed(1)} s usable</span>
        </li>
      ))}
      {more > 1 && (
        <li>
          <button type="button" class="graph-more" aria-expanded={all.value} onClick={() => (all.value = !all.value)}>
            {all.value ? "Fewer" : `${more} labels more`}
          </button>
        </li>
      )}
    </ul>
  );
}

function Losses({ graph }: { graph: GraphDetail }): JSX.Element | null {
  const { losses } = graph.summary;
  if (losses.length === 0) return null;
  const ordered = [...losses].sort((a, b) => b.frames / b.of - a.frames / a.of);
  return (
    <ul class="graph-losses" aria-label="Frames lost by clip, the ends among them">
      {ordered.map(({ clip, frames, of, needs_cm }) => (
        <li key={clip}>
          <span class="name">{clip}</span>
          <span class="bar" title={`${count(frames)} of ${count(of)} frames`}>
            <i style={{ width: `${(100 * frames) / of}%` }} />
          </span>
          <span class="part">{percent(frames / of)}</span>
          {needs_cm !== null && (
            <button type="button" onClick={() => (trial.value = Math.ceil(needs_cm * 10) / 10)} title="Put the slider there">
              needs {needs_cm.toFixed(1)} cm
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

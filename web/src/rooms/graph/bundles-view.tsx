/** The graph of thousands of clips: a row for each folder or group, and arcs from the one that is pointed at. */

import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { Bundle } from "./bundles";
import type { Drawing } from "./graph-data";
import { bundles, detail, drawing, opened } from "./model";
import { OTHER } from "./stretches";
import { duration, many } from "./words";

/** Pixels of a row, and of the margin in which arcs are drawn. */
const ROW = 26;
const MARGIN = 110;
const THICKEST = 9;
const MOST_LABELS = 12;
/** Letters of a name. */
const MOST_LETTERS = 20;

/** the bundle that is pointed at; -1: none */
const pointed = signal(-1);

/** The bundles of the open graph; a click opens one. */
export function BundlesView(): JSX.Element | null {
  const [now, all] = [drawing.value, bundles.value];
  if (!now || !all) return null;
  const longest = Math.max(1, ...all.map((bundle) => bundle.frames));
  const names = Math.min(MOST_LETTERS, Math.max(...all.map(({ name }) => name.length)));
  return (
    <div class="graph-view">
      <div class="graph-bundles" style={{ "--names": `${names + 1}ch` }} onMouseLeave={() => (pointed.value = -1)}>
        <ul aria-label={`Clips of ${detail.value?.name ?? "the graph"} by folder or group`}>
          {all.map((bundle, n) => (
            <Row key={bundle.name} bundle={bundle} number={n} now={now} part={bundle.frames / longest} />
          ))}
        </ul>
        <Arcs all={all} />
      </div>
      <div class="graph-foot">
        <ul class="graph-legend" aria-label="Legend">
          {[...now.colours].slice(0, MOST_LABELS).map(([label, colour]) => (
            <li key={label}>
              <span class="graph-key" style={{ "--key": `var(${colour})` }} />
              {label.replaceAll("_", " ")}
            </li>
          ))}
          <li>
            <span class="graph-key" style={{ "--key": "var(--line-2)" }} />
            dropped
          </li>
        </ul>
        <span class="graph-note">{pointed.value >= 0 ? leadsInWords(all, pointed.value) : "Point at a row to see where it leads; click to see its clips."}</span>
      </div>
    </div>
  );
}

function Row({ bundle, number, now, part }: { bundle: Bundle; number: number; now: Drawing; part: number }): JSX.Element {
  const point = () => (pointed.value = number);
  const share = [...bundle.kept.values()].reduce((sum, frames) => sum + frames, 0) / Math.max(bundle.frames, 1);
  const linked = pointed.value >= 0 && pointed.value !== number && bundle.leads.has(pointed.value);
  const words = `${many(bundle.clips.length, "clip")}, ${duration(bundle.frames / now.fps)}, ${Math.round(100 * share)} % kept`;
  return (
    <li>
      <button
        type="button"
        class={`graph-bundle${linked ? " linked" : ""}`}
        style={{ height: `${ROW}px` }}
        aria-label={`${bundle.name}: ${words}`}
        onClick={() => (opened.value = { of: now, name: bundle.name })}
        onMouseEnter={point}
        onFocus={point}
      >
        <span class="graph-bundle-name">{bundle.name}</span>
        <span class="graph-bundle-room">
          <span class="graph-bundle-bar" style={{ width: `${100 * part}%`, background: shades(bundle, now) }} />
        </span>
        <span class="graph-bundle-count">{many(bundle.clips.length, "clip")}</span>
      </button>
    </li>
  );
}

/** What is kept by label, the commonest label of the graph first, and what is dropped, as stripes of one background. */
function shades(bundle: Bundle, now: Drawing): string {
  const stops: string[] = [];
  let from = 0;
  const stripe = (colour: string, frames: number) => {
    const to = from + (100 * frames) / Math.max(bundle.frames, 1);
    stops.push(`var(${colour}) ${from}% ${to}%`);
    from = to;
  };
  for (const [label, colour] of now.colours) stripe(colour, bundle.kept.get(label) ?? 0);
  stripe(OTHER, [...bundle.kept].reduce((sum, [label, frames]) => sum + (now.colours.has(label) ? 0 : frames), 0));
  stops.push(`var(--line-2) ${from}% 100%`);
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

/** Arcs from the bundle that is pointed at to all that it leads to, as thick as there are ways. */
function Arcs({ all }: { all: readonly Bundle[] }): JSX.Element | null {
  const from = pointed.value;
  const bundle = all[from];
  if (!bundle) return null;
  const others = [...bundle.leads].filter(([to]) => to !== from);
  const most = Math.max(1, ...others.map(([, ways]) => ways));
  const y = (n: number) => (n + 0.5) * ROW;
  return (
    <svg class="graph-bundle-arcs" width={MARGIN} height={all.length * ROW} aria-hidden="true">
      {others.map(([to, ways]) => {
        const out = Math.min(MARGIN - 8, 24 + 3 * Math.abs(to - from));
        const width = Math.max(0.6, THICKEST * Math.sqrt(ways / most));
        return <path key={to} d={`M0 ${y(from)}C${out} ${y(from)} ${out} ${y(to)} 0 ${y(to)}`} stroke-width={width} />;
      })}
    </svg>
  );
}

function leadsInWords(all: readonly Bundle[], from: number): string {
  const bundle = all[from]!;
  const others = [...bundle.leads].filter(([to]) => to !== from).sort((a, b) => b[1] - a[1]);
  if (others.length === 0) return `${bundle.name} leads to no other.`;
  const first = others.slice(0, 3).map(([to, ways]) => `${all[to]!.name} (${many(ways, "way")})`);
  return `${bundle.name} leads to ${others.length} others, most to ${first.join(", ")}.`;
}

/** The graph view: clips as tracks, transitions as arcs, and the walk that is played. */

import { computed, signal, untracked, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { time } from "../../state/playback";
import { dark } from "../../state/store";
import { Empty } from "../../ui";
import { busyOpening } from "./actions";
import { type Gestures, useGestures } from "./gestures";
import type { Drawing } from "./graph-data";
import { drawArcs, drawLit, drawPlayedName, drawPlayhead, drawTracks, drawWalk, firstWindow, longestName, placeOf, rowHeight, tracksBox, type Window, wholeWindow } from "./graph-draw";
import { GraphLegend } from "./graph-legend";
import { type Look, look } from "./look";
import type { Box } from "./matrix-draw";
import { allArcs, detail, drawn as drawing, refusal, scene, walk } from "./model";
import { moved, toValue, zoomed } from "./scale";
import { playClip } from "./scene";
import { Surface } from "./surface";
import { many } from "./words";
import type { Zooming } from "./zoom-buttons";

/** What is seen of which graph; another one begins anew. */
const zoom = signal<{ of: Drawing; seen: Window } | null>(null);
/** the clip under the pointer, or the one that the keys have gone to; -1: none */
const pointed = signal(-1);
/** where the pointer is, for the words beside it */
const pointer = signal<{ x: number; y: number } | null>(null);
/** bitmaps of what does not change while the pointer moves and the walk plays */
const layers: { key: string; of: Drawing | null; arcs: HTMLCanvasElement; tracks: HTMLCanvasElement } = {
  key: "",
  of: null,
  arcs: document.createElement("canvas"),
  tracks: document.createElement("canvas"),
};
/** The box of the last drawing: gestures come between drawings. */
let box: Box = { left: 0, top: 0, right: 1, bottom: 1 };
const CLOSER = 0.6;
/** Parts of the opacity that arcs keep while others are lit. */
const DIM = 0.16;

function seenOf(now: Drawing): Window {
  return zoom.value?.of === now ? zoom.value.seen : firstWindow(now, box);
}

/** Arcs and tracks, drawn to bitmaps when what is seen has changed. */
function prepared(now: Drawing, seen: Window, width: number, height: number, colours: Look): void {
  const dense = window.devicePixelRatio || 1;
  const key = JSON.stringify([width, height, dense, seen, colours.text, colours.surface]);
  if (layers.of === now && layers.key === key) return;
  layers.of = now;
  layers.key = key;
  for (const [canvas, draw] of [[layers.arcs, drawArcs], [layers.tracks, drawTracks]] as const) {
    canvas.width = Math.round(width * dense);
    canvas.height = Math.round(height * dense);
    // thousands of short strokes are drawn quicker by the processor than they are handed to a graphics card
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) continue;
    context.setTransform(dense, 0, 0, dense, 0, 0);
    draw(context, now, box, seen, colours);
  }
}

function paint(context: CanvasRenderingContext2D, width: number, height: number): void {
  const now = drawing.value;
  if (!now) return;
  void dark.value; // the tokens change with the theme
  const colours = look();
  box = tracksBox(width, height, longestName(context, now));
  const seen = seenOf(now);
  prepared(now, seen, width, height, colours);
  const lit = pointed.value;
  const played = scene.value.kind === "walk" ? walk.value : null;
  if (allArcs.value) {
    context.globalAlpha = lit >= 0 || played ? DIM : 1;
    context.drawImage(layers.arcs, 0, 0, width, height);
    context.globalAlpha = 1;
  }
  if (lit >= 0) drawLit(context, now, box, seen, now.byClip[lit] ?? [], colours);
  context.drawImage(layers.tracks, 0, 0, width, height);
  if (played) drawWalk(context, now, box, seen, played.stretches, colours);
  if (lit >= 0) drawFocus(context, now, seen, lit, width, colours);
  const at = playhead();
  if (!at || at.clip < 0) return;
  drawPlayedName(context, now, box, seen, at.clip, colours);
  drawPlayhead(context, box, seen, placeOf(now, box, seen, at.clip, at.frame), colours);
}

function drawFocus(context: CanvasRenderingContext2D, now: Drawing, seen: Window, clip: number, width: number, colours: Look): void {
  const [, y] = placeOf(now, box, seen, clip, 0);
  const row = rowHeight(box, seen);
  if (y < box.top || y > box.bottom) return;
  context.strokeStyle = colours.accent;
  context.beginPath();
  context.roundRect(0.5, y - row / 2 + 0.5, width - 1, Math.max(row - 1, 4), 4);
  context.stroke();
}

/** The clip and the frame of the graph that are played now. */
function playhead(): { clip: number; frame: number } | null {
  const [now, shown] = [drawing.value, scene.value];
  if (!now) return null;
  if (shown.kind === "clip") return { clip: shown.clip, frame: time.value * now.fps };
  const played = walk.value;
  if (shown.kind !== "walk" || !played) return null;
  const n = Math.min(played.clip.length - 1, Math.max(0, Math.floor(time.value * played.fps + 1e-6)));
  return { clip: played.clip[n]!, frame: played.frame[n]! };
}

/** The track at a height, or -1. */
function trackAt(y: number): number {
  const now = drawing.value;
  if (!now || y < box.top || y > box.bottom) return -1;
  const row = toValue(seenOf(now).y, y, box.top, box.bottom);
  return now.tracks.findIndex((track) => Math.abs(track.row - row) <= 0.5);
}

function zoomAt(factor: number, x: number, y: number): void {
  const now = drawing.value;
  if (!now) return;
  const [seen, whole] = [seenOf(now), wholeWindow(now)];
  zoom.value = {
    of: now,
    seen: {
      x: zoomed(seen.x, whole.x, toValue(seen.x, x, box.left, box.right), factor, 0.5),
      y: zoomed(seen.y, whole.y, toValue(seen.y, y, box.top, box.bottom), factor, 3),
    },
  };
}

function pan(dx: number, dy: number): void {
  const now = drawing.value;
  if (!now) return;
  const [seen, whole] = [seenOf(now), wholeWindow(now)];
  const perX = (seen.x.high - seen.x.low) / (box.right - box.left);
  zoom.value = { of: now, seen: { x: moved(seen.x, whole.x, -dx * perX), y: moved(seen.y, whole.y, -dy / rowHeight(box, seen)) } };
}

function play(clip: number, x?: number): void {
  const now = drawing.value;
  const track = now?.tracks[clip];
  if (!now || !track) return;
  const second = x === undefined || x < box.left ? 0 : toValue(seenOf(now).x, x, box.left, box.right);
  // a click behind the end means the clip, not its last frame
  playClip(clip, second < track.frames / now.fps ? second : 0);
}

const gestures: Gestures = {
  zoom: zoomAt,
  pan,
  scroll(dx, dy) {
    const now = drawing.value;
    if (!now) return true;
    const [seen, whole] = [seenOf(now), wholeWindow(now)];
    // where all rows are seen a wheel comes nearer, as on a map
    if (seen.y.high - seen.y.low >= whole.y.high - whole.y.low - 1e-6 && Math.abs(dy) > Math.abs(dx)) return false;
    pan(-dx, -dy);
    return true;
  },
  click(x, y) {
    const clip = trackAt(y);
    if (clip < 0) return;
    // a finger does not hover
    pointed.value = clip;
    play(clip, x);
  },
  hover(x, y) {
    pointed.value = trackAt(y);
    pointer.value = { x, y };
  },
  leave() {
    pointed.value = -1;
    pointer.value = null;
  },
};

/** Go to the next track downwards or upwards, in the order of the rows, and bring it into view. */
function go(by: number): void {
  const now = drawing.value;
  if (!now || now.tracks.length === 0) return;
  const order = now.tracks.flatMap(({ row }, clip) => (row < 0 ? [] : [clip])).sort((a, b) => now.tracks[a]!.row - now.tracks[b]!.row);
  const at = order.indexOf(pointed.value);
  const next = order[at < 0 ? 0 : Math.min(order.length - 1, Math.max(0, at + by))]!;
  pointer.value = null;
  pointed.value = next;
  reveal(now, now.tracks[next]!.row);
}

function nearer(way: 1 | -1): void {
  zoomAt(CLOSER ** way, (box.left + box.right) / 2, (box.top + box.bottom) / 2);
}

/** The buttons of this view. */
export const zooming: Zooming = { nearer, fit, all: "Whole graph" };

/** All of the graph; once more, as much of it as can be read. */
function fit(): void {
  const now = drawing.value;
  if (!now) return;
  const whole = wholeWindow(now);
  const seen = seenOf(now);
  const all = seen.y.high - seen.y.low >= whole.y.high - whole.y.low - 1e-6 && seen.x.high - seen.x.low >= whole.x.high - 1e-6;
  zoom.value = all ? null : { of: now, seen: whole };
}

function keyDown(event: KeyboardEvent): void {
  if (event.key === "ArrowDown") go(1);
  else if (event.key === "ArrowUp") go(-1);
  else if (event.key === "Enter" && pointed.value >= 0) play(pointed.value);
  else if (event.key === "+" || event.key === "=") nearer(1);
  else if (event.key === "-") nearer(-1);
  else if (event.key === "0") fit();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Bring a row into view, with some room about it. */
function reveal(now: Drawing, row: number): void {
  const seen = seenOf(now);
  const over = Math.min(0, row - 1.7 - seen.y.low) + Math.max(0, row + 0.8 - seen.y.high);
  if (Math.abs(over) > 1e-9) zoom.value = { of: now, seen: { ...seen, y: moved(seen.y, wholeWindow(now).y, over) } };
}

/** The track that is played now; -1: none. */
const playedTrack = computed(() => playhead()?.clip ?? -1);

/** The tracks and arcs of the open graph. */
export function GraphView(): JSX.Element {
  const handlers = useGestures(gestures);
  useSignalEffect(() => {
    const track = drawing.value?.tracks[playedTrack.value];
    // whoever points at something is not pulled away from it
    untracked(() => track && track.row >= 0 && drawing.value && pointer.value === null && reveal(drawing.value, track.row));
  });
  return (
    <div class="graph-view">
      <div class="graph-plot">
        {drawing.value ? (
          <>
            <Surface
              paint={paint}
              {...handlers}
              onKeyDown={keyDown}
              tabIndex={0}
              class="tracks"
              role="application"
              aria-label={`Tracks and transitions of ${detail.value?.name ?? "the graph"}`}
              aria-description="Up and down go from clip to clip; Enter plays it; plus, minus and 0 zoom."
            />
            <Tip />
          </>
        ) : (
          <Absent />
        )}
        <div class="graph-unseen" aria-live="polite">
          {pointed.value >= 0 && pointer.value === null ? words.value : ""}
        </div>
      </div>
      {drawing.value && <GraphLegend drawing={drawing.value} />}
    </div>
  );
}

function Absent(): JSX.Element | null {
  if (busyOpening.value) return <div class="graph-busy">Opening …</div>;
  if (refusal.value) return <Empty title="This graph cannot be opened" text={refusal.value} />;
  return <Empty title="No graph yet" text="Build one from your clips: the panel on the right has all that it needs." />;
}

/** The clip that is pointed at, in words. */
const words = computed(() => {
  const [now, clip] = [drawing.value, pointed.value];
  const track = now?.tracks[clip];
  if (!now || !track) return "";
  const kept = track.kept.reduce((sum, [first, last]) => sum + last - first, 0);
  const arcs = now.counts[clip]!;
  const share = Math.round((100 * kept) / Math.max(track.frames, 1));
  return `${(track.frames / now.fps).toFixed(1)} s, ${share} % kept, ${many(arcs, "transition")}`;
});

function Tip(): JSX.Element | null {
  const [now, at] = [drawing.value, pointer.value];
  const track = now?.tracks[pointed.value];
  if (!now || !at || !track) return null;
  const labels = [...new Set(track.spans.map((span) => span.label))].join(", ");
  const aside = at.x > box.right / 2;
  const above = at.y > (box.top + box.bottom) / 2;
  const style = {
    left: `${at.x + (aside ? -14 : 14)}px`,
    top: `${at.y + (above ? -18 : 18)}px`,
    transform: `translate(${aside ? "-100%" : "0"}, ${above ? "-100%" : "0"})`,
  };
  return (
    <div class="graph-tip" style={style}>
      <strong>{track.name}</strong>
      <span>{words}</span>
      {labels && <span>{labels}</span>}
    </div>
  );
}

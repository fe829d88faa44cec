/** A lane of things that can be moved in time: keys at a moment, and spans with two ends. */
import type { HTMLAttributes, JSX } from "preact";
import { useRef } from "preact/hooks";
import * as playback from "../state/playback";
import { classes } from "../ui";
import { dragged, type Part, snapped, timeAt } from "./spans";

/** One thing on a track. */
export interface TrackItem {
  readonly id: number;
  /** seconds; the same for a key */
  readonly from: number;
  readonly to: number;
  readonly colour: string;
  /** written on it where there is room */
  readonly text?: string;
  /** what it is called, for screen readers */
  readonly name: string;
  /** what is to be said of it, beside its time */
  readonly told?: string;
  readonly chosen?: boolean;
  /** something is wrong with it: drawn so, and told */
  readonly wrong?: string | null;
  /** it only draws, and need not be met */
  readonly soft?: boolean;
  /** a key that may be met anywhere between its ends */
  readonly loose?: boolean;
}

export type TrackPhase = "start" | "move" | "end" | "key";

export interface TrackProps {
  label: string;
  items: readonly TrackItem[];
  /** whether these are keys at a moment, or spans */
  spans?: boolean;
  /** where an item is to be now; phase "key": moved by a key */
  onDrag(id: number, from: number, to: number, phase: TrackPhase): void;
  onChoose(id: number): void;
  onRemove(id: number): void;
  /** double click where nothing is */
  onAdd?(time: number): void;
  /** a drag where nothing is, from one time to another; null ends it without effect */
  onPaint?(span: { from: number; to: number } | null, last: boolean): void;
  /** the colour of what is being painted now, and its span */
  painting?: { readonly from: number; readonly to: number; readonly colour: string } | null;
  /** what to do here, where nothing is yet */
  hint?: string;
}

/** Pixels that a pointer moves at most in a click. */
const STILL = 4;

/** The track itself; it fills the lane that it stands in. */
export function Track(props: TrackProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const press = useRef<{ x: number; from: number; moved: boolean } | null>(null);
  const seconds = Math.max(playback.duration.value, 1e-6);
  const rate = playback.fps.value;
  const at = (event: MouseEvent): number => timeAt(event.clientX, box.current!.getBoundingClientRect(), seconds, rate);
  const share = (time: number): string => `${(100 * Math.min(Math.max(time, 0), seconds)) / seconds}%`;

  const paints = props.onPaint && {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || event.target !== box.current) return;
      event.stopPropagation();
      box.current!.setPointerCapture(event.pointerId);
      press.current = { x: event.clientX, from: at(event), moved: false };
    },
    onPointerMove: (event: PointerEvent) => {
      const now = press.current;
      if (!now) return;
      event.stopPropagation();
      if (!now.moved && Math.abs(event.clientX - now.x) < STILL) return;
      now.moved = true;
      const to = at(event);
      props.onPaint!({ from: Math.min(now.from, to), to: Math.max(now.from, to) }, false);
    },
    onPointerUp: (event: PointerEvent) => {
      const now = press.current;
      press.current = null;
      if (!now) return;
      event.stopPropagation();
      // a click goes there, as everywhere on the timeline
      if (!now.moved) return playback.seek(now.from);
      const to = at(event);
      props.onPaint!({ from: Math.min(now.from, to), to: Math.max(now.from, to) }, true);
    },
    onPointerCancel: () => {
      press.current = null;
      props.onPaint!(null, true);
    },
  };

  return (
    <div
      ref={box}
      class={classes("track", props.spans && "spans")}
      role="group"
      aria-label={props.label}
      {...paints}
      onDblClick={(event) => event.target === box.current && props.onAdd?.(at(event))}
    >
      {props.items.length === 0 && !props.painting && props.hint && <span class="track-hint">{props.hint}</span>}
      {props.items.map((item) => (
        <Item key={item.id} item={item} track={props} box={box} share={share} seconds={seconds} rate={rate} />
      ))}
      {props.painting && (
        <div
          class="track-item painting"
          style={{ left: share(props.painting.from), width: `calc(${share(props.painting.to)} - ${share(props.painting.from)})`, "--item": `var(${props.painting.colour})` }}
        />
      )}
    </div>
  );
}

interface ItemProps {
  item: TrackItem;
  track: TrackProps;
  box: { current: HTMLDivElement | null };
  share(time: number): string;
  seconds: number;
  rate: number;
}

function Item({ item, track, box, share, seconds, rate }: ItemProps): JSX.Element {
  const long = track.spans || item.to > item.from;
  const move = (part: Part, phase: TrackPhase, by: number, from = item): void => {
    // the last frame is the last moment
    const next = dragged(from, part, by, seconds - 1 / rate);
    track.onDrag(item.id, snapped(next.from, rate), snapped(next.to, rate), phase);
  };
  const hold = useRef<{ part: Part; x: number; item: TrackItem; moved: boolean } | null>(null);
  const grip = (part: Part): HTMLAttributes<HTMLDivElement> => ({
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      event.currentTarget.focus({ preventScroll: true });
      hold.current = { part, x: event.clientX, item, moved: false };
      track.onChoose(item.id);
    },
    onPointerMove: (event) => {
      const now = hold.current;
      if (!now || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
      event.stopPropagation();
      if (!now.moved && Math.abs(event.clientX - now.x) < STILL) return;
      const phase = now.moved ? "move" : "start";
      now.moved = true;
      move(now.part, phase, ((event.clientX - now.x) / box.current!.clientWidth) * seconds, now.item);
    },
    onPointerUp: (event) => {
      const now = hold.current;
      hold.current = null;
      event.stopPropagation();
      if (now?.moved) move(now.part, "end", ((event.clientX - now.x) / box.current!.clientWidth) * seconds, now.item);
    },
    onPointerCancel: () => {
      const now = hold.current;
      hold.current = null;
      if (now?.moved) track.onDrag(item.id, now.item.from, now.item.to, "end");
    },
    onDblClick: (event) => event.stopPropagation(),
    onKeyDown: (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (way) move(part, "key", (way * (event.shiftKey ? 10 : 1)) / rate);
      else if (event.key === "Delete" || event.key === "Backspace") track.onRemove(item.id);
      else if (event.key === "Enter") {
        track.onChoose(item.id);
        playback.seek(item.from);
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
    onFocus: () => track.onChoose(item.id),
  });
  const about = (name: string, now: number): HTMLAttributes<HTMLDivElement> => ({
    role: "slider",
    tabIndex: 0,
    "aria-label": name,
    "aria-valuemin": 0,
    "aria-valuemax": Number(seconds.toFixed(2)),
    "aria-valuenow": Number(now.toFixed(3)),
    "aria-valuetext": [long && name === item.name ? `${item.from.toFixed(2)} to ${item.to.toFixed(2)} s` : `${now.toFixed(2)} s`, item.told, item.wrong].filter(Boolean).join(", "),
    "aria-invalid": item.wrong ? true : undefined,
  });
  const look = classes("track-item", !long && "key", item.chosen && "chosen", item.wrong && "wrong", item.soft && "soft", item.loose && "loose");
  const title = [item.name, item.told, item.wrong].filter(Boolean).join("\n");
  if (!long)
    return (
      <div class={look} style={{ left: share(item.from), "--item": `var(${item.colour})` }} title={title} {...about(item.name, item.from)} {...grip("whole")}>
        <i aria-hidden="true" />
        {item.text && <span aria-hidden="true">{item.text}</span>}
      </div>
    );
  return (
    <div class={look} style={{ left: share(item.from), width: `calc(${share(item.to)} - ${share(item.from)})`, "--item": `var(${item.colour})` }} title={title}>
      <div class="track-body" {...about(item.name, item.from)} {...grip("whole")}>
        <span aria-hidden="true">{item.text}</span>
      </div>
      {(["from", "to"] as const).map((part) => (
        <div key={part} class={classes("track-end", part)} {...about(`${part === "from" ? "Begin" : "End"} of ${item.name}`, item[part])} tabIndex={item.chosen ? 0 : -1} {...grip(part)} />
      ))}
    </div>
  );
}

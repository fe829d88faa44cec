/** Below the stage: transport, scrubber, and the lanes of the room. */
import { useSignalEffect } from "@preact/signals";
import type { HTMLAttributes, JSX } from "preact";
import { useCallback, useRef } from "preact/hooks";
import * as playback from "../state/playback";
import { classes, IconButton, Select, Toolbar } from "../ui";
import { clock, drawLane, drawRuler, type Sheet } from "./draw";
import { type Lane, lanes, type Span, trim } from "./lanes";
import { Canvas } from "./sheet";

export { type Lane, lanes, type Mark, setLanes, type Span, trim } from "./lanes";
export { Track, type TrackItem, type TrackPhase } from "./track";

const LANE = 36;
const RULER = 26;

/** The whole of it. */
export function Timeline(): JSX.Element {
  const idle = playback.duration.value <= 0;
  return (
    <footer class={classes("timeline", idle && "idle")} aria-label="Timeline" role="group">
      <Transport />
      <Tracks />
    </footer>
  );
}

function Transport(): JSX.Element {
  const { playing, duration, fps, frames, loop, speed } = playback;
  const idle = duration.value <= 0;
  const speeds = playback.SPEEDS.includes(speed.value) ? playback.SPEEDS : [...playback.SPEEDS, speed.value].sort((a, b) => a - b);
  return (
    <div class="transport">
      <Toolbar class="transport-buttons" label="Playing" entry=".play">
        <IconButton icon="to-begin" label="To the beginning" shortcut="Home" disabled={idle} onClick={() => playback.seek(0)} />
        <IconButton icon="step-back" label="One frame back" shortcut="←" disabled={idle} onClick={() => playback.step(-1)} />
        <IconButton
          class="play"
          kind="primary"
          icon={playing.value ? "pause" : "play"}
          label={playing.value ? "Pause" : "Play"}
          shortcut="Space"
          disabled={idle}
          onClick={playback.toggle}
        />
        <IconButton icon="step-on" label="One frame on" shortcut="→" disabled={idle} onClick={() => playback.step(1)} />
        <IconButton icon="to-end" label="To the end" shortcut="End" disabled={idle} onClick={() => playback.seekFrame(frames.value - 1)} />
      </Toolbar>
      <Clock />
      <div class="spacer" />
      <span class="faint">{idle ? "" : `${round(fps.value)} frames/s`}</span>
      <Select
        label="Speed"
        hideLabel
        value={String(speed.value)}
        options={speeds.map((value) => ({ value: String(value), label: `${value}×` }))}
        onChange={(value) => (speed.value = Number(value))}
      />
      <IconButton icon="loop" label="Loop" shortcut="L" pressed={loop.value} onClick={() => (loop.value = !loop.value)} />
    </div>
  );
}

function Clock(): JSX.Element {
  const { time, duration, frame, frames } = playback;
  const empty = duration.value <= 0;
  return (
    <div class="clock" aria-live="off">
      <span class="time">{empty ? "" : time.value.toFixed(2)}</span>
      <span class="faint">{empty ? "" : `/ ${duration.value.toFixed(2)} s`}</span>
      <span class="faint frame">{empty ? "" : `frame ${frame.value} of ${frames.value}`}</span>
    </div>
  );
}

function Tracks(): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  useSignalEffect(() => {
    const { duration, time } = playback;
    const share = duration.value > 0 ? Math.min(time.value / duration.value, 1) : 0;
    // moved without drawing anything else anew
    head.current?.style.setProperty("--at", String(share));
  });
  const scrub = useScrub(box);
  return (
    <div class="tracks">
      <div class="gutter" aria-hidden="true" />
      <div class="track-area" ref={box} {...scrub}>
        <Ruler />
        <TrimHandles box={box} />
        {lanes.value.map((lane) => (
          <LaneRow key={lane.id} lane={lane} />
        ))}
        <div class="playhead" ref={head} aria-hidden="true" />
      </div>
    </div>
  );
}

function Ruler(): JSX.Element {
  const draw = useCallback((sheet: Sheet) => drawRuler(sheet, playback.duration.value), []);
  return (
    <div
      class="ruler"
      role="slider"
      tabIndex={0}
      aria-label="Scrubber"
      aria-valuemin={0}
      aria-valuemax={Math.max(playback.frames.value - 1, 0)}
      aria-valuenow={playback.frame.value}
      aria-valuetext={`${clock(playback.time.value, 0.1)} seconds, frame ${playback.frame.value}`}
      onKeyDown={scrubKeys}
    >
      <Canvas draw={draw} height={RULER} />
    </div>
  );
}

function LaneRow({ lane }: { lane: Lane }): JSX.Element {
  const draw = useCallback((sheet: Sheet) => drawLane(sheet, lane, playback.frames.value), [lane]);
  const tall = lane.tall ?? LANE;
  return (
    <div class="lane" style={{ height: `${tall}px` }}>
      <div class={classes("lane-label", tall < LANE && "low")}>
        <span>{lane.label}</span>
        <LaneValue lane={lane} />
      </div>
      {lane.Content ? <lane.Content /> : <Canvas draw={draw} height={tall} label={lane.label} />}
    </div>
  );
}

function LaneValue({ lane }: { lane: Lane }): JSX.Element | null {
  const at = playback.frame.value;
  if (!lane.values) {
    const mark = lane.marks?.find(({ first, last }) => first <= at && at < last);
    return mark?.text ? <b>{mark.text}</b> : null;
  }
  const value = lane.values[at];
  if (value === undefined || !Number.isFinite(value)) return null;
  return (
    <b>
      {value.toFixed(lane.digits ?? 1)}
      {lane.unit && <small>{` ${lane.unit}`}</small>}
    </b>
  );
}

/** A press anywhere on the tracks goes there, a drag follows; what played goes on after it. */
function useScrub(box: { current: HTMLDivElement | null }): HTMLAttributes<HTMLDivElement> {
  const resume = useRef<boolean | null>(null);
  const seek = (event: PointerEvent): void => {
    const { left, width } = box.current!.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - left) / width, 0), 1);
    const { duration, fps } = playback;
    // to whole frames: what is shown was captured
    playback.seekFrame(Math.floor(share * duration.value * fps.value + 1e-6));
  };
  const end = (): void => {
    if (resume.current) playback.play();
    resume.current = null;
  };
  return {
    onPointerDown: (event) => {
      if (event.button !== 0 || playback.duration.value <= 0) return;
      resume.current = playback.playing.value;
      playback.pause();
      box.current!.setPointerCapture(event.pointerId);
      seek(event);
    },
    onPointerMove: (event) => {
      if (resume.current !== null) seek(event);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

function scrubKeys(event: KeyboardEvent): void {
  const far = event.shiftKey ? 10 : 1;
  const steps: Record<string, () => void> = {
    ArrowLeft: () => playback.step(-far),
    ArrowDown: () => playback.step(-far),
    ArrowRight: () => playback.step(far),
    ArrowUp: () => playback.step(far),
    PageUp: () => playback.step(Math.round(playback.fps.value)),
    PageDown: () => playback.step(-Math.round(playback.fps.value)),
    Home: () => playback.seek(0),
    End: () => playback.seekFrame(playback.frames.value - 1),
  };
  const run = steps[event.key];
  if (!run) return;
  run();
  event.preventDefault();
  event.stopPropagation();
}

/** The two handles that cut a clip, while a room has set them. */
function TrimHandles({ box }: { box: { current: HTMLDivElement | null } }): JSX.Element | null {
  const span = trim.value;
  const count = playback.frames.value;
  if (!span || count < 2) return null;
  const left = (span.first / count) * 100;
  const right = (span.last / count) * 100;
  return (
    <>
      <div class="trimmed" style={{ left: 0, width: `${left}%` }} />
      <div class="trimmed" style={{ left: `${right}%`, right: 0 }} />
      <TrimHandle box={box} side="first" span={span} count={count} />
      <TrimHandle box={box} side="last" span={span} count={count} />
    </>
  );
}

function TrimHandle({ box, side, span, count }: { box: { current: HTMLDivElement | null }; side: keyof Span; span: Span; count: number }): JSX.Element {
  const move = (frame: number): void => {
    const held = side === "first" ? Math.min(Math.max(frame, 0), span.last - 1) : Math.min(Math.max(frame, span.first + 1), count);
    trim.value = { ...trim.value!, [side]: held };
    playback.seekFrame(side === "first" ? held : held - 1);
  };
  return (
    <div
      class={classes("trim-handle", side)}
      style={{ left: `${(span[side] / count) * 100}%` }}
      role="slider"
      tabIndex={0}
      aria-label={side === "first" ? "Trim: first frame" : "Trim: end"}
      aria-valuemin={0}
      aria-valuemax={count}
      aria-valuenow={span[side]}
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        playback.pause();
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        event.stopPropagation();
        const { left, width } = box.current!.getBoundingClientRect();
        move(Math.round(((event.clientX - left) / width) * count));
      }}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!by) return;
        move(span[side] + by * (event.shiftKey ? 10 : 1));
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

function round(value: number): string {
  return Number(value.toFixed(2)).toString();
}

/** What the repath room holds: the clip, the curve being edited with its history, the options, and the motion laid on the curve. */

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { get, isAborted, postPack, sentence } from "../../api/client";
import { latest } from "../../api/latest";
import type { Pack } from "../../api/pack";
import type { Drawn, OwnPath, RepathRequest, ResultFacts, ResultPack } from "../../api/types";
import { Motion } from "../../motion/motion";
import { length, type Point, sample } from "../../motion/spline";
import { fitting, History, type Steps } from "../../state/history";
import { clipMotion } from "../../state/motions";
import { resample, smooth } from "../../motion/stroke";
import { keep, recall } from "../../state/persist";
import { clips, persisted, returns, select, selection, server, showResult } from "../../state/store";
import { type Curve, curve, fromJson, hasLength, levelled, pathJson } from "./curve";
import { beginsWith } from "./going";
import { FLAT, type GroundSetting, groundText } from "./ground";
import { type Beginning, drawnBy, shaped } from "./presets";

/** How the clip is laid on the curve, as the server is told. seconds: with cycle, how long it is to last; null: to the end of the path. */
export interface Options extends Required<Pick<RepathRequest, "keep" | "end" | "cycle" | "natural" | "feet">> {
  readonly seconds: number | null;
}

export type Tool = "draw" | "points" | "look";

/** What can be seen on the stage; each can be hidden. original: the clip as it was captured, with its own path. */
export interface Layers {
  readonly path: boolean;
  readonly walked: boolean;
  readonly feet: boolean;
  readonly original: boolean;
  readonly character: boolean;
}

/** A clip with its own path, as the server fits it. */
export interface Opened {
  readonly id: string;
  readonly motion: Motion;
  readonly own: OwnPath;
}

/** The motion that was laid on the curve. */
export interface Made {
  readonly pack: Pack<ResultPack>;
  readonly motion: Motion;
  readonly facts: ResultFacts;
}

const NOWHERE = curve([
  [0, 0, 0],
  [0, 0, 1],
]);
const OPTIONS: Options = { keep: "speed", end: "stop", cycle: false, seconds: null, natural: false, feet: true };
const LAYERS: Layers = { path: true, walked: true, feet: true, original: true, character: true };
const CONTROLS = 8;
/** Characters that the steps of a curve may take of the browser's storage. */
const ROOM = 500_000;
/** Points of the drawn curve for each control. */
const SAMPLES = 24;

const whole = (like: object) => (value: unknown) =>
  typeof value === "object" && value !== null && Object.keys(like).every((key) => key in value);

export const options = persisted<Options>("repath.options", OPTIONS, whole(OPTIONS));
export const ground = persisted<GroundSetting>("repath.ground", FLAT, whole(FLAT));
/** grounds that there are, and the one that is set as the server is told; null: flat */
export const grounds = computed(() => server.value?.grounds ?? []);
/** height fields of the folder */
export const fields = computed(() => server.value?.height_fields ?? []);
export const groundAsked = computed(() =>
  groundText(
    ground.value,
    grounds.value,
    fields.value.map(({ file }) => file),
  ),
);
export const layers = persisted<Layers>("repath.layers", LAYERS, whole(LAYERS));
/** the curve of the last clip, so that a reload does not lose it */
const kept = persisted<{ clip: string; curve: Curve } | null>("repath.curve", null);
/** the steps that led to it, in this tab */
const STEPS = "repath.steps";
const keptSteps = (): { clip: string; steps: Steps<Curve> } | null => recall(STEPS, null, (value) => typeof value === "object", "tab");

export const tool = persisted<Tool>("repath.tool", "points", (value) => ["draw", "points", "look"].includes(value as string));
/** the stroke under the pen; null between strokes */
export const stroke = signal<readonly Point[] | null>(null);

export const opened = signal<Opened | null>(null);
export const made = signal<Made | null>(null);
/** why the clip cannot be opened or laid, as a sentence */
export const problem = signal<string | null>(null);
/** the control that is chosen */
export const chosen = signal<number | null>(null);
/** counts the times at which another path was taken as a whole: the camera looks at all of it then */
export const framed = signal(0);
/** counts the lines that were drawn: each is watched from its beginning */
export const drawn = signal(0);
export const history = new History<Curve>(NOWHERE);

/** The curve as points [x, y, z], for drawing. */
export const line = computed(() => {
  const { controls, degree } = history.value.value;
  const points = controls.map((each) => [...each]);
  return degree === 1 ? points : sample(points, SAMPLES * controls.length, degree);
});
/** Metres of the curve along the floor. */
export const metres = computed(() => length(line.value.map(([x, , z]) => [x!, z!])));
/** Whether the clip ends before its path does. */
export const tooShort = computed(() => opened.value !== null && !options.value.cycle && metres.value > 1.05 * opened.value.own.length);

const laying = latest(
  async (asked: { clip: string; body: RepathRequest }, abort: AbortSignal) => ({
    clip: asked.clip,
    pack: await postPack<ResultPack, RepathRequest>(`/api/clips/${asked.clip}/repath`, asked.body, abort),
  }),
  ({ clip, pack }) => {
    if (clip !== opened.value?.id) return;
    batch(() => {
      problem.value = null;
      made.value = { pack, motion: Motion.of(pack), facts: pack.facts.result };
      showResult(pack);
    });
  },
  (failure) => {
    if (!isAborted(failure)) problem.value = sentence(failure);
  },
);

/** Whether a motion is being laid. */
export const busy = laying.busy;

/** whether it is settled which clip is opened: by hand, or since enough is known of the clips */
let settled = false;

/** Choose a clip. */
export function choose(id: string): void {
  settled = true;
  select({ clip: id });
}

/** Milliseconds for which a curve must rest before its steps are kept. */
const REST = 300;
let resting: ReturnType<typeof setTimeout> | undefined;

/** Begin to follow what is chosen and set; returns what ends it. */
export function begin(): () => void {
  settled = false;
  const ends = [
    effect(() => {
      const id = selection.value.clip;
      if (!settled) {
        const first = server.value ? beginsWith(clips.value, id) : undefined;
        if (first === undefined) {
          // nor is another clip shown in its place
          if (opened.peek() && opened.peek()!.id !== id) untracked(() => void open(null));
          return;
        }
        settled = true;
        if (first !== id) return select({ clip: first });
      }
      if (id !== opened.peek()?.id) untracked(() => void open(id));
    }),
    effect(() => {
      const clip = opened.value;
      const path = history.value.value;
      // a server that comes back holds no result any more
      void returns.value;
      const body = request(path, options.value, groundAsked.value);
      if (clip && hasLength(path)) untracked(() => laying.request({ clip: clip.id, body }));
    }),
    effect(() => {
      const clip = opened.value;
      const path = history.value.value;
      if (clip) kept.value = { clip: clip.id, curve: path };
    }),
    effect(() => {
      const clip = opened.value;
      const steps = history.steps.value;
      clearTimeout(resting);
      if (clip) resting = setTimeout(() => keep(STEPS, { clip: clip.id, steps: fitting(steps, ROOM) }, "tab"), REST);
    }),
  ];
  return () => {
    for (const end of ends) end();
    laying.cancel();
  };
}

/** What the server is asked for. */
export function request(path: Curve, set: Options, on: string | null): RepathRequest {
  return {
    // a ground says how high the path is: heights of its own would contradict it
    path: pathJson(on === null ? path : levelled(path)),
    keep: set.keep,
    end: set.end,
    start: "path",
    cycle: set.cycle,
    seconds: set.cycle ? (set.seconds ?? undefined) : undefined,
    ground: on ?? undefined,
    natural: set.natural,
    feet: set.feet,
  };
}

/** What the clip's own path is called among the shapes. */
export const OWN = "own";
/** Metres: a shorter stroke is a slip of the hand; and those over which it is smoothed. */
const [SHORTEST, SMOOTH] = [0.5, 0.25];

/** Have the clip go along a line that was drawn. Clips that are too short for it are repeated. */
export function drawLine(points: readonly Point[]): void {
  if (length(points) < SHORTEST) return;
  batch(() => {
    chosen.value = null;
    drawn.value += 1;
    history.commit(drawnBy(smooth(resample(points, 0.05), SMOOTH)));
    if (tooShort.value) options.value = { ...options.value, cycle: true };
  });
}

/** The clip's own path as a curve; it goes by no name that the server knows, as a shape that was moved. */
function ownCurve(own: OwnPath): Curve | null {
  const found = fromJson(own);
  return found && { ...found, shape: OWN, placed: true };
}

/** Take the clip's own path again. */
export function ownAgain(): void {
  const clip = opened.value;
  const own = clip && ownCurve(clip.own);
  if (own) batch(() => {
    chosen.value = null;
    framed.value += 1;
    history.commit(own);
  });
}

/** Where the clip's own path begins. */
export function beginning(): Beginning {
  const points = opened.value?.own.points ?? [];
  const [first, next] = [points[0], points[Math.min(points.length - 1, 5)]];
  if (!first || !next) return { x: 0, z: 0, heading: 0 };
  return { x: first[0]!, z: first[1]!, heading: Math.atan2(next[0]! - first[0]!, next[1]! - first[1]!) };
}

let shaping = 0;

/** Take a shape by its text; while its slider is dragged, as a preview. Clips that are too short for it are repeated. */
export async function takePreset(text: string, dragged = false): Promise<void> {
  const mine = ++shaping;
  const { points } = await get<Drawn>(`/api/paths?shape=${encodeURIComponent(text)}`);
  // a newer one was asked for meanwhile
  if (mine !== shaping) return;
  const next = shaped(text, points, beginning());
  batch(() => {
    chosen.value = null;
    if (dragged) history.preview(next);
    else {
      framed.value += 1;
      history.commit(next);
    }
    if (tooShort.value) options.value = { ...options.value, cycle: true };
  });
}

async function open(id: string | null): Promise<void> {
  laying.cancel();
  batch(() => {
    opened.value = null;
    made.value = null;
    problem.value = null;
    chosen.value = null;
  });
  if (id === null) return;
  try {
    const [motion, own] = await Promise.all([clipMotion(id), get<OwnPath>(`/api/clips/${id}/path?controls=${CONTROLS}`)]);
    if (selection.value.clip !== id) return;
    const before = kept.value?.clip === id ? kept.value.curve : null;
    batch(() => {
      const steps = keptSteps();
      if (steps?.clip === id) history.restore(steps.steps);
      else history.reset(before ?? ownCurve(own) ?? NOWHERE);
      opened.value = { id, motion, own };
    });
  } catch (failure) {
    if (selection.value.clip === id && !isAborted(failure)) problem.value = sentence(failure);
  }
}

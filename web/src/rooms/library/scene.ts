/** The chosen clip on the stage, and the second beside it. */
import { computed, effect, untracked } from "@preact/signals";
import type { Clip, LabelSpan } from "../../api/types";
import type { Motion } from "../../motion/motion";
import type { FloorPlace } from "../../stage/actor";
import type { Stage } from "../../stage/stage";
import * as playback from "../../state/playback";
import { clipBody, clipMotion } from "../../state/motions";
import { clip, complain, figure, select } from "../../state/store";
import { lanes, setLanes, trim, type Lane } from "../../timeline/lanes";
import { labelColour } from "../../ui";
import { detail, loadDetail, second, shown } from "./model";
import { rows } from "./rows";

const FIRST = "library.clip";
const SECOND = "library.second";
const APART = 1.1;

/** Whether the next clip that is shown plays at once: after a click, but not after a reload. */
let playNext = false;

export function playWhenShown(): void {
  playNext = !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** What tells versions of a clip apart, its id first: effects run when it changes, not with every word about the clip. */
const version = (one: Clip | null): string | null => (one && !one.info?.error ? `${one.id} ${one.modified} ${one.size}` : null);
const shownKey = computed(() => version(clip.value));
const secondKey = computed(() => version(second.value));

/** Where the second clip stands: beside the first, setting out the same way, as far apart as both need. */
export function beside(first: Motion, other: Motion): FloorPlace {
  const angle = first.heading(0) - other.heading(0);
  const reach = (motion: Motion, side: 1 | -1): number => {
    const [x0, , z0] = motion.root(0);
    const heading = motion.heading(0);
    let most = 0;
    for (let frame = 0; frame < motion.frames; frame += Math.max(1, Math.floor(motion.frames / 100))) {
      const [x, , z] = motion.root(frame);
      most = Math.max(most, side * (Math.cos(heading) * (x - x0) - Math.sin(heading) * (z - z0)));
    }
    return most;
  };
  const gap = Math.min(APART + reach(first, -1) + reach(other, 1), 6);
  const [ax, , az] = first.root(0);
  const [bx, , bz] = other.root(0);
  const heading = first.heading(0);
  // to the right of who faces the heading
  const x = ax - Math.cos(heading) * gap;
  const z = az + Math.sin(heading) * gap;
  const cosine = Math.cos(angle);
  const sine = Math.sin(angle);
  return { angle, x: x - (cosine * bx + sine * bz), z: z - (cosine * bz - sine * bx) };
}

/** Put the clips on the stage for as long as the room is shown; returns what ends it. */
export function show(stage: Stage): () => void {
  let asked = 0;
  let clearing = 0;
  let shownId: string | null = null;
  const one = stage.actor(FIRST);
  const two = stage.actor(SECOND);

  const draw = async (id: string, otherId: string | null): Promise<void> => {
    const turn = ++asked;
    try {
      const [motion, other] = await Promise.all([clipMotion(id), otherId ? clipMotion(otherId) : null]);
      if (turn !== asked) return;
      const bodies = Promise.all([clipBody(id, motion), other && otherId ? clipBody(otherId, other) : null]);
      // a body that is known already is worn at once; another comes when it comes, and until then there is a stick figure
      const [body, otherBody] = (await Promise.race([bodies, soon()])) ?? [null, null];
      if (turn !== asked) return;
      one.setMotion(motion, body);
      two.setMotion(other, otherBody);
      place(stage, motion, other);
      const fresh = shownId !== id;
      shownId = id;
      playback.setLength(Math.max(motion.seconds, other?.seconds ?? 0), motion.fps, !fresh);
      stage.setTime(playback.time.value);
      if (fresh) stage.camera.look("three-quarter", false);
      if (fresh && playNext) playback.play();
      playNext = false;
      const [late, otherLate] = await bodies;
      if (turn !== asked) return;
      one.setMotion(motion, late);
      two.setMotion(other, otherLate);
    } catch (error) {
      if (turn === asked) complain(error);
    }
  };

  const ends = [
    effect(() => {
      const chosen = shownKey.value;
      const other = secondKey.value;
      untracked(() => {
        clearTimeout(clearing);
        if (chosen) void draw(chosen.split(" ")[0]!, other ? other.split(" ")[0]! : null);
        // a clip that is renamed is gone for a moment
        else clearing = window.setTimeout(none, 250);
      });
    }),
    effect(() => {
      const key = shownKey.value;
      untracked(() => {
        trim.value = null;
        const id = key?.split(" ")[0] ?? null;
        if (detail.value?.id !== id) detail.value = null;
        if (id) void loadDetail(id);
      });
    }),
    effect(() => {
      one.setStyle({ figure: figure.value });
      two.setStyle({ figure: figure.value, tint: "c-kept-1" });
    }),
    effect(() => setLanes(labelLanes())),
    // what is cut is what plays
    effect(() => {
      const span = trim.value;
      const rate = playback.fps.value;
      playback.range.value = span ? { first: span.first / rate, last: span.last / rate } : null;
    }),
  ];

  /** No clip is chosen: the first there is, so that the stage is not empty without need. */
  function none(): void {
    const first = shown.value.find((one) => !one.info?.error);
    if (first && !clip.value) select({ clip: first.id });
    else clear();
  }

  function clear(): void {
    asked++;
    shownId = null;
    one.setMotion(null);
    two.setMotion(null);
    stage.line(FIRST, null);
    stage.line(SECOND, null);
    playback.pause();
    playback.setLength(0, 30);
  }

  return () => {
    asked++;
    clearTimeout(clearing);
    ends.forEach((end) => end());
    for (const id of [FIRST, SECOND]) {
      stage.drop(id);
      stage.line(id, null);
    }
    trim.value = null;
    lanes.value = [];
  };
}

/** Undefined after a moment. */
const soon = (): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), 80));

/** The second beside the first, and the ways of both over the floor. */
function place(stage: Stage, motion: Motion, other: Motion | null): void {
  const two = stage.actor(SECOND);
  stage.line(FIRST, motion.track(), { colour: "c-original", width: 2 });
  if (other) two.offset = beside(motion, other);
  const track = other?.track().map((point) => [...two.place(point)]) ?? null;
  stage.line(SECOND, track, { colour: "c-kept-1", width: 2 });
}

/** Labels of the chosen clip over its frames: what the body does first, turns last, and no two that hold at once in one lane. */
function labelLanes(): Lane[] {
  const spans = detail.value?.spans ?? [];
  const turns = (span: LabelSpan): boolean => /^(turn|veer)/.test(span.label);
  const lane = (name: string, id: string) => (row: LabelSpan[], n: number): Lane => ({
    id: `${id}.${n}`,
    label: n === 0 ? name : "",
    marks: row.map(({ label: text, first, last }) => ({ first, last, text, colour: labelColour(text) })),
  });
  return [...rows(spans.filter((span) => !turns(span))).map(lane("Labels", "library.labels")), ...rows(spans.filter(turns)).map(lane("Turns", "library.turns"))];
}

/** The scene on the timeline: a track each for labels, places, waits, poses and hands. */

import { Track, type TrackItem } from "../../timeline/track";
import type { Lane } from "../../timeline/lanes";
import { labelColour } from "../../ui";
import { addMoment, addPose, addStrike, change, choose, choosePart, howOf, paint, paintLabel, remove, retime } from "./actions";
import { short, told, toldHit } from "./blame";
import { type Kind, type Scene } from "./scene";
import { chosen, missed, painting, refused, scene, spaces, stretch, struck, unstretch, wrongOf } from "./state";

const [PLACE, WAIT, POSE, HAND, PART] = ["--c-path", "--c-right", "--c-transition", "--c-target", "--accent"];
/** Pixels. */
const TALL = 28;

const isChosen = (kind: Kind, id: number): boolean => chosen.value?.kind === kind && chosen.value.id === id;
const drops = (kind: Kind) => ({ onChoose: (id: number) => choose(kind, id), onRemove: (id: number) => remove({ kind, id }) });

function Labels() {
  const now = painting.value?.kind === "label" ? painting.value : null;
  const name = paintLabel();
  const items = scene.value.label.map((one): TrackItem => ({
    id: one.id,
    from: one.from,
    to: one.to,
    colour: labelColour(one.name),
    text: `${one.not ? "not " : one.may ? "or " : ""}${one.name}`,
    name: `Label ${one.not ? "not " : one.may ? "or " : ""}${one.name}`,
    chosen: isChosen("label", one.id),
    wrong: wrongOf("label", one.id),
    soft: one.not || one.may,
  }));
  return (
    <Track
      label="Labels"
      spans
      items={items}
      {...drops("label")}
      onDrag={(id, from, to, phase) => change("label", id, { from, to }, howOf(phase))}
      onPaint={(span, last) => paint("label", span, last)}
      painting={now && { ...now, colour: name ? labelColour(name) : "--text-3" }}
      hint={name ? `Drag here to paint ${name}` : "Drag here to wipe"}
    />
  );
}

/** Where keys lie on the timeline: at their time, over their window, or where they were met. */
function spanOf(key: Scene["key"][number]): [number, number] | null {
  if (key.time !== null) return [key.time, key.time];
  if (key.window) return [key.window[0], key.window[1]];
  const met = missed.value.get(key.id)?.time;
  return met === undefined ? null : [met, met];
}

function Places() {
  const items = scene.value.key.flatMap((key, index): TrackItem[] => {
    const span = spanOf(key);
    if (!span) return [];
    const miss = missed.value.get(key.id);
    const wrong = wrongOf("key", key.id);
    const place = `at x ${key.at[0].toFixed(2)} m, z ${key.at[1].toFixed(2)} m${key.heading === null ? "" : `, heading ${key.heading}°`}`;
    return [
      {
        id: key.id,
        from: span[0],
        to: span[1],
        colour: PLACE!,
        text: miss && !miss.met ? short(miss) : String(index + 1),
        name: `Place ${index + 1}`,
        told: [place, miss?.met ? told(miss, index + 1) : ""].filter(Boolean).join(". "),
        chosen: isChosen("key", key.id),
        wrong: wrong ?? (miss && !miss.met ? told(miss, index + 1) : null),
        soft: !key.hard,
        loose: key.time === null,
      },
    ];
  });
  return (
    <Track
      label="Places"
      items={items}
      {...drops("key")}
      onDrag={(id, from, to, phase) => {
        const key = scene.value.key.find((one) => one.id === id);
        if (!key) return;
        if (key.time === null && key.window) change("key", id, { window: [from, to] }, howOf(phase));
        // dragged, whoever had no time of its own has one
        else retime(id, from, howOf(phase));
      }}
      onAdd={addMoment}
      hint="Click on the floor, or double-click here"
    />
  );
}

function Waits() {
  const now = painting.value?.kind === "wait" ? painting.value : null;
  const items = scene.value.wait.map((one, index): TrackItem => ({
    id: one.id, from: one.from, to: one.to, colour: WAIT!, text: "wait", name: `Wait ${index + 1}`, chosen: isChosen("wait", one.id), wrong: wrongOf("wait", one.id),
  })); // prettier-ignore
  return (
    <Track
      label="Waits"
      spans
      items={items}
      {...drops("wait")}
      onDrag={(id, from, to, phase) => change("wait", id, { from, to }, howOf(phase))}
      onPaint={(span, last) => paint("wait", span, last)}
      painting={now && { ...now, colour: WAIT! }}
      hint="Drag here to have somebody stand"
    />
  );
}

function Poses() {
  const items = scene.value.pose.map((one, index): TrackItem => ({
    id: one.id, from: one.time, to: one.time, colour: POSE!, text: one.clip, name: `Pose ${index + 1}`, told: `frame ${one.frame} of ${one.clip}`, chosen: isChosen("pose", one.id), wrong: wrongOf("pose", one.id),
  })); // prettier-ignore
  return (
    <Track
      label="Poses"
      items={items}
      {...drops("pose")}
      onDrag={(id, from, _, phase) => change("pose", id, { time: from }, howOf(phase))}
      onAdd={addPose}
      hint="Double-click: the pose of that moment is kept"
    />
  );
}

function Hands() {
  const items = scene.value.strike.map((one, index): TrackItem => {
    const hit = struck.value.get(one.id);
    return {
      id: one.id,
      from: one.time,
      to: one.time,
      colour: HAND!,
      text: hit && !hit.met ? (hit.struck ? `${hit.cm.toFixed(1)} cm` : "not struck") : (one.by ?? ""),
      name: `Strike ${index + 1}`,
      told: [`at x ${one.target[0].toFixed(2)}, y ${one.target[1].toFixed(2)}, z ${one.target[2].toFixed(2)} m`, hit?.met ? toldHit(hit, index + 1) : ""].filter(Boolean).join(". "),
      chosen: isChosen("strike", one.id),
      wrong: wrongOf("strike", one.id) ?? (hit && !hit.met ? toldHit(hit, index + 1) : null),
    };
  });
  return (
    <Track
      label="Hands"
      items={items}
      {...drops("strike")}
      onDrag={(id, from, _, phase) => change("strike", id, { time: from }, howOf(phase))}
      onAdd={addStrike}
      hint="Double-click: something is hit then"
    />
  );
}

/** The stretch that is to be made anew. */
function Part() {
  const now = stretch.value;
  const items: TrackItem[] = now ? [{ id: 0, ...now, colour: PART!, text: "make anew: R", name: "Stretch", chosen: true, wrong: refused.value }] : [];
  return (
    <Track
      label="Stretch"
      spans
      items={items}
      onChoose={() => undefined}
      onRemove={unstretch}
      onDrag={(_, from, to, phase) => choosePart({ from, to }, phase === "end" || phase === "key")}
      onPaint={choosePart}
      hint="Drag here to choose what is made anew"
    />
  );
}

/** A track of spans that files may say: clips that are played, paths that are followed. */
function spansOf(kind: "clip" | "path", label: string) {
  return function Spans() {
    const items = scene.value[kind].map((one, index): TrackItem => {
      const text = "name" in one ? one.name : (one.shape ?? `${one.points?.length ?? 0} points`);
      return { id: one.id, from: one.from, to: one.to, colour: kind === "clip" ? POSE! : PLACE!, text, name: `${label} ${index + 1}`, told: text, chosen: isChosen(kind, one.id), wrong: wrongOf(kind, one.id) };
    });
    return <Track label={`${label}s`} spans items={items} {...drops(kind)} onDrag={(id, from, to, phase) => change(kind, id, { from, to }, howOf(phase))} />;
  };
}

const HANDS: Lane = { id: "direct.hands", label: "Hands", tall: TALL, Content: Hands };
const CLIPS: Lane = { id: "direct.clips", label: "Clips", tall: TALL, Content: spansOf("clip", "Clip") };
const PATHS: Lane = { id: "direct.paths", label: "Paths", tall: TALL, Content: spansOf("path", "Path") };

/** The tracks of the room, from above: hands where there is a space to strike by, clips and paths where the scene says any. */
export function tracks(): Lane[] {
  const { strike, clip, path } = scene.value;
  return [
    ...TRACKS,
    ...(strike.length || spaces.value.length ? [HANDS] : []),
    ...(clip.length ? [CLIPS] : []),
    ...(path.length ? [PATHS] : []),
    STRETCH,
  ];
}

const TRACKS: Lane[] = [
  { id: "direct.labels", label: "Labels", tall: TALL, Content: Labels },
  { id: "direct.places", label: "Places", tall: TALL, Content: Places },
  { id: "direct.waits", label: "Waits", tall: TALL, Content: Waits },
  { id: "direct.poses", label: "Poses", tall: TALL, Content: Poses },
];
const STRETCH: Lane = { id: "direct.stretch", label: "Stretch", tall: TALL, Content: Part };

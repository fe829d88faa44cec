/** Who stands at the keys: the pose of the result at the time of each key and each strike, and the pose of the clip at each pose key. */

import { computed, effect, signal } from "@preact/signals";
import type { Motion } from "../../motion/motion";
import type { FloorPlace } from "../../stage/actor";
import { motionAt } from "../../state/motions";
import { complain } from "../../state/store";
import { answer, clipNames, graph, graphVersion, layers, missed, scene, struck, wrongOf } from "./state";

export interface Ghost {
  readonly id: string;
  readonly motion: Motion;
  /** seconds of its motion */
  readonly time: number;
  readonly place: FloorPlace;
  readonly colour: string;
}

/** Figures that are shown at once at most: a stage full of bodies tells nothing. */
const MOST = 12;

/** clips of pose keys, by graph and number, as they arrive */
const clips = signal<ReadonlyMap<string, Motion>>(new Map());

/** The ghosts as things are. A key that has been moved has its ghost at its new place until the answer is there. */
export const ghosts = computed<readonly Ghost[]>(() => {
  const now = answer.value;
  if (!now || !layers.value.ghosts) return [];
  const { motion } = now;
  const found: Ghost[] = [];
  for (const key of scene.value.key) {
    const time = key.time ?? missed.value.get(key.id)?.time ?? null;
    if (time === null) continue;
    const [x, , z] = motion.root(time * motion.fps);
    const red = wrongOf("key", key.id) !== null || missed.value.get(key.id)?.met === false;
    found.push({ id: `key.${key.id}`, motion, time, place: { angle: 0, x: key.at[0] - x, z: key.at[1] - z }, colour: red ? "--danger" : "--c-path" });
  }
  for (const pose of scene.value.pose) {
    const clip = clips.value.get(clipKey(pose.clip));
    if (!clip) continue;
    const at = Math.min(Math.round(pose.time * motion.fps), motion.frames - 1);
    found.push({ id: `pose.${pose.id}`, motion: clip, time: pose.frame / clip.fps, place: laid(clip, pose.frame, motion, at), colour: wrongOf("pose", pose.id) ? "--danger" : "--c-transition" });
  }
  for (const strike of scene.value.strike) {
    const bad = wrongOf("strike", strike.id) !== null || struck.value.get(strike.id)?.met === false;
    found.push({ id: `strike.${strike.id}`, motion, time: strike.time, place: { angle: 0, x: 0, z: 0 }, colour: bad ? "--danger" : "--c-target" });
  }
  return found.slice(0, MOST);
});

/** Where a frame of one motion is to stand so that it is where another is at a frame, facing the same way. */
function laid(clip: Motion, frame: number, motion: Motion, at: number): FloorPlace {
  const angle = motion.heading(at) - clip.heading(frame);
  const [x, , z] = clip.root(frame);
  const [toX, , toZ] = motion.root(at);
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  return { angle, x: toX - (cosine * x + sine * z), z: toZ - (cosine * z - sine * x) };
}

const clipKey = (name: string): string => `${graphVersion.value} ${name}`;

/** Fetch the clips of pose keys for as long as the room is open; returns a function that ends it. */
export function startGathering(): () => void {
  return effect(() => {
    const id = graph.value?.id;
    for (const { clip } of scene.value.pose) {
      const index = clipNames.value.indexOf(clip);
      const key = clipKey(clip);
      if (!id || index < 0 || clips.peek().has(key)) continue;
      motionAt(`/api/graphs/${id}/clips/${index}/motion`, `direct ${key}`)
        .then((motion) => (clips.value = new Map(clips.value).set(key, motion)))
        .catch(complain);
    }
  });
}

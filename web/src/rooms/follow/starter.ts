/** Whoever is going to walk, standing where paths begin: how large a person is, and which way they look, before anything is drawn. */

import { computed, effect, signal, untracked } from "@preact/signals";
import { postPack } from "../../api/client";
import type { ResultPack, WalkRequest } from "../../api/types";
import { Motion } from "../../motion/motion";
import type { Stage } from "../../stage/stage";
import { resultBody } from "../../state/motions";
import { figure } from "../../state/store";
import { answer, course, graphDetail, mode } from "./state";

const ACTOR = "follow.start";
/** Seconds of a walk, of which the first frame is shown. */
const SHORTEST = 0.3;
/** What somebody does who waits, the first that there is. */
const WAITING = ["stand", "walk"];

interface Waiting {
  readonly graph: string;
  readonly id: string;
  readonly motion: Motion;
}

const waiting = signal<Waiting | null>(null);
const wanted = computed(() => mode.value === "path" && answer.value === null && course.value.drawing.source === null);

/** Show them while there is no path; returns what ends it. */
export function showStarter(stage: Stage): () => void {
  let asked: string | null = null;
  const ends = [
    effect(() => {
      const detail = graphDetail.value;
      if (!wanted.value || !detail || asked === detail.id) return;
      asked = detail.id;
      const label = WAITING.find((one) => detail.labels.includes(one));
      untracked(() => void ask(detail.id, label));
    }),
    effect(() => {
      const now = waiting.value;
      const visible = wanted.value && now !== null && now.graph === graphDetail.value?.id;
      const actor = stage.actor(ACTOR);
      actor.setStyle({ figure: figure.value, visible });
      if (!visible) return;
      actor.setMotion(now.motion);
      resultBody(now.id, now.motion).then(
        (body) => waiting.peek() === now && actor.setBody(body),
        () => {},
      );
    }),
  ];
  return () => {
    for (const end of ends) end();
    stage.drop(ACTOR);
  };
}

async function ask(graph: string, label: string | undefined): Promise<void> {
  try {
    const pack = await postPack<ResultPack, WalkRequest>(`/api/graphs/${graph}/walk`, { seconds: SHORTEST, seed: 0, ...(label ? { label } : {}) });
    waiting.value = { graph, id: pack.facts.result.id, motion: Motion.of(pack) };
  } catch {
    // nobody waits then: what is wrong with the graph is told when somebody is to walk
  }
}

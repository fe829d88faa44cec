/** The export room on the stage: what would be exported, playing. */

import { effect } from "@preact/signals";
import { sentence } from "../../api/client";
import { settled } from "../../stage/settled";
import type { Stage } from "../../stage/stage";
import { clipBody, clipMotion, resultBody, resultMotion } from "../../state/motions";
import * as playback from "../../state/playback";
import { figure } from "../../state/store";
import { shownProblem, source } from "./model";

const FIGURE = "export.figure";

/** Draw it and keep it up to date; returns what ends it and clears the stage. */
export function draw(stage: Stage): () => void {
  const actor = stage.actor(FIGURE);
  let shown = "";

  async function show(kind: "clip" | "result", id: string): Promise<void> {
    try {
      const motion = await (kind === "clip" ? clipMotion(id) : resultMotion(id));
      const body = await (kind === "clip" ? clipBody(id, motion) : resultBody(id, motion));
      if (shown !== `${kind} ${id}`) return;
      shownProblem.value = null;
      actor.setMotion(motion, body);
      playback.setLength(motion.seconds, motion.fps);
      settled(() => {
        if (shown === `${kind} ${id}`) stage.camera.look("fit");
      });
      playback.playNew();
    } catch (failure) {
      if (shown === `${kind} ${id}`) shownProblem.value = sentence(failure);
    }
  }

  const ends = [
    effect(() => actor.setStyle({ figure: figure.value })),
    effect(() => {
      const now = source.value;
      const key = now ? `${now.kind} ${now.id}` : "";
      if (key === shown) return;
      shown = key;
      if (now) void show(now.kind, now.id);
      else actor.setMotion(null);
    }),
  ];
  return () => {
    shown = "";
    for (const end of ends) end();
    stage.drop(FIGURE);
  };
}

/** A result that a link leads to: the room is set so that it makes the same again, and one can go on from there. */
import { batch } from "@preact/signals";
import { get } from "../../api/client";
import type { Drawn, FollowRequest, PathJSON, WalkRequest } from "../../api/types";
import { loaded } from "./drawing";
import { playNext } from "./search";
import { settingsOf } from "./settings-of";
import { edit, following, making, mode, ordering, placed, wandering } from "./state";

/** Set the room by what a result was asked for. */
export async function reopen(request: Readonly<Record<string, unknown>>): Promise<void> {
  const set = settingsOf(request as unknown as FollowRequest | WalkRequest);
  const path = request["path"] as PathJSON | undefined;
  const points = path && "shape" in path ? (await get<Drawn>(`/api/paths?shape=${encodeURIComponent(path.shape)}`)).points : [];
  batch(() => {
    mode.value = set.mode;
    making.value = { ...making.value, ...set.making };
    if (set.mode === "random") wandering.value = { ...wandering.value, ...set.wandering };
    if (set.mode === "sequence") ordering.value = set.ordering;
    if (path) {
      following.value = set.following;
      edit({ drawing: loaded(path, () => points), label: set.label, stretches: set.stretches, obstacles: set.obstacles, pauses: set.pauses });
    }
    placed.value += 1;
  });
  playNext();
}

/** Which clip the room begins with: a jump on the spot has no path. */

import type { Clip } from "../../api/types";

/** Metres that a clip must go to have a path at all. */
const GOES = 0.5;

const goes = (one: Clip): boolean => (one.info?.distance_m ?? 0) > GOES;

/**
 * The id of the chosen clip where it goes anywhere, else of the first that does. The chosen one all the same, or null, where none goes: the
 * server says why. undefined: too little is known of the clips yet, so that nothing should be asked of the server.
 */
export function beginsWith(clips: readonly Clip[], chosen: string | null): string | null | undefined {
  const own = clips.find((one) => one.id === chosen);
  if (own && goes(own)) return own.id;
  if (own && own.info === null) return undefined;
  const found = clips.find(goes);
  if (found) return found.id;
  return clips.some((one) => one.info === null) ? undefined : (own?.id ?? null);
}

/** What is worked out of a motion on a path for the timeline. */

/** Seconds over which speed is averaged. */
const WINDOW = 0.2;

/** Metres a second (F) along a track of pairs, each over a short window about its frame. */
export function speeds(track: ArrayLike<number>, fps: number): Float32Array {
  const frames = track.length / 2;
  const reach = Math.max(1, Math.round((WINDOW * fps) / 2));
  return Float32Array.from({ length: frames }, (_, frame) => {
    const first = Math.max(0, frame - reach);
    const last = Math.min(frames - 1, frame + reach);
    if (last === first) return 0;
    const way = Math.hypot(track[2 * last]! - track[2 * first]!, track[2 * last + 1]! - track[2 * first + 1]!);
    return (way * fps) / (last - first);
  });
}

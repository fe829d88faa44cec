/** Waiting for the page's layout. */

/** Run once the stage has taken the size that the room gives it: a room may put a view beside it, and a camera that fits needs to know. */
export function settled(run: () => void): void {
  // sizes are told after the frame in which they change
  requestAnimationFrame(() => requestAnimationFrame(run));
}

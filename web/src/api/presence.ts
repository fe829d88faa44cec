/** Whether the server answers, and waiting until it does again. */

import { signal } from "@preact/signals";

/** false while the server is away */
export const online = signal(true);
/** how often it has come back: what it held in memory may be gone since */
export const returns = signal(0);

const FIRST_WAIT = 400;
/** on the same machine it costs nothing to look, and whoever has started it again waits for nothing else */
const LONGEST_WAIT = 1000;
/** something small that it answers */
const LOOK = "/api/jobs";
const waiting = new Set<() => void>();

/** The server has answered, or its stream is open again. */
export function isHere(): void {
  if (online.peek()) return;
  online.value = true;
  returns.value += 1;
  for (const go of [...waiting]) go();
}

/** The server could not be reached: from now on somebody looks whether it is back. */
export function isAway(): void {
  if (!online.peek()) return;
  online.value = false;
  void look();
}

/** Ask until it answers. By a request: of sockets that fail browsers make the next ones wait for seconds. */
async function look(): Promise<void> {
  for (let attempt = 0; !online.peek(); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, waitBefore(attempt)));
    if (online.peek()) return;
    await fetch(LOOK).then(isHere, () => {});
  }
}

/** Milliseconds to wait before the try of that number, ever longer. */
export function waitBefore(attempt: number): number {
  return Math.min(FIRST_WAIT * 1.6 ** attempt, LONGEST_WAIT);
}

/** Resolves once the server is back; at once where it is here, or where the signal has aborted. */
export function untilBack(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      waiting.delete(go);
      signal?.removeEventListener("abort", go);
      resolve();
    };
    waiting.add(go);
    signal?.addEventListener("abort", go);
    if (signal?.aborted || online.peek()) go();
  });
}

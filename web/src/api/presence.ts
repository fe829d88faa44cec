/** Whether the server answers, and waiting until it does again. */

import { signal } from "@preact/signals";

/** false while the server is away */
export const online = signal(true);
/** how often it has come back: what it held in memory may be gone since */
export const returns = signal(0);

const FIRST_WAIT = 400;
const LONGEST_WAIT = 5000;
const waiting = new Set<() => void>();

/** The server has answered, or its stream is open again. */
export function isHere(): void {
  if (online.peek()) return;
  online.value = true;
  returns.value += 1;
  for (const go of [...waiting]) go();
}

/** The server could not be reached. */
export function isAway(): void {
  online.value = false;
}

/** Milliseconds to wait before the try of that number, ever longer. */
export function waitBefore(attempt: number): number {
  return Math.min(FIRST_WAIT * 1.6 ** attempt, LONGEST_WAIT);
}

/** Resolves when the server is known to be back, or when it is time to look once more; at once where the signal has aborted. */
export function untilBack(attempt: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer);
      waiting.delete(go);
      signal?.removeEventListener("abort", go);
      resolve();
    };
    const timer = setTimeout(go, waitBefore(attempt));
    waiting.add(go);
    signal?.addEventListener("abort", go);
    if (signal?.aborted) go();
  });
}

/** Requests of which only the latest counts: one is under way at a time, and of those that come meanwhile the newest is sent next. */

import { type ReadonlySignal, signal } from "@preact/signals";

/** What `latest` gives. */
export interface Latest<Q> {
  /** Ask now, or as soon as the request under way is answered. */
  request(query: Q): void;
  /** Give up what is under way and what waits; their answers are not taken. */
  cancel(): void;
  /** Whether anything is under way. */
  readonly busy: ReadonlySignal<boolean>;
}

/**
 * Ask with `ask`, one request at a time; `take` gets every answer, `refuse` every failure but those of given-up requests.
 *
 * An answer that comes while a newer question waits is taken all the same, so that what is dragged is seen to follow the hand. A slow request is
 * better given up for a newer one: `abort` says so.
 */
export function latest<Q, A>(
  ask: (query: Q, signal: AbortSignal) => Promise<A>,
  take: (answer: A, query: Q) => void,
  refuse: (problem: unknown, query: Q) => void,
  options: { abort?: boolean } = {},
): Latest<Q> {
  const busy = signal(false);
  let waiting: { query: Q } | null = null;
  let current: AbortController | null = null;

  async function send(query: Q): Promise<void> {
    const controller = new AbortController();
    current = controller;
    busy.value = true;
    try {
      const answer = await ask(query, controller.signal);
      if (!controller.signal.aborted) take(answer, query);
    } catch (problem) {
      if (!controller.signal.aborted) refuse(problem, query);
    } finally {
      // a cancelled one has been replaced already
      if (current === controller) {
        current = null;
        const next = waiting;
        waiting = null;
        if (next) void send(next.query);
        else busy.value = false;
      }
    }
  }

  return {
    busy,
    request(query) {
      if (current === null) void send(query);
      else if (options.abort) {
        current.abort();
        void send(query);
      } else waiting = { query };
    },
    cancel() {
      waiting = null;
      current?.abort();
      current = null;
      busy.value = false;
    },
  };
}

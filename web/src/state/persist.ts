/**
 * Signals that survive a reload: kept in the browser's storage.
 *
 * Each tab has what was last set in it, so that two of them do not take each other's work away; a new one begins with what was last set in any.
 */
import { effect, signal, type Signal } from "@preact/signals";

const PREFIX = "kinegraph.";

/** Where something is kept: for this tab alone, or also for tabs to come. */
export type Keeping = "tab" | "all";

/** A signal that is kept under a key. What cannot be read back, or is refused by `valid`, is the initial value. */
export function persisted<T>(key: string, initial: T, valid: (value: unknown) => boolean = () => true, keeping: Keeping = "all"): Signal<T> {
  const kept = signal<T>(recall(key, initial, valid, keeping));
  let first = true;
  effect(() => {
    const value = kept.value;
    if (first) {
      first = false;
      return;
    }
    keep(key, value, keeping);
  });
  return kept;
}

/** What was kept under a key, in this tab if there is such, else in any. */
export function recall<T>(key: string, initial: T, valid: (value: unknown) => boolean = () => true, keeping: Keeping = "all"): T {
  for (const storage of keeping === "tab" ? [sessions] : [sessions, locals]) {
    try {
      const text = storage().getItem(PREFIX + key);
      if (text === null) continue;
      const value = JSON.parse(text) as T;
      if (valid(value)) return value;
    } catch {
      // storage is refused or holds something else: the page works without
    }
  }
  return initial;
}

/** Keep a value under a key. */
export function keep(key: string, value: unknown, keeping: Keeping = "all"): void {
  const text = JSON.stringify(value);
  for (const storage of keeping === "tab" ? [sessions] : [sessions, locals]) {
    try {
      storage().setItem(PREFIX + key, text);
    } catch {
      // storage is full or refused: the setting lasts as long as the page
    }
  }
}

// asked each time: where storage is refused, naming it is an error already
const sessions = (): Storage => sessionStorage;
const locals = (): Storage => localStorage;

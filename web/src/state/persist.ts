/** Signals that survive a reload: kept in the browser's local storage. */
import { effect, signal, type Signal } from "@preact/signals";

const PREFIX = "kinegraph.";

/** A signal that is kept under a key. What cannot be read back, or is refused by `valid`, is the initial value. */
export function persisted<T>(key: string, initial: T, valid: (value: unknown) => boolean = () => true): Signal<T> {
  const kept = signal<T>(load(key, initial, valid));
  let first = true;
  effect(() => {
    const value = kept.value;
    if (first) {
      first = false;
      return;
    }
    save(key, value);
  });
  return kept;
}

function load<T>(key: string, initial: T, valid: (value: unknown) => boolean): T {
  try {
    const text = localStorage.getItem(PREFIX + key);
    if (text === null) return initial;
    const value = JSON.parse(text) as T;
    return valid(value) ? value : initial;
  } catch {
    return initial; // storage is refused or holds something else: the page works without
  }
}

function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // storage is full or refused: the setting lasts as long as the page
  }
}

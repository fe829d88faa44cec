/** Short sentences at the edge of the page, with a way on. */
import { signal } from "@preact/signals";
import { isAborted, sentence } from "../api/client";

export interface ToastAction {
  label: string;
  run(): void | Promise<void>;
}

export interface Toast {
  id: number;
  text: string;
  kind: "info" | "good" | "error";
  action?: ToastAction;
}

const SECONDS = { info: 5, good: 4, error: 10 };
const MOST = 4;

export const toasts = signal<Toast[]>([]);
let next = 1;

/** Show a sentence; with an action it stays twice as long. The same sentence is not shown twice at once. */
export function toast(text: string, kind: Toast["kind"] = "info", action?: ToastAction): number {
  const same = toasts.value.find((other) => other.text === text && other.kind === kind);
  if (same) dismiss(same.id);
  const id = next++;
  toasts.value = [...toasts.value, { id, text, kind, action }].slice(-MOST);
  setTimeout(() => dismiss(id), SECONDS[kind] * (action ? 2 : 1) * 1000);
  return id;
}

/** Show what went wrong as a sentence, unless it was called off. */
export function complain(error: unknown, action?: ToastAction): void {
  if (isAborted(error)) return;
  toast(sentence(error), "error", action);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((other) => other.id !== id);
}

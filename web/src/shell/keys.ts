/** Keys of the page and of the room that is shown. */
import type { Shortcut } from "../rooms/registry";

/** A key as it was pressed, written as shortcuts are: Mod+Shift+z, Alt+1, ArrowLeft, ?. */
export function pressed(event: KeyboardEvent): string {
  const parts: string[] = [];
  if (event.ctrlKey || event.metaKey) parts.push("Mod");
  if (event.altKey) parts.push("Alt");
  // a sign says by itself that Shift was held
  const key = /^(Digit|Key)\w$/.test(event.code) && event.altKey ? event.code.replace(/^(Digit|Key)/, "") : event.key;
  if (event.shiftKey && (key.length > 1 || key.toLowerCase() !== key.toUpperCase() || event.altKey)) parts.push("Shift");
  return [...parts, key].join("+");
}

/** One way of writing a key: the order of what is held, and of letters, does not matter. */
export function normal(key: string): string {
  const parts = key === "+" ? ["+"] : key.split("+");
  const last = parts.pop()!;
  const held = new Set(parts.map((part) => ({ ctrl: "mod", control: "mod", cmd: "mod", meta: "mod" })[part.toLowerCase()] ?? part.toLowerCase()));
  const name = last === "Space" ? " " : last;
  return [...["mod", "alt", "shift"].filter((one) => held.has(one)), name.toLowerCase()].join("+");
}

/** Keys that go on while they are held. */
const STEPPING = /(^|\+)(arrow(left|right|up|down)|pageup|pagedown|[,.[\]+-])$/;

/** Keys that a focused control needs for itself. */
function taken(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (event.defaultPrevented) return true;
  if (target.isContentEditable) return true;
  const tag = target.tagName;
  if (tag === "TEXTAREA" || tag === "SELECT") return true;
  if (tag === "INPUT") {
    const type = (target as HTMLInputElement).type;
    if (type === "checkbox") return event.key === " ";
    if (type === "radio" || type === "range") return event.key === " " || event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End";
    return true;
  }
  if (target.closest('[role="menu"], dialog')) return true;
  return (tag === "BUTTON" || tag === "A" || tag === "SUMMARY") && (event.key === " " || event.key === "Enter");
}

/** Listen to keys: the first of the lists that knows one runs it. */
export function listen(lists: () => Shortcut[][]): () => void {
  const hear = (event: KeyboardEvent): void => {
    if (taken(event)) return;
    const key = normal(pressed(event));
    for (const list of lists()) {
      const found = list.find((shortcut) => normal(shortcut.key) === key);
      if (!found) continue;
      event.preventDefault();
      // a key that is held steps on and on; anything else is done once
      if (!event.repeat || STEPPING.test(key)) found.run();
      return;
    }
  };
  addEventListener("keydown", hear);
  return () => removeEventListener("keydown", hear);
}

const NAMES: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "Space", Mod: /Mac/.test(globalThis.navigator?.platform ?? "") ? "⌘" : "Ctrl", Delete: "Del", Escape: "Esc" };

/** A shortcut's key as it is shown. */
export function keyCaps(key: string): string[] {
  const parts = key === "+" ? ["+"] : key.split("+");
  return parts.map((part) => NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part));
}

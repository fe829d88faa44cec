import { describe, expect, it } from "vitest";
import { normal, pressed } from "./keys";

const key = (key: string, more: Partial<KeyboardEvent> = {}): KeyboardEvent => ({ key, code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more }) as KeyboardEvent;

describe("keys", () => {
  it("are the same however they are written", () => {
    expect(normal("Shift+Ctrl+Z")).toBe(normal("Mod+Shift+z"));
    expect(normal("Space")).toBe(" ");
    expect(normal("+")).toBe("+");
  });

  it("are known when they are pressed", () => {
    expect(normal(pressed(key("Z", { ctrlKey: true, shiftKey: true })))).toBe(normal("Mod+Shift+z"));
    expect(normal(pressed(key("?", { shiftKey: true })))).toBe("?");
    expect(normal(pressed(key("ArrowLeft", { shiftKey: true })))).toBe(normal("Shift+ArrowLeft"));
    // with Alt and Shift the sign differs from keyboard to keyboard: the key counts
    expect(normal(pressed(key("¡", { altKey: true, shiftKey: true, code: "Digit1" })))).toBe(normal("Alt+Shift+1"));
    expect(normal(pressed(key(" ")))).toBe(normal("Space"));
  });
});

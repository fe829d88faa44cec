/** What floats closes when something beside it is pressed. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** While `open`, call `close` for a press outside the box; `opened` is called once, when it has opened. */
export function useAway(box: RefObject<HTMLElement | null>, open: boolean, close: () => void, opened?: () => void): void {
  useEffect(() => {
    if (!open) return;
    const away = (event: Event): void => {
      if (!box.current?.contains(event.target as Node)) close();
    };
    addEventListener("pointerdown", away, true);
    opened?.();
    return () => removeEventListener("pointerdown", away, true);
  }, [open]);
}

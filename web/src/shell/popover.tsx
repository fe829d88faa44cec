/** A button that opens a small sheet below it. */
import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { useAway } from "../ui/away";

export function Popover({ label, button, children }: { label: string; button: ComponentChildren; children: ComponentChildren }): JSX.Element {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useAway(box, open, () => setOpen(false));
  return (
    <div
      class="menu-box"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        setOpen(false);
        box.current?.querySelector("button")?.focus();
        event.stopPropagation();
      }}
    >
      <button type="button" class="button quiet popover-button" aria-label={label} aria-expanded={open} onClick={() => setOpen(!open)}>
        {button}
      </button>
      {open && (
        <div class="menu right popover" role="group" aria-label={label}>
          {children}
        </div>
      )}
    </div>
  );
}

/** A button that opens a small sheet below it. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export function Popover({ label, button, children }: { label: string; button: ComponentChildren; children: ComponentChildren }): JSX.Element {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const away = (event: Event): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener("pointerdown", away, true);
    return () => removeEventListener("pointerdown", away, true);
  }, [open]);
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

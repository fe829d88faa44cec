/** A toolbar: one stop for Tab, arrow keys within. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

const ITEMS = "button, select, input, a[href]";

export interface ToolbarProps {
  label: string;
  class?: string;
  /** which of its buttons Tab comes to first, as a selector; the first unless told */
  entry?: string;
  children: ComponentChildren;
}

/** Its buttons are one stop; the arrows, Home and End go from one to the next, and Tab comes back to the last that was used. */
export function Toolbar({ label, class: name, entry, children }: ToolbarProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const last = useRef<Element | null>(null);
  // what has opened out of the toolbar, such as a menu, has stops of its own
  const items = (): HTMLElement[] => [...box.current!.querySelectorAll<HTMLElement>(ITEMS)].filter((one) => !one.closest(".menu") && !one.matches(":disabled"));
  useEffect(() => {
    const settle = (): void => {
      const all = items();
      const stop = all.find((one) => one === last.current) ?? (entry ? all.find((one) => one.matches(entry)) : undefined) ?? all[0];
      for (const one of all) one.tabIndex = one === stop ? 0 : -1;
    };
    settle();
    const watch = new MutationObserver(settle);
    watch.observe(box.current!, { subtree: true, childList: true, attributeFilter: ["disabled"] });
    return () => watch.disconnect();
  }, []);
  const go = (event: KeyboardEvent): void => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    all[(to + all.length) % all.length]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class={name}
      ref={box}
      role="toolbar"
      aria-label={label}
      onKeyDown={go}
      onFocusIn={(event) => {
        const all = items();
        if (!all.includes(event.target as HTMLElement)) return;
        last.current = event.target as HTMLElement;
        for (const one of all) one.tabIndex = one === last.current ? 0 : -1;
      }}
    >
      {children}
    </div>
  );
}

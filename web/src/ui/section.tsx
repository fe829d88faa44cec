/** Parts of a panel: sections that fold, progress, figures, notices. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { classes } from "./classes";
import { Icon } from "./icon";

const folded = new Map<string, boolean>();

export interface SectionProps {
  title: string;
  children: ComponentChildren;
  /** folded at first */
  closed?: boolean;
  /** beside the title */
  aside?: ComponentChildren;
  /** cannot be folded */
  fixed?: boolean;
}

/** A section with a title, which folds; whether it was folded is remembered while the page lives. */
export function Section({ title, children, closed = false, aside, fixed }: SectionProps): JSX.Element {
  const [open, setOpen] = useState(fixed || !(folded.get(title) ?? closed));
  const toggle = (): void => {
    folded.set(title, open);
    setOpen(!open);
  };
  return (
    <section class={classes("section", !open && "closed")}>
      <header>
        {fixed ? (
          <h3>{title}</h3>
        ) : (
          <h3>
            <button type="button" aria-expanded={open} onClick={toggle}>
              <Icon name="right" size={12} />
              {title}
            </button>
          </h3>
        )}
        {aside && <div class="aside">{aside}</div>}
      </header>
      {open && <div class="section-body">{children}</div>}
    </section>
  );
}

/** How far something is: from 0 to 1, or null where that is not known. */
export function Progress({ value, label }: { value: number | null; label: string }): JSX.Element {
  const share = value === null ? undefined : Math.min(Math.max(value, 0), 1);
  return (
    <div
      class={classes("progress", share === undefined && "unknown")}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share === undefined ? undefined : Math.round(share * 100)}
    >
      <i style={share === undefined ? undefined : { width: `${share * 100}%` }} />
    </div>
  );
}

/** A list of names and figures. */
export function Facts({ items }: { items: [name: string, value: ComponentChildren][] }): JSX.Element {
  return (
    <dl class="facts">
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A sentence to heed: a notice, a warning, an error. */
export function Notice({ kind = "info", children }: { kind?: "info" | "warn" | "error" | "good"; children: ComponentChildren }): JSX.Element {
  const icon = { info: "info", warn: "warning", error: "warning", good: "check" }[kind];
  return (
    <div class={`notice ${kind}`} role={kind === "error" ? "alert" : "note"}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  );
}

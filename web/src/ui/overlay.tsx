/** What floats above the page: menus, dialogs, tooltips. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useAway } from "./away";
import { IconButton } from "./button";
import { classes } from "./classes";
import { Icon, type IconName } from "./icon";

export interface MenuItem {
  label: string;
  icon?: IconName | (string & {});
  run: () => void;
  danger?: boolean;
  disabled?: boolean;
  checked?: boolean;
  hint?: string;
}

export interface MenuProps {
  /** accessible name of the button */
  label: string;
  icon?: IconName | (string & {});
  /** text on the button */
  text?: string;
  items: (MenuItem | null)[];
  align?: "left" | "right";
  up?: boolean;
}

/** A button that opens a menu. Null among the items is a line. */
export function Menu({ label, icon = "more", text, items, align = "right", up }: MenuProps): JSX.Element {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useAway(box, open, () => setOpen(false), () => box.current?.querySelector<HTMLElement>('[role^="menuitem"]')?.focus());
  const close = (): void => {
    setOpen(false);
    box.current?.querySelector<HTMLElement>("button")?.focus();
  };
  const keys = (event: KeyboardEvent): void => {
    const entries = [...(box.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)') ?? [])];
    const at = entries.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (event.key === "Escape") close();
    else if (to !== undefined) entries[(to + entries.length) % entries.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu-box" ref={box} onKeyDown={open ? keys : undefined}>
      {text ? (
        <button type="button" class="button plain" aria-label={label} aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
          {icon && icon !== "more" && <Icon name={icon} />}
          {text}
          <Icon name="down" size={12} />
        </button>
      ) : (
        <IconButton icon={icon} label={label} expanded={open} onClick={() => setOpen(!open)} />
      )}
      {open && (
        <div class={classes("menu", align, up && "up")} role="menu" aria-label={label}>
          {items.map((item, index) =>
            item === null ? (
              <hr key={index} />
            ) : (
              <button
                key={item.label}
                type="button"
                role={item.checked === undefined ? "menuitem" : "menuitemcheckbox"}
                aria-checked={item.checked}
                class={classes(item.danger && "danger")}
                disabled={item.disabled}
                title={item.hint}
                onClick={() => {
                  close();
                  item.run();
                }}
              >
                <Icon name={item.checked ? "check" : (item.icon ?? "")} />
                {item.label}
              </button>
            ),
          )}
        </div>
      )}
    </div>
  );
}

export interface DialogProps {
  title: string;
  children: ComponentChildren;
  onClose: () => void;
  /** buttons at its foot */
  actions?: ComponentChildren;
  wide?: boolean;
}

/** A dialog of the browser's own kind: focus stays in it, Escape closes it. */
export function Dialog({ title, children, onClose, actions, wide }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current!;
    element.showModal();
    // what it is about first: the button that closes it is the last thing wanted
    (element.querySelector<HTMLElement>(".dialog-body input, .dialog-body button, .dialog-body select") ?? element).focus();
    return () => element.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={classes("dialog", wide && "wide")}
      tabIndex={-1}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => event.target === dialog.current && onClose()}
      // keys of the page are none of the dialog's
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape" && !event.defaultPrevented) onClose();
      }}
    >
      <div class="dialog-box">
        <header>
          <h2 id={id}>{title}</h2>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </header>
        <div class="dialog-body">{children}</div>
        {actions && <footer>{actions}</footer>}
      </div>
    </dialog>
  );
}

/** A word about something, on hover and on focus. */
export function Tooltip({ text, children }: { text: string; children: ComponentChildren }): JSX.Element {
  return (
    <span class="tooltip" data-tip={text}>
      {children}
    </span>
  );
}

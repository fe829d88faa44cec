/** Buttons. */
import type { ComponentChildren, JSX, Ref } from "preact";
import { classes } from "./classes";
import { Icon, type IconName } from "./icon";

export interface ButtonProps {
  children?: ComponentChildren;
  icon?: IconName | (string & {});
  onClick?: (event: MouseEvent) => void;
  kind?: "plain" | "primary" | "danger" | "quiet";
  disabled?: boolean;
  /** why it is disabled, or more than its text says */
  title?: string;
  /** accessible name, where the text alone does not tell */
  label?: string;
  small?: boolean;
  wide?: boolean;
  pressed?: boolean;
  class?: string;
  type?: "button" | "submit";
  buttonRef?: Ref<HTMLButtonElement>;
}

/** A button with a text. */
export function Button({ children, icon, kind = "plain", small, wide, pressed, label, buttonRef, type = "button", ...rest }: ButtonProps): JSX.Element {
  return (
    <button
      {...rest}
      ref={buttonRef}
      type={type}
      class={classes("button", kind, small && "small", wide && "wide", rest.class)}
      aria-label={label}
      aria-pressed={pressed}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export interface IconButtonProps {
  icon: IconName | (string & {});
  /** its accessible name and its tooltip */
  label: string;
  onClick?: (event: MouseEvent) => void;
  /** shown in the tooltip */
  shortcut?: string;
  disabled?: boolean;
  pressed?: boolean;
  kind?: "plain" | "danger" | "primary";
  size?: number;
  class?: string;
  buttonRef?: Ref<HTMLButtonElement>;
  expanded?: boolean;
  tabIndex?: number;
  /** stands below the icon where styles say that there is room; a part of the label, so that it can be said aloud */
  word?: string;
}

/** A button that is an icon; its name is its tooltip. */
export function IconButton({ icon, label, shortcut, pressed, kind = "plain", size, buttonRef, expanded, word, ...rest }: IconButtonProps): JSX.Element {
  return (
    <button
      {...rest}
      ref={buttonRef}
      type="button"
      class={classes("icon-button", kind, rest.class)}
      aria-label={label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      data-tip={shortcut ? `${label}  ${shortcut}` : label}
    >
      <Icon name={icon} size={size ?? 16} />
      {word && <span class="icon-word">{word}</span>}
    </button>
  );
}

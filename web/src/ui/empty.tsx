/** Empty states: what is missing, and what to do about it. */
import type { ComponentChildren, JSX } from "preact";
import { Icon, type IconName } from "./icon";

export interface EmptyProps {
  title: string;
  text?: ComponentChildren;
  icon?: IconName | (string & {});
  /** what to do about it: buttons */
  children?: ComponentChildren;
}

/** What is shown where there is nothing yet, and what to do about it. */
export function Empty({ title, text, icon, children }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      {icon && (
        <div class="empty-icon">
          <Icon name={icon} size={28} />
        </div>
      )}
      <h3>{title}</h3>
      {text && <p>{text}</p>}
      {children && <div class="actions">{children}</div>}
    </div>
  );
}

/** A long name, cut in its middle: takes of one session differ at their ends. */
import type { JSX } from "preact";
import { classes } from "./classes";
import { parted } from "./words";

export function Name({ text, class: name, title = text }: { text: string; class?: string; title?: string }): JSX.Element {
  const [head, tail] = parted(text);
  return (
    <span class={classes("name", name)} title={title}>
      <span>{head}</span>
      {tail && <span>{tail}</span>}
    </span>
  );
}

/** Figures of a result, at the foot of the panel. */

import type { ComponentChildren } from "preact";

interface Props {
  name: string;
  /** the number as it is shown */
  value: string;
  unit?: string;
  /** beside it, small: what it is at most, or of what it is a part */
  more?: ComponentChildren;
  title?: string;
}

/** One figure; they stand in a list of the class path-figures. */
export function Figure({ name, value, unit, more, title }: Props) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd>
        {value}
        {unit && <small>{unit}</small>}
        {more && <span class="path-max">{more}</span>}
      </dd>
    </div>
  );
}

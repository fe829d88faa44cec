/** Spans in rows, so that none covers another. */

interface Spanned {
  first: number;
  last: number;
}

/** Rows of spans that do not overlap, in order of time; a span stands in the first row that has room for it. */
export function rows<S extends Spanned>(spans: readonly S[]): S[][] {
  const made: S[][] = [];
  for (const span of [...spans].sort((a, b) => a.first - b.first || b.last - a.last)) {
    const row = made.find((one) => one.at(-1)!.last <= span.first);
    if (row) row.push(span);
    else made.push([span]);
  }
  return made;
}

/** Scales of a plot: values to pixels and back, round ticks, and a view that can be zoomed and moved. */

/** Round values from `low` to `high`, about `wanted` of them, a step of 1, 2 or 5 times a power of ten apart. */
export function ticks(low: number, high: number, wanted: number): number[] {
  const span = high - low;
  if (!(span > 0) || wanted < 1) return [];
  const rough = span / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999) ?? 10 * power;
  const found: number[] = [];
  // counted, not added up: sums of 0.1 drift
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n += 1) found.push(n * step + 0);
  return found;
}

/** As many decimals as the ticks differ in. */
export function tickText(value: number, all: readonly number[]): string {
  const step = all.length > 1 ? Math.abs(all[1]! - all[0]!) : 1;
  const decimals = Math.max(0, Math.min(3, -Math.floor(Math.log10(step) + 1e-9)));
  return (Math.abs(value) < step / 1000 ? 0 : value).toFixed(decimals);
}

/** One axis of a view: the values at the two ends of its pixels. */
export interface Span {
  low: number;
  high: number;
}

/** Zoom a span by `factor` (below 1 comes nearer) about a value, never beyond `whole` and never below `least` wide. */
export function zoomed(span: Span, whole: Span, about: number, factor: number, least: number): Span {
  const width = Math.min(whole.high - whole.low, Math.max(least, (span.high - span.low) * factor));
  const part = (about - span.low) / (span.high - span.low);
  return within({ low: about - part * width, high: about + (1 - part) * width }, whole);
}

/** Move a span by `by` values, staying in `whole`. */
export function moved(span: Span, whole: Span, by: number): Span {
  return within({ low: span.low + by, high: span.high + by }, whole);
}

/** A span of the same width that lies in `whole`; all of it if it is wider. */
export function within(span: Span, whole: Span): Span {
  const width = span.high - span.low;
  if (width >= whole.high - whole.low) return { ...whole };
  const low = Math.min(Math.max(span.low, whole.low), whole.high - width);
  return { low, high: low + width };
}

/** Where a value of a span lies between two pixels. */
export function toPixel(span: Span, value: number, from: number, to: number): number {
  return from + ((value - span.low) / (span.high - span.low)) * (to - from);
}

/** The value of a span at a pixel between two pixels. */
export function toValue(span: Span, pixel: number, from: number, to: number): number {
  return span.low + ((pixel - from) / (to - from)) * (span.high - span.low);
}

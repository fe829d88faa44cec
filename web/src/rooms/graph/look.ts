/** The page's colours, for drawing on a canvas. */

/** Colours by name, as the tokens of the style sheet give them now. */
export interface Look {
  text: string;
  text2: string;
  text3: string;
  line: string;
  line2: string;
  surface: string;
  surface2: string;
  accent: string;
  transition: string;
  bridge: string;
  walked: string;
  /** any other token */
  token(name: string): string;
}

/** Read the tokens; call it again after the theme has changed. */
export function look(): Look {
  const style = getComputedStyle(document.documentElement);
  const known = new Map<string, string>();
  const token = (name: string): string => {
    if (!known.has(name)) known.set(name, style.getPropertyValue(name).trim());
    return known.get(name)!;
  };
  return {
    text: token("--text"),
    text2: token("--text-2"),
    text3: token("--text-3"),
    line: token("--line"),
    line2: token("--line-2"),
    surface: token("--surface"),
    surface2: token("--surface-2"),
    accent: token("--accent"),
    transition: token("--c-transition"),
    bridge: token("--c-target"),
    walked: token("--c-walked"),
    token,
  };
}

/** The page's fonts at sizes that fit a chart. */
export const SMALL = "11px system-ui, sans-serif";
export const BOLD = "600 11px system-ui, sans-serif";

/** A text cut to a width, with dots where something is missing. */
export function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return low > 0 ? `${text.slice(0, low)}…` : "";
}

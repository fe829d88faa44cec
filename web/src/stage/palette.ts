/** Colours of the stage, light and dark; data colours are the page's tokens. */
import { Color } from "three";

/** Names of the page's data colours. */
export type TokenName =
  | "accent"
  | "danger"
  | "good"
  | "warn"
  | "text"
  | "text-2"
  | "text-3"
  | "line"
  | "c-path"
  | "c-walked"
  | "c-left"
  | "c-right"
  | "c-transition"
  | "c-original"
  | "c-target"
  | "c-kept-1"
  | "c-kept-2"
  | "c-kept-3"
  | "c-kept-4"
  | "c-kept-5";

export type Colour = TokenName | (string & {});

/** What the scene itself is made of. */
export interface Scenery {
  zenith: string;
  horizon: string;
  floor: string;
  fine: string;
  coarse: string;
  body: string;
  joint: string;
  sky: string;
  ground: string;
  hemisphere: number;
  sun: number;
  shadow: number;
}

export const LIGHT: Scenery = {
  zenith: "#dfe7ee",
  horizon: "#f4f6f8",
  floor: "#e9edf0",
  fine: "#cdd5db",
  coarse: "#b3bec7",
  body: "#86a9c2",
  joint: "#3f5769",
  sky: "#ffffff",
  ground: "#aab4bb",
  hemisphere: 1.75,
  sun: 2.1,
  shadow: 0.3,
};

export const DARK: Scenery = {
  zenith: "#0e1216",
  horizon: "#1d242b",
  floor: "#171c21",
  fine: "#29323a",
  coarse: "#3a4650",
  body: "#8fb6d3",
  joint: "#a9cbe2",
  sky: "#c4d6e4",
  ground: "#1f2831",
  hemisphere: 1.15,
  sun: 2.0,
  shadow: 0.55,
};

/** Turns names of tokens and colours of CSS into colours of three. */
export class Palette {
  #element: Element;
  #known = new Map<string, Color>();

  constructor(element: Element) {
    this.#element = element;
  }

  /** Forget what was looked up: the theme has changed. */
  reset(): void {
    this.#known.clear();
  }

  /** A token by its name, with or without dashes before it, or any colour of CSS. Shared: do not change it. */
  colour(name: Colour): Color {
    let found = this.#known.get(name);
    if (!found) {
      found = new Color().setStyle(this.#css(name));
      this.#known.set(name, found);
    }
    return found;
  }

  #css(name: string): string {
    if (/^(#|rgb|hsl)/.test(name)) return name;
    const token = getComputedStyle(this.#element).getPropertyValue(name.startsWith("--") ? name : `--${name}`).trim();
    return token || (/^[a-z]+$/.test(name) ? name : "#888888");
  }
}

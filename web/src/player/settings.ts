/** What the viewer has chosen, kept where the browser lets it. */
import { signal } from "@preact/signals";
import { persisted } from "../state/persist";

export type Figure = "mannequin" | "stick";
export type Theme = "light" | "dark";

const systemTheme = matchMedia("(prefers-color-scheme: dark)");

export const figure = persisted<Figure>("player.figure", "mannequin", (value) => value === "mannequin" || value === "stick");
/** null: as the system has it */
export const chosenTheme = persisted<Theme | null>("player.theme", null, (value) => value === null || value === "light" || value === "dark");
export const follow = persisted<boolean>("player.follow", true, (value) => typeof value === "boolean");
export const help = signal(false);

const system = signal<Theme>(systemTheme.matches ? "dark" : "light");
systemTheme.addEventListener("change", () => (system.value = systemTheme.matches ? "dark" : "light"));

/** The theme that is shown. */
export function theme(): Theme {
  return chosenTheme.value ?? system.value;
}

export function toggleTheme(): void {
  chosenTheme.value = theme() === "dark" ? "light" : "dark";
}

export function toggleFigure(): void {
  figure.value = figure.value === "stick" ? "mannequin" : "stick";
}

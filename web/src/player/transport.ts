/** The bar below: play, scrub, speed, loop, and how the motion is shown. */
import { effect } from "@preact/signals";
import * as playback from "../state/playback";
import { clock, element } from "./dom";
import { icon, type IconName } from "./icons";
import * as settings from "./settings";

/** The transport of what is shown. */
export function transport(): HTMLElement {
  const play = button("play", "Play", () => playback.toggle(), "primary");
  const now = element("output", { className: "now" });
  const whole = element("span", { className: "whole" });
  const loop = button("loop", "Loop", () => (playback.loop.value = !playback.loop.value));
  const follow = button("follow", "Follow with the camera", () => (settings.follow.value = !settings.follow.value));
  const figure = button("mannequin", "Figure", settings.toggleFigure);
  const theme = button("dark", "Theme", settings.toggleTheme);
  const help = button("help", "Keys", () => (settings.help.value = !settings.help.value));

  effect(() => show(play, playback.playing.value ? "pause" : "play", playback.playing.value ? "Pause" : "Play"));
  effect(() => {
    now.textContent = clock(playback.time.value);
  });
  effect(() => {
    whole.textContent = ` / ${clock(playback.duration.value)}`;
  });
  effect(() => press(loop, playback.loop.value));
  effect(() => press(follow, settings.follow.value));
  effect(() => press(help, settings.help.value));
  effect(() => {
    const stick = settings.figure.value === "stick";
    show(figure, stick ? "mannequin" : "stick", stick ? "Show a mannequin" : "Show a stick figure");
  });
  effect(() => {
    const dark = settings.theme() === "dark";
    show(theme, dark ? "light" : "dark", dark ? "Light" : "Dark");
  });
  return element("div", { className: "bar", role: "toolbar", ariaLabel: "Transport" }, play, scrubber(), element("div", { className: "time" }, now, whole), speed(), loop, follow, figure, theme, help);
}

/** The frames as a slider: what the pointer and the arrow keys move along. */
function scrubber(): HTMLElement {
  const range = element("input", { type: "range", min: "0", step: "1", className: "scrubber", ariaLabel: "Frame" });
  let resumes = false;
  range.addEventListener("pointerdown", () => {
    resumes = playback.playing.value;
    playback.pause();
  });
  range.addEventListener("pointerup", () => {
    if (resumes) playback.play();
    resumes = false;
  });
  range.addEventListener("input", () => playback.seekFrame(Number(range.value)));
  effect(() => {
    range.max = String(Math.max(playback.frames.value - 1, 1));
  });
  effect(() => {
    range.value = String(playback.frame.value);
    const last = Math.max(playback.duration.value - 1 / playback.fps.value, 1e-9);
    range.style.setProperty("--done", `${(100 * Math.min(playback.time.value / last, 1)).toFixed(2)}%`);
    range.ariaValueText = `Frame ${playback.frame.value + 1} of ${playback.frames.value}`;
  });
  return range;
}

function speed(): HTMLElement {
  const choice = element("select", { className: "speed", ariaLabel: "Speed", title: "Speed (, and .)" });
  for (const value of playback.SPEEDS) choice.append(element("option", { value: String(value), textContent: `${value}×` }));
  choice.addEventListener("change", () => (playback.speed.value = Number(choice.value)));
  effect(() => {
    choice.value = String(playback.speed.value);
  });
  return choice;
}

function button(name: IconName, label: string, run: () => void, className = ""): HTMLButtonElement {
  const made = element("button", { type: "button", className, onclick: run });
  show(made, name, label);
  return made;
}

function show(on: HTMLButtonElement, name: IconName, label: string): void {
  on.innerHTML = icon(name);
  on.ariaLabel = on.title = label;
}

function press(on: HTMLButtonElement, pressed: boolean): void {
  on.ariaPressed = String(pressed);
}

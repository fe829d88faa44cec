/** The standalone player: shows the motion that its page holds, and asks nothing of anybody. */
import { effect } from "@preact/signals";
import type { BodyPack, MotionFacts, MovedPack } from "../api/types";
import { Motion } from "../motion/motion";
import { Body } from "../stage/body";
import type { View } from "../stage/camera";
import { HeroPoses, HeroShape } from "../stage/hero";
import { Stage } from "../stage/stage";
import * as playback from "../state/playback";
import { embedded, embeddedBytes } from "./data";
import { element } from "./dom";
import { listen, type Shortcut, shortcuts } from "./keys";
import styles from "./player.css?inline";
import * as settings from "./settings";
import { transport } from "./transport";

const ACTOR = "motion";
/** metres above the floor at which a path is drawn */
const PATH = 0.007;

/** What the page shows with its motion, all of which may be missing. */
interface Beside {
  readonly path?: readonly (readonly number[])[];
  readonly says?: readonly string[];
  readonly view?: View;
}

type Shown = MotionFacts & { readonly beside?: Beside };
/** pixels that the bar covers below */
const BAR = 60;

async function start(): Promise<void> {
  document.head.append(element("style", { textContent: styles }));
  effect(() => {
    document.documentElement.dataset["theme"] = settings.theme();
  });
  const [pack, bodyPack] = await Promise.all([embedded<Shown>("kinegraph-motion"), embedded<BodyPack>("kinegraph-body")]);
  if (!pack) throw new Error("This page holds no motion.");
  const motion = Motion.of(pack);
  const { path = [], says = [], view } = pack.facts.beside ?? {};
  const stage = open();
  const actor = stage.actor(ACTOR);
  actor.setMotion(motion, bodyPack && bodyPack.arrays["faces"]!.length > 0 ? Body.of(bodyPack) : null);
  playback.setLength(motion.seconds, motion.fps);
  const keys = shortcuts(stage);
  document.body.append(heading(motion, says), transport(), keyList(keys));
  listen(keys);
  effect(() => actor.setStyle({ figure: settings.figure.value }));
  await enlist(stage);
  effect(() => {
    stage.dark = settings.theme() === "dark";
  });
  effect(() => stage.setTime(playback.time.value));
  playback.breathe(() => stage.breath);
  // who is followed is seen whole and near by; else all of the way is
  if (settings.follow.value) stage.camera.follow(ACTOR);
  stage.camera.look("three-quarter");
  if (path.length > 1) {
    const points = path.map((at): [number, number, number] => (at.length === 3 ? [at[0]!, at[1]! + PATH, at[2]!] : [at[0]!, PATH, at[1]!]));
    stage.line("path", points, { colour: "c-path", width: 3, opacity: 0.8 });
  }
  // who shared it saw all of it from there
  if (view) {
    settings.follow.value = false;
    stage.camera.follow(null);
    stage.camera.show(view, false);
  }
  let first = true;
  effect(() => {
    const followed = settings.follow.value;
    if (!first) {
      stage.camera.follow(followed ? ACTOR : null);
      if (!followed) stage.camera.look("fit");
    }
    first = false;
  });
  Object.assign(window, { kinegraph: { stage, playback, motion, settings } });
  document.documentElement.dataset["ready"] = "true";
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) playback.play();
}

/** Show the character that the page holds, if it does; one that cannot be drawn here leaves the mannequin, and says why. */
async function enlist(stage: Stage): Promise<void> {
  const [file, pack] = await Promise.all([embeddedBytes("kinegraph-hero"), embedded<MovedPack>("kinegraph-poses")]);
  if (!file || !pack) return;
  try {
    const [shape, poses] = [await HeroShape.of(file), new HeroPoses(pack)];
    stage.hero = { shape, poses: () => Promise.resolve(poses) };
    stage.camera.tall = Math.max(stage.camera.tall, poses.size * shape.height());
  } catch (error) {
    document.body.append(element("p", { className: "said", role: "alert", textContent: error instanceof Error ? error.message : String(error) }));
  }
}

function open(): Stage {
  const home = element("div", { className: "stage" });
  document.body.append(home);
  try {
    const stage = new Stage(home);
    new ResizeObserver(() => raise(stage)).observe(home);
    return stage;
  } catch {
    home.remove();
    throw new Error("This browser cannot draw in three dimensions: WebGL is missing or turned off.");
  }
}

/** Move the picture up by half of what the bar covers, so that feet stand above it. */
function raise(stage: Stage): void {
  const { clientWidth: width, clientHeight: height } = stage.element;
  if (width && height) stage.camera.camera.setViewOffset(width, height, 0, BAR / 2, width, height);
  stage.requestRender();
}

function heading(motion: Motion, says: readonly string[]): HTMLElement {
  const rate = Math.round(motion.fps * 100) / 100;
  const what = `${motion.seconds.toFixed(1)} s · ${motion.frames} frames at ${rate}/s · ${motion.joints.length} joints`;
  return element("header", { className: "name" }, element("h1", { textContent: document.title }), ...[what, ...says].map((textContent) => element("p", { textContent })));
}

function keyList(keys: Shortcut[]): HTMLElement {
  const list = element("dl", { className: "keys", ariaLabel: "Keys" });
  for (const { shown, what } of keys) list.append(element("dt", { textContent: shown }), element("dd", { textContent: what }));
  effect(() => {
    list.hidden = !settings.help.value;
  });
  return list;
}

start().catch((error: unknown) => {
  document.body.append(element("p", { className: "said", role: "alert", textContent: error instanceof Error ? error.message : String(error) }));
});

/** From hands to the server and back: what is wished now, told when it changes, and the poses that come of it. */
import { effect, signal, untracked } from "@preact/signals";
import { getPack } from "../../api/client";
import type { LiveTold, LiveWish, ResultPack } from "../../api/types";
import { Motion } from "../../motion/motion";
import { madeOf } from "../../state/motions";
import { complain, showResult, toast } from "../../state/store";
import { connect, type Link } from "./link";
import { Responses, Slides } from "./meter";
import { padNow } from "./pad";
import {
  acting, contact, facing, figures, goal, graphId, keys, label, learning, NO_FIGURES, person, problem, recording, running, speeds, stage, steered, strikes, take, taking, touch,
} from "./state"; // prettier-ignore
import { along, headingOf, pushOfKeys, rounded, speedOf, towards, type Floor, type Push } from "./steer";
import { Tween } from "./tween";
import type { LivePose } from "./wire";

/** Milliseconds for which the meter looks back at slides and costs, and between two changes of what it shows. */
const LOOK_BACK = 5000;
const REFRESH = 250;
/** Degrees to which a wished facing is told: finer says nothing and would be told all the time. */
const FACING_STEP = 5;
const HEEL_AND_BALL = [
  ["left_toe", 2],
  ["right_toe", 8],
] as const;

/** What the stage knows and a wish needs. */
export interface View {
  /** where the camera stands about what it looks at: radians from +Z towards +X */
  azimuth(): number;
}

let link: Link | null = null;
let view: View = { azimuth: () => Math.PI };
let number = 0;
let said = "";
/** the person as it is shown; null before it is there */
export let tween: Tween | null = null;
/** the pose that came last */
export let newest: LivePose | null = null;
/** counts poses, for what is drawn with each */
export const poses = signal(0);
/** counts how often somebody has set out, here or over there */
export let setOuts = 0;
/** what is wished now */
export const wished = signal<Floor>([0, 0]);

const responses = new Responses();
const slides = new Slides();
let lately: { at: number; slide: number | null; cost: number; x: number; z: number }[] = [];
let refreshed = 0;

/** Steer somebody on the chosen graph for as long as the room is open; returns a function that ends it. */
export function startSteering(from: View): () => void {
  view = from;
  const end = effect(() => {
    const id = graphId.value;
    untracked(() => (id ? open(id) : close()));
  });
  return () => {
    end();
    close();
  };
}

/** Open the socket once more after it was refused. */
export function tryAgain(): void {
  const id = graphId.value;
  if (id) open(id);
}

function open(id: string): void {
  close();
  contact.value = "preparing";
  link = connect(id, {
    ready(pack) {
      if (contact.peek() === "lost") toast("Connected again: somebody new has set out.", "good");
      const motion = madeOf(Motion.of(pack), id);
      tween = new Tween(motion.joints.length);
      forget();
      person.value = { pack, motion };
      stage.value = null;
      contact.value = "open";
      tellWish(performance.now());
    },
    pose: came,
    told,
    lost(forGood) {
      if (recording.value !== null) toast("The connection was lost: what was recorded is lost with it.", "error");
      recording.value = null;
      taking.value = false;
      learning.value = null;
      contact.value = forGood ? "refused" : "lost";
    },
  });
}

function close(): void {
  link?.end();
  link = null;
  tween = null;
  forget();
  contact.value = "none";
  person.value = null;
  stage.value = null;
  problem.value = null;
  learning.value = null;
  recording.value = null;
  taking.value = false;
  goal.value = null;
  label.value = "";
  poses.value += 1;
}

function forget(): void {
  setOuts += 1;
  newest = null;
  said = "";
  lately = [];
  responses.forget();
  slides.forget();
  acting.value = null;
  figures.value = NO_FIGURES;
}

function told(message: LiveTold): void {
  if (message.type === "preparing") {
    if (contact.value !== "lost") contact.value = "preparing";
    stage.value = { name: message.stage ?? "", share: (message.done ?? 0) / (message.total || 1) };
  } else if (message.type === "learning") learning.value = message.label ?? "";
  else if (message.type === "learnt") learning.value = null;
  else if (message.type === "taken") void took(message.result!);
  else if (message.type === "refused" || message.type === "problem") {
    taking.value = false;
    if (message.type === "refused") problem.value = message.error ?? "";
    else toast(message.error ?? "", "error");
  }
}

async function took(id: string): Promise<void> {
  try {
    const pack = await getPack<ResultPack>(`/api/results/${id}/motion`);
    showResult(pack);
    const { title, quality } = pack.facts.result;
    take.value = { id, title, seconds: Number(quality?.["seconds"] ?? 0), metres: Number(quality?.["walked_m"] ?? 0) };
  } catch (error) {
    complain(error);
  } finally {
    taking.value = false;
  }
}

/** The hand on a stick, whichever that is: keys, a gamepad, the stick on the screen. */
function pushed(): { push: Push; speed: number } | null {
  const { walk, run } = speeds.value;
  const byKeys = pushOfKeys(keys.value);
  if (byKeys.right || byKeys.ahead) return { push: byKeys, speed: running.value || label.value === "run" ? run : walk };
  for (const push of [padNow().push, touch.value]) {
    const far = push ? Math.hypot(push.right, push.ahead) : 0;
    if (push && far > 0) return { push, speed: running.value ? run : speedOf(far, { walk, run }) };
  }
  return null;
}

/** What is wished as things are. */
function wishNow(): Omit<LiveWish, "number" | "type"> {
  const azimuth = view.azimuth();
  const hand = pushed();
  let velocity: Floor = [0, 0];
  if (hand) {
    goal.value = null;
    velocity = along(headingOf(hand.push, azimuth), hand.speed);
  } else if (goal.value && newest) {
    const { walk, run } = speeds.value;
    const there = towards(goal.value, [newest.root[0]!, newest.root[2]!], running.value || label.value === "run" ? run : walk);
    if (there) velocity = there;
    else goal.value = null;
  }
  const looks = padNow().looks;
  const faces = looks ? headingOf(looks, azimuth) : facing.value === "camera" ? azimuth + Math.PI : null;
  const degrees = faces === null ? null : Math.round((faces * 180) / Math.PI / FACING_STEP) * FACING_STEP;
  return {
    velocity: [rounded(velocity[0]), rounded(velocity[1])],
    facing: degrees === null ? null : ((degrees % 360) + 360) % 360,
    label: label.value,
  };
}

/** Tell what is wished, if it is another than before. at: the moment of the hand, in milliseconds. */
export function tellWish(at: number, action = "", place: Floor | null = null): void {
  if (!link || contact.value !== "open") return;
  const wish = wishNow();
  const text = JSON.stringify(wish);
  if (text === said && !action) return;
  said = text;
  number += 1;
  wished.value = wish.velocity as Floor;
  if (wish.velocity[0] || wish.velocity[1]) steered.value = true;
  responses.wished(number, at);
  link.wish({ type: "wish", number, ...wish, action, at: place });
}

/** Do something once; a strike goes to the place to which one was sent, if there is one. */
export function act(name: string): void {
  acting.value = name;
  const place = strikes.value.includes(name) ? goal.value : null;
  if (place) goal.value = null;
  tellWish(performance.now(), name, place);
}

/** Set out anew; what was steered is forgotten. */
export function startAgain(): void {
  goal.value = null;
  recording.value = null;
  link?.say("again");
}

/** Begin to record, from where one sets out; or make a result of what was. */
export function toggleRecording(): void {
  if (contact.value !== "open") return;
  if (recording.value !== null) takeNow();
  else {
    startAgain();
    take.value = null;
    recording.value = performance.now();
  }
}

/** Make a result of all that was steered since the person set out. */
export function takeNow(): void {
  if (contact.value !== "open" || taking.value) return;
  recording.value = null;
  taking.value = true;
  link?.say("take");
}

function came(pose: LivePose): void {
  const now = performance.now();
  const who = person.peek();
  if (!who || !tween) return;
  if (newest && pose.frame < newest.frame) {
    setOuts += 1;
    lately = [];
    slides.forget();
  }
  const passed = newest ? (pose.frame - newest.frame) / who.motion.fps : 0;
  newest = pose;
  tween.push(pose, now / 1000);
  if (acting.peek() && !pose.acting && pose.wish >= number) acting.value = null;
  const answered = responses.came(pose.wish, now);
  measure(pose, who.motion, now, passed);
  if (answered || now - refreshed > REFRESH) refresh(now);
  poses.value += 1;
}

const scratch = { positions: new Float32Array(0) };

function measure(pose: LivePose, motion: Motion, now: number, passed: number): void {
  if (scratch.positions.length !== motion.joints.length * 3) scratch.positions = new Float32Array(motion.joints.length * 3);
  motion.forward({ root: pose.root, rotations: pose.rotations, translations: null }, scratch.positions);
  const feet = HEEL_AND_BALL.map(([role, bit]) => ({ joint: motion.roles[role], held: (pose.held & bit) !== 0 })).filter((foot) => foot.joint !== undefined);
  const slide = slides.far(
    feet.map((foot) => foot.held),
    feet.map(({ joint }) => [scratch.positions[joint! * 3]!, scratch.positions[joint! * 3 + 2]!] as const),
    passed,
  );
  lately.push({ at: now, slide, cost: pose.cost, x: pose.root[0]!, z: pose.root[2]! });
  while (lately.length && lately[0]!.at < now - LOOK_BACK) lately.shift();
}

function refresh(now: number): void {
  refreshed = now;
  const strayed = lately.map((one) => one.slide).filter((slide) => slide !== null);
  const second = lately.filter((one) => one.at > now - 1000);
  const [first, last] = [second[0], second.at(-1)];
  const passed = first && last ? (last.at - first.at) / 1000 : 0;
  figures.value = {
    response: responses.figures,
    slide: strayed.length ? 1000 * Math.max(...strayed) : null,
    cost: lately.length ? lately.reduce((sum, one) => sum + one.cost, 0) / lately.length : null,
    speed: passed > 0.2 ? Math.hypot(last!.x - first!.x, last!.z - first!.z) / passed : 0,
  };
}

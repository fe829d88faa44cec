/** What a hand means: from keys, sticks and places on the floor to a velocity. Nothing here knows of the page. */

/** A stick pushed to the right and ahead, as seen on the screen: at most 1 long. */
export interface Push {
  readonly right: number;
  readonly ahead: number;
}

/** A velocity, or a place, on the floor. */
export type Floor = readonly [x: number, z: number];

/** m/s */
export interface Speeds {
  readonly walk: number;
  readonly run: number;
}

export const REST: Push = { right: 0, ahead: 0 };
export const USUAL: Speeds = { walk: 1.3, run: 3 };

/** By where keys are, not by what is written on them: W is above S on every keyboard. */
const KEYS: Readonly<Record<string, Push>> = {
  KeyW: { right: 0, ahead: 1 },
  KeyS: { right: 0, ahead: -1 },
  KeyA: { right: -1, ahead: 0 },
  KeyD: { right: 1, ahead: 0 },
  ArrowUp: { right: 0, ahead: 1 },
  ArrowDown: { right: 0, ahead: -1 },
  ArrowLeft: { right: -1, ahead: 0 },
  ArrowRight: { right: 1, ahead: 0 },
};
/** Below this a stick rests: no stick comes back to its middle exactly. */
const DEAD = 0.18;
/** How far a stick is pushed for walking; beyond, it is a run. */
const WALKS = 0.6;
/** Metres from a goal that are near enough, and within which one goes slower. */
const THERE = 0.3;
const NEAR = 1.2;
const SLOWEST = 0.5;

/** Whether a key steers. */
export function steers(code: string): boolean {
  return code in KEYS;
}

/** What keys that are held mean together. */
export function pushOfKeys(held: Iterable<string>): Push {
  let right = 0;
  let ahead = 0;
  for (const code of held) {
    right += KEYS[code]?.right ?? 0;
    ahead += KEYS[code]?.ahead ?? 0;
  }
  // W and the arrow up are one
  right = Math.sign(right);
  ahead = Math.sign(ahead);
  const length = Math.hypot(right, ahead);
  return length > 1 ? { right: right / length, ahead: ahead / length } : { right, ahead };
}

/** A stick's two axes, to the right and down, without the rest about its middle. */
export function pushOfAxes(x = 0, y = 0): Push {
  const length = Math.hypot(x, y);
  if (!(length > DEAD)) return REST;
  const pushed = Math.min((length - DEAD) / (1 - DEAD), 1);
  return { right: (x / length) * pushed, ahead: (-y / length) * pushed };
}

/** m/s for a stick that is pushed so far, from 0 to 1. */
export function speedOf(pushed: number, { walk, run }: Speeds): number {
  return pushed <= WALKS ? (walk * pushed) / WALKS : walk + ((run - walk) * (pushed - WALKS)) / (1 - WALKS);
}

/** The direction of a push on the floor, for a camera that stands at an angle about what it looks at: radians from +Z towards +X. */
export function headingOf(push: Push, azimuth: number): number {
  return Math.atan2(push.right, push.ahead) * -1 + azimuth + Math.PI;
}

/** A velocity along a heading. */
export function along(heading: number, speed: number): Floor {
  return [Math.sin(heading) * speed, Math.cos(heading) * speed];
}

/** The velocity with which to go to a place; null once one is there. */
export function towards(goal: Floor, place: Floor, speed: number): Floor | null {
  const dx = goal[0] - place[0];
  const dz = goal[1] - place[1];
  const left = Math.hypot(dx, dz);
  if (left < THERE) return null;
  return along(Math.atan2(dx, dz), Math.min(speed, Math.max((speed * left) / NEAR, SLOWEST)));
}

/** What the graph reaches of the usual speeds. */
export function speedsFor(fastest: number): Speeds {
  const run = Math.min(USUAL.run, fastest);
  return { walk: Math.min(USUAL.walk, run), run };
}

/** A number as it is sent: to the millimetre a second, so that a hand that rests says nothing new. */
export function rounded(value: number, digits = 3): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale + 0;
}

/** How far one has to turn from one angle to another: radians, the short way. */
export function turned(from: number, to: number): number {
  return Math.atan2(Math.sin(to - from), Math.cos(to - from));
}

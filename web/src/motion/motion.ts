/** A motion as it came over: views of the pack's arrays, posed at any time by interpolation. */
import type { Pack } from "../api/pack";
import type { MotionFacts } from "../api/types";
import { multiply, rotateOnto, slerp } from "./quaternion";

/** One pose: root (3), rotations (J·4, w x y z, local to the parent), and translations (J·3) where bones change length. */
export interface Pose {
  root: Float32Array;
  rotations: Float32Array;
  translations: Float32Array | null;
}

/** Ends of last bones (toe tips, crown): a place, no rotation. */
export type Tips = MotionFacts["tips"];

export class Motion {
  readonly name: string;
  readonly fps: number;
  readonly frames: number;
  /** frames / fps: every frame is shown for 1/fps */
  readonly seconds: number;
  readonly joints: readonly string[];
  readonly parents: readonly number[];
  readonly offsets: readonly (readonly number[])[];
  readonly tips: Tips;
  readonly roles: Readonly<Record<string, number>>;
  /** id of the body that fits the skeleton */
  readonly body: string;
  readonly height: number;
  readonly notices: readonly string[];
  /** (F·4): left heel, left ball, right heel, right ball; null where unknown */
  readonly contacts: Uint8Array | null;
  /** all facts and arrays of the pack, for rooms whose results hold more */
  readonly pack: Pack<MotionFacts>;

  readonly #root: Float32Array;
  readonly #rotations: Int16Array | Float32Array;
  readonly #scale: number;
  readonly #translations: Float32Array | null;
  // scratch of positions(): one pose and the world rotations of its joints
  readonly #pose: Pose;
  readonly #world: Float32Array;

  private constructor(pack: Pack<MotionFacts>) {
    const facts = pack.facts;
    this.pack = pack;
    this.name = facts.name;
    this.fps = facts.fps;
    this.frames = facts.frames;
    this.seconds = facts.frames / facts.fps;
    this.joints = facts.joints;
    this.parents = facts.parents;
    this.offsets = facts.offsets;
    this.tips = facts.tips ?? { parents: [], offsets: [] };
    this.roles = facts.roles ?? {};
    this.body = facts.body ?? "";
    this.height = facts.height ?? 1.75;
    this.notices = facts.notices ?? [];
    this.contacts = (pack.arrays["contacts"] as Uint8Array | undefined) ?? null;
    this.#root = pack.arrays["root"] as Float32Array;
    this.#rotations = pack.arrays["rotations"] as Int16Array;
    this.#scale = pack.scale("rotations");
    this.#translations = (pack.arrays["translations"] as Float32Array | undefined) ?? null;
    this.#pose = this.newPose();
    this.#world = new Float32Array(this.joints.length * 4);
  }

  /** The motion of a motion pack or of a result pack. */
  static of(pack: Pack<MotionFacts>): Motion {
    return new Motion(pack);
  }

  /** A pose to give to pose(), of the right size. */
  newPose(): Pose {
    const count = this.joints.length;
    return {
      root: new Float32Array(3),
      rotations: new Float32Array(count * 4),
      translations: this.#translations ? new Float32Array(count * 3) : null,
    };
  }

  /** The pose at a time in seconds, between frames by slerp; before the beginning and after the end those of the ends. */
  pose(time: number, out: Pose): void {
    const at = Math.min(Math.max(time * this.fps, 0), this.frames - 1);
    // a time that is meant to be a frame is one: playback counts in frames / fps
    const near = Math.round(at);
    const exact = Math.abs(at - near) < 1e-4;
    const first = exact ? near : Math.floor(at);
    const second = Math.min(first + 1, this.frames - 1);
    const t = exact ? 0 : at - first;
    const count = this.joints.length;
    mix(this.#root, first * 3, second * 3, 3, t, out.root);
    const a = first * count * 4;
    const b = second * count * 4;
    for (let q = 0; q < count * 4; q += 4) slerp(this.#rotations, a + q, this.#rotations, b + q, this.#scale, t, out.rotations, q);
    if (this.#translations && out.translations) mix(this.#translations, first * count * 3, second * count * 3, count * 3, t, out.translations);
  }

  /** World positions (J·3) of a frame, which need not be whole. */
  positions(frame: number, out: Float32Array = new Float32Array(this.joints.length * 3)): Float32Array {
    this.pose(frame / this.fps, this.#pose);
    this.forward(this.#pose, out, this.#world);
    return out;
  }

  /** Forward kinematics of a pose: world positions (J·3) and, if asked for, world rotations (J·4). */
  forward(pose: Pose, positions: Float32Array, world: Float32Array = this.#world): void {
    const { parents, offsets } = this;
    for (let joint = 0; joint < parents.length; joint++) {
      const parent = parents[joint]!;
      if (joint === 0 || parent < 0) {
        positions.set(pose.root, joint * 3);
        world.set(pose.rotations.subarray(joint * 4, joint * 4 + 4), joint * 4);
        continue;
      }
      multiply(world, parent * 4, pose.rotations, joint * 4, world, joint * 4);
      const offset = offsets[joint]!;
      const moved = pose.translations;
      const x = moved ? moved[joint * 3]! : offset[0]!;
      const y = moved ? moved[joint * 3 + 1]! : offset[1]!;
      const z = moved ? moved[joint * 3 + 2]! : offset[2]!;
      rotateOnto(world, parent * 4, x, y, z, positions, parent * 3, positions, joint * 3);
    }
  }

  /** Where the root is at a frame: [x, y, z]. */
  root(frame: number): [number, number, number] {
    const at = Math.min(Math.max(Math.round(frame), 0), this.frames - 1) * 3;
    return [this.#root[at]!, this.#root[at + 1]!, this.#root[at + 2]!];
  }

  /** Where the body faces at a frame, in radians about Y from +Z towards +X: square to the line through its hips. */
  heading(frame: number): number {
    const { left_hip: left, right_hip: right } = this.roles;
    if (left === undefined || right === undefined) return 0;
    const at = this.positions(frame);
    const across = [at[left * 3]! - at[right * 3]!, at[left * 3 + 2]! - at[right * 3 + 2]!];
    // a body that faces +Z has its left at +X
    return Math.atan2(-across[1]!, across[0]!);
  }

  /** The root at a time, averaged over a window of seconds about it: where the body goes, without the sway of its steps. */
  steady(time: number, window: number, out: Float32Array): void {
    const middle = Math.min(Math.max(time * this.fps, 0), this.frames - 1);
    // the same number of frames on both sides, so that the ends do not pull
    const reach = Math.min((window / 2) * this.fps, middle, this.frames - 1 - middle);
    const first = Math.ceil(middle - reach);
    const last = Math.floor(middle + reach);
    let x = 0;
    let y = 0;
    let z = 0;
    for (let frame = first; frame <= last; frame++) {
      x += this.#root[frame * 3]!;
      y += this.#root[frame * 3 + 1]!;
      z += this.#root[frame * 3 + 2]!;
    }
    const count = last - first + 1;
    if (count < 1) return out.set(this.root(middle));
    out[0] = x / count;
    out[1] = y / count;
    out[2] = z / count;
  }

  /** The way of the root over the floor, as [x, y, z] with y given: points at least `apart` metres from each other, and both ends. */
  track(y = 0.004, apart = 0.02): number[][] {
    const points: number[][] = [];
    let last: number[] | null = null;
    for (let frame = 0; frame < this.frames; frame++) {
      const x = this.#root[frame * 3]!;
      const z = this.#root[frame * 3 + 2]!;
      const end = frame === this.frames - 1;
      if (last && Math.hypot(x - last[0]!, z - last[2]!) < apart) {
        // the end takes the place of what is too near to it
        if (!end || points.length < 2) continue;
        points.pop();
      }
      points.push((last = [x, y, z]));
    }
    return points;
  }

  /** Which side each joint is on, from the roles: its own or that of the joint it hangs from. */
  sides(): ("left" | "right" | null)[] {
    const sides: ("left" | "right" | null)[] = this.joints.map(() => null);
    for (const [role, joint] of Object.entries(this.roles)) {
      if (role.startsWith("left_")) sides[joint] = "left";
      else if (role.startsWith("right_")) sides[joint] = "right";
    }
    this.parents.forEach((parent, joint) => {
      if (sides[joint] === null && parent >= 0) sides[joint] = sides[parent]!;
    });
    return sides;
  }
}

function mix(array: Float32Array, a: number, b: number, count: number, t: number, out: Float32Array): void {
  for (let i = 0; i < count; i++) out[i] = array[a + i]! * (1 - t) + array[b + i]! * t;
}

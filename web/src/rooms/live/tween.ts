/** Between poses: each is gone to from what is shown, in the time that it says. */
import type { Pose } from "../../motion/motion";
import { slerp } from "../../motion/quaternion";
import type { LivePose } from "./wire";

/** Seconds that are made up at most: whoever was away for longer is where it is. */
const LONGEST = 0.1;

export class Tween {
  readonly #from: Pose;
  #to: LivePose | null = null;
  #begun = 0;
  #over = 0;

  /** joints: how many */
  constructor(joints: number) {
    this.#from = { root: new Float32Array(3), rotations: new Float32Array(joints * 4), translations: null };
  }

  /** A pose has come, at a time in seconds. */
  push(pose: LivePose, now: number): void {
    const before = this.#to;
    // who set out anew is shown there at once
    if (before && pose.frame > before.frame) {
      this.at(now, this.#from);
      this.#over = Math.min(pose.over, LONGEST);
    } else this.#over = 0;
    this.#to = pose;
    this.#begun = now;
  }

  /** What is shown at a time; false where no pose has come yet. */
  at(now: number, out: Pose): boolean {
    const to = this.#to;
    if (!to) return false;
    const t = this.#over > 0 ? Math.min(Math.max((now - this.#begun) / this.#over, 0), 1) : 1;
    const from = t < 1 ? this.#from : to;
    for (let axis = 0; axis < 3; axis++) out.root[axis] = from.root[axis]! + (to.root[axis]! - from.root[axis]!) * t;
    for (let q = 0; q < to.rotations.length; q += 4) slerp(from.rotations, q, to.rotations, q, 1, t, out.rotations, q);
    return true;
  }
}

/** From a pose to what a skin needs of it: for each joint the rotation and the move that take a corner of the body there. */
import type { Motion, Pose } from "./motion";
import { multiply, rotateOnto } from "./quaternion";

/** Numbers of a joint: a quaternion x y z w, a move x y z, and how large it is, as two texels have them. */
export const STRIDE = 8;

/** How somebody is built against the skeleton: how many times as long the bone to each joint is, and as large what hangs on it. */
export interface Sizes {
  readonly bones: Float32Array;
  readonly skin: Float32Array;
}

/** Skins poses of one skeleton. Nothing is allocated for a pose. */
export class Skinning {
  readonly joints: number;
  #motion: Motion;
  // the pose in which the body was made: inverse world rotations, and world places
  #unbound: Float32Array;
  #places: Float32Array;
  #positions: Float32Array;
  #straight: Float32Array;
  #world: Float32Array;
  #turned = new Float32Array(4);
  #moved = new Float32Array(3);
  #zero = new Float32Array(3);

  /** bind: (J·4) w x y z, local rotations of the pose that the body was made in. */
  constructor(motion: Motion, bind: Float32Array) {
    this.#motion = motion;
    this.joints = motion.joints.length;
    this.#positions = new Float32Array(this.joints * 3);
    this.#straight = new Float32Array(this.joints * 3);
    this.#world = new Float32Array(this.joints * 4);
    motion.forward({ root: Float32Array.from(motion.offsets[0]!), rotations: bind, translations: null }, this.#positions, this.#world);
    this.#places = this.#positions.slice();
    this.#unbound = this.#world.map((value, index) => (index % 4 === 0 ? value : -value));
  }

  /** Write the skin of a pose to out[o…], `STRIDE` numbers a joint; sizes: of somebody who is built otherwise than the skeleton. */
  write(pose: Pose, out: Float32Array, o: number, sizes: Sizes | null = null): void {
    this.#motion.forward(pose, this.#positions, this.#world);
    if (sizes) this.#stretch(sizes.bones);
    const turned = this.#turned;
    for (let joint = 0; joint < this.joints; joint++) {
      multiply(this.#world, joint * 4, this.#unbound, joint * 4, turned, 0);
      const at = joint * 3;
      rotateOnto(turned, 0, this.#places[at]!, this.#places[at + 1]!, this.#places[at + 2]!, this.#zero, 0, this.#moved, 0);
      const to = o + joint * STRIDE;
      out[to] = turned[1]!;
      out[to + 1] = turned[2]!;
      out[to + 2] = turned[3]!;
      out[to + 3] = turned[0]!;
      const size = sizes ? sizes.skin[joint]! : 1;
      for (let axis = 0; axis < 3; axis++) out[to + 4 + axis] = this.#positions[at + axis]! - size * this.#moved[axis]!;
      out[to + 7] = size;
    }
  }

  /** Move joints to where they are with bones that are so many times as long. */
  #stretch(bones: Float32Array): void {
    const [places, before] = [this.#positions, this.#straight];
    before.set(places);
    for (let joint = 1; joint < this.joints; joint++) {
      const [at, above, share] = [joint * 3, this.#motion.parents[joint]! * 3, bones[joint]!];
      for (let axis = 0; axis < 3; axis++) places[at + axis] = places[above + axis]! + share * (before[at + axis]! - before[above + axis]!);
    }
  }
}

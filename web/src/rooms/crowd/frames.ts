/** What was computed of a crowd so far: packs of some frames each, in which anybody can be looked up at any time. */
import type { Pack } from "../../api/pack";
import type { PeoplePack } from "../../api/types";
import type { Pose } from "../../motion/motion";
import { slerp } from "../../motion/quaternion";

/** Flags of a person in a frame. */
const PRESENT = 1;
const WAITS = 2;
const ARRIVED = 4;

interface Part {
  readonly first: number;
  readonly root: Float32Array;
  readonly rotations: Int16Array;
  readonly speed: Uint8Array;
  readonly flags: Uint8Array;
}

export class Frames {
  readonly people: number;
  readonly joints: number;
  /** frames a second, as they were sent */
  readonly rate: number;
  /** frames that are there */
  count = 0;
  /** how many wait in each frame */
  readonly waiting: number[] = [];
  #parts: Part[] = [];
  #scale = 1;
  #speed = 1;

  constructor(people: number, joints: number, rate: number) {
    this.people = people;
    this.joints = joints;
    this.rate = rate;
  }

  /** Frames have come; they come in their order. */
  add(pack: Pack<PeoplePack>): void {
    const { first, frames } = pack.facts;
    if (first !== this.count) throw new Error(`Frames from ${first} on have come where those from ${this.count} on were due.`);
    const { root, rotations, speed, flags } = pack.arrays;
    this.#scale = pack.scale("rotations");
    this.#speed = pack.scale("speed");
    const part = { first, root, rotations, speed, flags } as Part;
    this.#parts.push(part);
    this.count += frames;
    for (let frame = 0; frame < frames; frame++) {
      let waits = 0;
      for (let who = 0; who < this.people; who++) if (part.flags[frame * this.people + who]! & WAITS) waits += 1;
      this.waiting.push(waits);
    }
  }

  /** Seconds that are there. */
  get seconds(): number {
    return this.count / this.rate;
  }

  /** The frame that a time is in, held to those that are there. */
  frameAt(time: number): number {
    return Math.min(Math.max(Math.floor(time * this.rate + 1e-6), 0), this.count - 1);
  }

  isThere(frame: number, who: number): boolean {
    return this.#has(frame, who, PRESENT);
  }

  waits(frame: number, who: number): boolean {
    return this.#has(frame, who, WAITS);
  }

  arrived(frame: number, who: number): boolean {
    return this.#has(frame, who, ARRIVED);
  }

  /** m/s */
  speed(frame: number, who: number): number {
    const part = this.#part(frame);
    return part.speed[(frame - part.first) * this.people + who]! * this.#speed;
  }

  /** Where somebody is on the floor in a frame. */
  place(frame: number, who: number): [x: number, z: number] {
    const part = this.#part(frame);
    const at = ((frame - part.first) * this.people + who) * 3;
    return [part.root[at]!, part.root[at + 2]!];
  }

  /** The pose of somebody at a time, between frames. */
  pose(time: number, who: number, out: Pose): void {
    const at = Math.min(Math.max(time * this.rate, 0), this.count - 1);
    const near = Math.round(at);
    const exact = Math.abs(at - near) < 1e-3;
    const first = exact ? near : Math.floor(at);
    const t = exact ? 0 : at - first;
    const [a, b] = [this.#part(first), this.#part(Math.min(first + 1, this.count - 1))];
    const i = (first - a.first) * this.people + who;
    const j = (Math.min(first + 1, this.count - 1) - b.first) * this.people + who;
    for (let axis = 0; axis < 3; axis++) out.root[axis] = a.root[i * 3 + axis]! * (1 - t) + b.root[j * 3 + axis]! * t;
    const size = this.joints * 4;
    for (let q = 0; q < size; q += 4) slerp(a.rotations, i * size + q, b.rotations, j * size + q, this.#scale, t, out.rotations, q);
  }

  #has(frame: number, who: number, flag: number): boolean {
    const part = this.#part(frame);
    return (part.flags[(frame - part.first) * this.people + who]! & flag) !== 0;
  }

  /** The part that holds a frame: found by halving. */
  #part(frame: number): Part {
    let low = 0;
    let high = this.#parts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#parts[middle]!.first <= frame) low = middle;
      else high = middle - 1;
    }
    return this.#parts[low]!;
  }
}

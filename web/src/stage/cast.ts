/** All actors together: who is shown, where they are, and whom the camera is to keep to. */
import { Group } from "three";
import { Actor, type Surroundings } from "./actor";

// metres within which two actors are looked at together
const BESIDE = 7;
// places of a motion that tell how far it reaches
const PLACES = 200;

export class Cast {
  readonly group = new Group();
  #stage: Surroundings;
  #actors = new Map<string, Actor>();
  #at = new Float32Array(3);

  constructor(stage: Surroundings) {
    this.#stage = stage;
  }

  /** The actor of that id, made on first use. */
  actor(id: string): Actor {
    let actor = this.#actors.get(id);
    if (!actor) {
      actor = new Actor(id, this.#stage);
      this.#actors.set(id, actor);
      this.group.add(actor.group);
    }
    return actor;
  }

  get ids(): string[] {
    return [...this.#actors.keys()];
  }

  drop(id: string): void {
    this.#actors.get(id)?.dispose();
    this.#actors.delete(id);
  }

  /** Whether an actor of that id is shown. */
  shows(id: string): boolean {
    return this.#actors.get(id)?.visible ?? false;
  }

  /** The first who is shown and no ghost. */
  get lead(): Actor | null {
    for (const actor of this.#solid()) return actor;
    return null;
  }

  setTime(seconds: number): void {
    for (const actor of this.#actors.values()) actor.setTime(seconds);
  }

  restyle(): void {
    for (const actor of this.#actors.values()) actor.restyle();
  }

  /** Where each stands who is shown and no ghost. The same array each time: it is to be used at once, and may be written to. */
  *centres(): Generator<Float32Array> {
    for (const actor of this.#solid()) yield actor.centre(this.#at);
  }

  /** Boxes about all who are shown, over all time: [x0, y0, z0, x1, y1, z1]. */
  *extents(): Generator<number[]> {
    for (const actor of this.#actors.values()) {
      const motion = actor.motion;
      if (!motion || !actor.visible) continue;
      if (actor.isTold) {
        const [x, , z] = actor.centre(this.#at) as unknown as [number, number, number];
        yield [x, 0, z, x, motion.height, z];
        continue;
      }
      const step = Math.max(1, Math.floor(motion.frames / PLACES));
      for (let frame = 0; frame < motion.frames; frame += step) {
        const at = actor.place(motion.root(frame), this.#at);
        yield [at[0]!, 0, at[2]!, at[0]!, motion.height, at[2]!];
      }
    }
  }

  /** The middle of an actor and of those who are shown beside it, and how far they are apart; −1 where it is not shown. */
  middle(id: string, out: Float32Array): number {
    const actor = this.#actors.get(id);
    if (!actor?.visible) return -1;
    actor.centre(out);
    let apart = 0;
    for (const other of this.#solid()) {
      if (other === actor) continue;
      const at = other.centre(this.#at);
      const away = Math.hypot(at[0]! - out[0]!, at[2]! - out[2]!);
      // whoever is farther away goes elsewhere
      if (apart > 0 || away > BESIDE) continue;
      apart = away;
      for (let axis = 0; axis < 3; axis++) out[axis] = (out[axis]! + at[axis]!) / 2;
    }
    return apart;
  }

  /** Where the first who is shown goes from its beginning to its end; ahead where it stays. */
  facing(): number {
    for (const actor of this.#actors.values()) {
      if (actor.motion && actor.visible) return actor.offset.angle + actor.motion.heading(0);
    }
    return 0;
  }

  dispose(): void {
    for (const actor of this.#actors.values()) actor.dispose();
  }

  *#solid(): Generator<Actor> {
    for (const actor of this.#actors.values()) if (actor.visible && actor.opacity >= 1) yield actor;
  }
}

/** Somebody on the stage: a motion, shown as a mannequin, a stick figure or the stage's own character, at a place and a time of its own. */
import { Color, Group } from "three";
import type { Motion, Pose } from "../motion/motion";
import type { Body } from "./body";
import type { Hero, HeroFigure } from "./hero";
import { Mannequin } from "./mannequin";
import type { Colour, Palette, Scenery } from "./palette";
import { Stick } from "./stick";

export interface ActorStyle {
  figure: "mannequin" | "stick";
  /** a token or a colour; none: the body's own grey, and left and right in the feet's colours */
  tint?: Colour | null;
  /** below 1: a ghost */
  opacity?: number;
  visible?: boolean;
}

/** A turn about the vertical through the origin, then a move over the floor. */
export interface FloorPlace {
  angle: number;
  x: number;
  z: number;
}

/** What an actor needs to know of its stage. */
export interface Surroundings {
  palette: Palette;
  scenery(): Scenery;
  /** the character that is shown instead of mannequins; null where there is none */
  hero(): Hero | null;
  changed(isNew?: boolean): void;
}

export class Actor {
  readonly id: string;
  readonly group = new Group();
  /** seconds added to the stage's time: where in its motion the actor is */
  timeShift = 0;

  #stage: Surroundings;
  #motion: Motion | null = null;
  #body: Body | null = null;
  #style: ActorStyle = { figure: "mannequin", tint: null, opacity: 1, visible: true };
  #offset: FloorPlace = { angle: 0, x: 0, z: 0 };
  #mannequin: Mannequin | null = null;
  #stick: Stick | null = null;
  #figure: HeroFigure | null = null;
  // whose figure that is or will be, and of which motion its poses are, or will be
  #hero: Hero | null = null;
  #heroic: Motion | null = null;
  #pose: Pose | null = null;
  #positions = new Float32Array(0);
  #world = new Float32Array(0);
  #scratch = new Float32Array(3);
  #time = 0;
  // shown instead of the motion's own, where it is told from outside as it moves
  #told: Pose | null = null;
  #middle = new Float32Array(3);

  constructor(id: string, stage: Surroundings) {
    this.id = id;
    this.#stage = stage;
  }

  get motion(): Motion | null {
    return this.#motion;
  }

  get visible(): boolean {
    return this.#motion !== null && this.#style.visible !== false;
  }

  get opacity(): number {
    return this.#style.opacity ?? 1;
  }

  /** What is shown of it now. */
  get shown(): "character" | "mannequin" | "stick" | null {
    if (!this.visible) return null;
    if (this.#figure?.group.visible && this.#figure.isPosed) return "character";
    return this.#mannequin?.group.visible ? "mannequin" : "stick";
  }

  /** Where it stands on the floor; set it whole. */
  get offset(): FloorPlace {
    return this.#offset;
  }

  set offset(place: FloorPlace) {
    this.#offset = { ...place };
    this.group.position.set(place.x, 0, place.z);
    this.group.rotation.y = place.angle;
    this.#stage.changed();
  }

  /** Show a motion; without a body it is a stick figure until one is given. Null takes the actor off. */
  setMotion(motion: Motion | null, body: Body | null = null): void {
    if (motion === this.#motion && body === this.#body) return;
    this.#told = null;
    const sameFigure = this.#motion && motion && sameSkeleton(this.#motion, motion) && body === this.#body;
    this.#motion = motion;
    this.#body = body;
    if (!sameFigure) this.#clear();
    if (motion && !sameFigure) {
      this.#pose = motion.newPose();
      this.#positions = new Float32Array(motion.joints.length * 3);
      this.#world = new Float32Array(motion.joints.length * 4);
    } else if (motion) this.#pose = motion.newPose();
    this.#dress();
    this.setTime(this.#time);
    this.#stage.changed(true);
  }

  /** Give a body to the motion that is shown. */
  setBody(body: Body | null): void {
    this.setMotion(this.#motion, body);
  }

  /** Take a pose that is no moment of its motion, from the stage's next time on; middle: where its body is, without the sway of its steps. */
  setPose(pose: Pose, middle: ArrayLike<number> = pose.root): void {
    this.#told = pose;
    this.#middle.set(middle);
  }

  /** Whether it is told its poses from outside. */
  get isTold(): boolean {
    return this.#told !== null;
  }

  setStyle(style: Partial<ActorStyle>): void {
    this.#style = { ...this.#style, ...style };
    this.#dress();
    this.setTime(this.#time);
  }

  /** Pose it at the stage's time. */
  setTime(time: number): void {
    this.#time = time;
    this.#stage.changed();
    if (!this.#motion || !this.#pose || !this.visible) return;
    const pose = this.#told ?? this.#pose;
    if (pose === this.#pose) this.#motion.pose(time + this.timeShift, pose);
    this.#motion.forward(pose, this.#positions, this.#world);
    this.#mannequin?.pose(pose);
    this.#figure?.pose({ time: time + this.timeShift, positions: this.#positions, world: this.#world });
    this.#stick?.pose(this.#positions, this.#world);
  }

  /** Where its body is on the stage now, without the sway of its steps, at hip height: [x, y, z] into out. */
  centre(out: Float32Array): Float32Array {
    if (!this.#motion) return out.fill(0);
    if (this.#told) return this.place(this.#middle, out);
    this.#motion.steady(this.#time + this.timeShift, 0.8, this.#scratch);
    return this.place(this.#scratch, out);
  }

  /** Where a joint is on the stage now. */
  joint(index: number, out: Float32Array = new Float32Array(3)): Float32Array {
    this.#scratch.set(this.#positions.subarray(index * 3, index * 3 + 3));
    return this.place(this.#scratch, out);
  }

  /** A place of its motion as a place of the stage. */
  place(point: ArrayLike<number>, out: Float32Array = new Float32Array(3)): Float32Array {
    const { angle, x, z } = this.#offset;
    const cosine = Math.cos(angle);
    const sine = Math.sin(angle);
    const px = point[0]!;
    const pz = point[2]!;
    out[0] = cosine * px + sine * pz + x;
    out[1] = point[1]!;
    out[2] = cosine * pz - sine * px + z;
    return out;
  }

  /** Colours again: the theme has changed. */
  restyle(): void {
    this.#dress();
  }

  dispose(): void {
    this.#motion = null;
    this.#clear();
    this.group.removeFromParent();
  }

  /** Make the figure that is asked for, if it is not there yet, and colour it. */
  #dress(): void {
    const motion = this.#motion;
    this.group.visible = this.visible;
    this.#stage.changed();
    if (!motion || !this.visible) return;
    const body = this.#style.figure === "mannequin" ? this.#body : null;
    this.#enlist(motion);
    const hero = this.#isHero && this.#figure?.isPosed === true && (this.#told === null || this.#figure.follows);
    if (body && !this.#mannequin) {
      this.#mannequin = new Mannequin(motion, body);
      this.group.add(this.#mannequin.group);
    }
    if (!body && !hero && !this.#stick) {
      this.#stick = new Stick(motion);
      this.group.add(this.#stick.group);
    }
    if (this.#figure) this.#figure.group.visible = hero;
    if (this.#mannequin) this.#mannequin.group.visible = body !== null && !hero;
    if (this.#stick) this.#stick.group.visible = body === null && !hero;
    const scenery = this.#stage.scenery();
    const { palette } = this.#stage;
    const tint = this.#style.tint ? palette.colour(this.#style.tint) : null;
    const own = palette.colour(scenery.body);
    this.#mannequin?.style(tint ? new Color().lerpColors(own, tint, 0.72) : own, this.opacity);
    const middle = palette.colour(scenery.joint);
    this.#stick?.style(
      tint ? { left: tint, right: tint, middle: tint } : { left: palette.colour("c-left"), right: palette.colour("c-right"), middle },
      this.opacity,
    );
  }

  /** Whether the stage's character is to be shown: ghosts, and those who are told apart by a tint, stay mannequins. */
  get #isHero(): boolean {
    return this.#stage.hero() !== null && this.#style.figure === "mannequin" && !this.#style.tint && this.opacity >= 1;
  }

  /** Have the stage's character for this motion; until it knows how to stand, what was shown before stays. */
  #enlist(motion: Motion): void {
    const hero = this.#stage.hero();
    if (hero !== this.#hero) {
      this.#figure?.dispose();
      this.#figure = null;
      this.#hero = hero;
      this.#heroic = null;
    }
    if (!hero || !this.#isHero || this.#heroic === motion) return;
    this.#heroic = motion;
    const isOld = (): boolean => this.#hero !== hero || this.#heroic !== motion;
    void Promise.all([hero.poses(motion), this.#figure ?? hero.shape.figure()]).then(([poses, figure]) => {
      if (isOld()) return;
      if (!poses) return this.#dismiss();
      if (!this.#figure) this.group.add((this.#figure = figure).group);
      figure.move(poses);
      this.#dress();
      this.setTime(this.#time);
      this.#stage.changed(true);
    });
  }

  /** The character cannot do this motion: the mannequin is back. */
  #dismiss(): void {
    this.#figure?.dispose();
    this.#figure = null;
    this.#dress();
    this.#stage.changed(true);
  }

  #clear(): void {
    this.#mannequin?.dispose();
    this.#stick?.dispose();
    this.#mannequin = null;
    this.#stick = null;
    this.group.clear();
    // whoever shows another skeleton is the same character all the same
    if (this.#figure && this.#motion) this.group.add(this.#figure.group);
    else this.#figure?.dispose();
    if (!this.#motion) {
      this.#figure = null;
      this.#heroic = null;
    }
  }
}

/** True where one figure fits both motions: the same joints at the same places. */
function sameSkeleton(a: Motion, b: Motion): boolean {
  if (a.joints.length !== b.joints.length || a.tips.parents.length !== b.tips.parents.length) return false;
  if (a.body !== b.body) return false;
  return a.offsets.every((offset, joint) => offset.every((value, axis) => Math.abs(value - b.offsets[joint]![axis]!) < 1e-6));
}

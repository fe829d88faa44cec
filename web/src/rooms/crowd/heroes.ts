/** The stage's character in a crowd: those who are nearest the camera are it, as many as a computer can draw; the others stay mannequins. */
import { CircleGeometry, Color, Group, InstancedMesh, Matrix4, MeshBasicMaterial } from "three";
import type { Motion, Pose } from "../../motion/motion";
import type { Hero, HeroFigure } from "../../stage/hero";

/** A disc at their feet, which tells what a mannequin's colour tells: metres, sides, metres above the ground, how much of the floor it hides. */
const DISC = { radius: 0.3, sides: 20, above: 0.014, opacity: 0.7 };

/** How many are shown as the character at most; plain: drawn by the processor. */
export function mostOf(people: number, plain: boolean): number {
  return Math.min(people, plain ? 4 : 24);
}

/** Of those who are so far away, the nearest ``most``. */
export function nearest(away: readonly { readonly who: number; readonly far: number }[], most: number): Set<number> {
  return new Set([...away].sort((a, b) => a.far - b.far).slice(0, most).map((one) => one.who)); // prettier-ignore
}

interface One {
  /** scaled as who they are is built */
  readonly group: Group;
  readonly figure: HeroFigure;
}

export class Heroes {
  readonly group = new Group();
  readonly most: number;
  readonly #motion: Motion;
  readonly #ones: readonly One[];
  readonly #discs: InstancedMesh<CircleGeometry, MeshBasicMaterial>;
  readonly #positions: Float32Array;
  readonly #world: Float32Array;
  readonly #matrix = new Matrix4();
  #shown = 0;

  private constructor(motion: Motion, figures: readonly HeroFigure[]) {
    this.#motion = motion;
    this.most = figures.length;
    this.#ones = figures.map((figure) => {
      const group = new Group();
      group.add(figure.group);
      this.group.add(group);
      return { group, figure };
    });
    this.#positions = new Float32Array(motion.joints.length * 3);
    this.#world = new Float32Array(motion.joints.length * 4);
    const disc = new CircleGeometry(DISC.radius, DISC.sides).rotateX(-Math.PI / 2);
    this.#discs = new InstancedMesh(disc, new MeshBasicMaterial({ transparent: true, opacity: DISC.opacity, depthWrite: false }), this.most);
    this.#discs.frustumCulled = false;
    this.#discs.renderOrder = -1;
    this.group.add(this.#discs);
    this.begin();
    this.end();
  }

  /** So many of a character that follow the poses of a motion's skeleton; null where it cannot follow them. */
  static async of(hero: Hero, motion: Motion, most: number): Promise<Heroes | null> {
    const poses = await hero.poses(motion);
    if (!poses) return null;
    const figures = await Promise.all(Array.from({ length: most }, () => hero.shape.figure()));
    for (const figure of figures) figure.move(poses);
    return new Heroes(motion, figures);
  }

  begin(): void {
    this.#shown = 0;
  }

  /** One more; legs: how long theirs are against the skeleton's, floor: how high the ground is below them. */
  add(pose: Pose, time: number, legs: number, colour: Color, floor: number): void {
    const one = this.#ones[this.#shown];
    if (!one) return;
    this.#discs.setMatrixAt(this.#shown, this.#matrix.makeTranslation(pose.root[0]!, floor + DISC.above, pose.root[2]!));
    this.#discs.setColorAt(this.#shown, colour);
    this.#shown += 1;
    one.group.visible = true;
    // the whole is scaled, so that its feet stand; the root is told as if it were not
    one.group.scale.setScalar(legs);
    one.group.updateMatrixWorld();
    const at = Array.from(pose.root);
    pose.root.set(at.map((value) => value / legs));
    this.#motion.forward(pose, this.#positions, this.#world);
    pose.root.set(at);
    one.figure.pose({ time, positions: this.#positions, world: this.#world });
  }

  end(): void {
    this.#ones.forEach(({ group }, index) => (group.visible = index < this.#shown));
    this.#discs.count = this.#shown;
    this.#discs.visible = this.#shown > 0;
    this.#discs.instanceMatrix.needsUpdate = true;
    if (this.#discs.instanceColor) this.#discs.instanceColor.needsUpdate = true;
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const { figure } of this.#ones) figure.dispose();
    this.#discs.geometry.dispose();
    this.#discs.material.dispose();
    this.#discs.dispose();
  }
}

/** The camera: orbit, pan and zoom, named looks, four views to keep, and following an actor. */
import { MathUtils, MOUSE, PerspectiveCamera, TOUCH, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export type Look = "front" | "side" | "top" | "three-quarter" | "fit";

/** A view as it is kept: where the camera is and where it looks. */
export interface View {
  position: [number, number, number];
  target: [number, number, number];
}

/** What the camera asks of its stage. */
export interface CameraStage {
  /** a box about all that is shown over all time: [x0, y0, z0, x1, y1, z1]; null where the stage is empty */
  bounds(): number[] | null;
  /** where an actor is now, with those beside it: their middle [x, y, z] into out; how far they are apart, −1 where there is none */
  actorAt(id: string, out: Float32Array): number;
  /** the direction that what is shown faces at its beginning, in radians */
  facing(): number;
  requestRender(): void;
  /** whether moves are eased */
  eased(): boolean;
}

const FIELD = 32;
const GLIDE = 320;
const EYE = 1.0;
// metres that people are tall, and that are seen about a followed actor
export const TALL = 1.8;
const AROUND = 0.9;
// the share of the picture that what is looked at may take
const FILL = 0.8;
const NEAREST = 4;
// farther than this, following comes nearer
const FAR = 9;

export class StageCamera {
  readonly camera = new PerspectiveCamera(FIELD, 1, 0.05, 400);
  readonly controls: OrbitControls;
  /** called when a view was kept, or the followed actor has changed: for whoever keeps them */
  onChange: (() => void) | null = null;
  views: (View | null)[] = [null, null, null, null];
  /** metres that whoever is shown is tall at most: characters may be much taller than people with the same legs */
  tall = TALL;
  #stage: CameraStage;
  #followed: string | null = null;
  #at = new Float32Array(3);
  #before = new Float32Array(3);
  #glide: { from: View; to: View; begun: number } | null = null;
  /** what was framed, once more; null since somebody has moved the camera, or gone elsewhere */
  #framing: (() => View) | null = null;
  /** pixels at the top and at the foot of the picture that something lies over, and how high it is */
  #covered: readonly [number, number] = [0, 0];
  #height = 1;

  constructor(element: HTMLElement, stage: CameraStage) {
    this.#stage = stage;
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = stage.eased();
    this.controls.dampingFactor = 0.18;
    this.controls.maxDistance = 120;
    this.controls.minDistance = 0.4;
    this.controls.maxPolarAngle = Math.PI / 2 - 0.015;
    this.controls.screenSpacePanning = false;
    this.controls.zoomToCursor = true;
    this.controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
    this.drawing(false);
    this.#place({ position: [3.2, 2.1, 5.6], target: [0, EYE * 0.9, 0] });
    this.controls.addEventListener("change", () => stage.requestRender());
    this.controls.addEventListener("start", () => {
      this.#glide = null;
      this.#framing = null;
    });
    // whoever draws wants the floor to stay where it is; a tool keeps the press for itself, so it is heard of before
    element.addEventListener("pointerdown", () => (this.#framing = null), { capture: true });
  }

  /** Pixels at the top and at the foot of the picture that are covered, see `cover`. */
  get covered(): readonly [number, number] {
    return this.#covered;
  }

  get followed(): string | null {
    return this.#followed;
  }

  /** While a tool draws, the right button turns the camera instead of moving it: the left one is taken. */
  drawing(on: boolean): void {
    this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: on ? MOUSE.ROTATE : MOUSE.PAN };
  }

  /** Go to a named look at what is shown: all of it, or the followed actor. */
  look(name: Look, glide = true): void {
    const angle = this.#stage.facing();
    const ways: Record<Look, () => Vector3> = {
      front: () => way(angle, 0.1),
      side: () => way(angle + Math.PI / 2, 0.1),
      "three-quarter": () => way(angle + Math.PI / 5, 0.3),
      top: () => new Vector3(-Math.sin(angle) * 1e-3, 1, -Math.cos(angle) * 1e-3).normalize(),
      fit: () => this.camera.position.clone().sub(this.controls.target).normalize(),
    };
    this.#frame(() => this.#framed(name === "fit" ? this.#all() : this.#box(), ways[name]()), glide);
  }

  /** See all that is shown from the one of several sides from which it is largest. */
  seeFrom(sides: readonly (readonly [number, number, number])[], glide = true): void {
    this.#frame(() => {
      const views = sides.map((side) => this.#framed(this.#all(), new Vector3(...side).normalize()));
      return views.reduce((nearest, view) => (away(view) < away(nearest) ? view : nearest));
    }, glide);
  }

  /** Keep the camera on an actor as it moves, nearer where it is far away; null lets it stand. */
  follow(id: string | null): void {
    this.#framing = null;
    const before = this.#followed;
    this.#followed = id;
    if (id !== null && this.#stage.actorAt(id, this.#at) >= 0) {
      this.#before.set(this.#at);
      const view = this.#glide?.to ?? this.view();
      const from = new Vector3(...view.position).sub(new Vector3(...view.target));
      if (from.length() > FAR) this.#go(this.#framed(this.#box(), from.normalize()));
      else if (before !== id) {
        const moved = structuredClone(view);
        shift(moved, this.#at[0]! - view.target[0], this.#at[2]! - view.target[2]);
        this.#go(moved);
      }
    }
    this.onChange?.();
  }

  /** Keep this view in a slot from 1 to 4. */
  store(slot: number): void {
    this.views = this.views.map((view, index) => (index === slot - 1 ? this.view() : view));
    this.onChange?.();
  }

  /** Go to a kept view; false where none was kept. */
  recall(slot: number): boolean {
    const view = this.views[slot - 1];
    if (!view) return false;
    this.show(view);
    return true;
  }

  /** Where the camera is now. */
  view(): View {
    return { position: this.camera.position.toArray(), target: this.controls.target.toArray() };
  }

  /** Go to a view, at once or gliding. */
  show(view: View, glide = true): void {
    this.#framing = null;
    if (glide) this.#go(view);
    else this.#place(view);
  }

  /** Go along with the followed actor: called whenever time has changed. */
  track(): void {
    if (this.#followed === null || this.#stage.actorAt(this.#followed, this.#at) < 0) return;
    const dx = this.#at[0]! - this.#before[0]!;
    const dz = this.#at[2]! - this.#before[2]!;
    this.#before.set(this.#at);
    if (this.#glide) {
      for (const view of [this.#glide.from, this.#glide.to]) shift(view, dx, dz);
      return;
    }
    this.camera.position.x += dx;
    this.camera.position.z += dz;
    this.controls.target.x += dx;
    this.controls.target.z += dz;
  }

  /** Before each picture: glide, damping. */
  update(): void {
    if (this.#glide) {
      const t = Math.min((performance.now() - this.#glide.begun) / GLIDE, 1);
      const glide = this.#glide;
      this.#place(between(glide.from, glide.to, MathUtils.smoothstep(t, 0, 1)));
      if (t < 1) {
        this.#glide = glide;
        this.#stage.requestRender();
      }
    }
    this.controls.update();
  }

  /** The picture has another size: what was framed is framed in it. */
  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
    this.#height = Math.max(height, 1);
    if (this.#framing) this.#place(this.#framing());
  }

  /** So many pixels at the top and at the foot are covered: what is framed keeps clear of them. */
  cover(top: number, foot: number): void {
    if (top === this.#covered[0] && foot === this.#covered[1]) return;
    this.#covered = [top, foot];
    if (this.#framing) this.#place(this.#framing());
  }

  dispose(): void {
    this.controls.dispose();
  }

  /** The box to be seen: about the followed actor, or about everything. */
  #box(): number[] {
    const apart = this.#followed === null ? -1 : this.#stage.actorAt(this.#followed, this.#at);
    if (apart >= 0) {
      const [x, , z] = this.#at as unknown as [number, number, number];
      const half = Math.max(AROUND, this.tall / 2) + apart / 2;
      return [x - half, 0, z - half, x + half, this.tall, z + half];
    }
    return this.#all();
  }

  #all(): number[] {
    const box = this.#stage.bounds() ?? [-1.5, 0, -1.5, 1.5, TALL, 1.5];
    return this.tall > TALL ? box.with(4, Math.max(box[4]!, this.tall)) : box;
  }

  /** The view from which a box just fits, looking at its middle against a way. */
  #framed(box: number[], from: Vector3): View {
    const target = new Vector3((box[0]! + box[3]!) / 2, (box[1]! + box[4]!) / 2, (box[2]! + box[5]!) / 2);
    const right = new Vector3(0, 1, 0).cross(from).normalize();
    const up = from.clone().cross(right);
    const half = Math.tan(MathUtils.degToRad(FIELD) / 2);
    // shares of the picture that stay free; what covers half of it has to be lived with
    const [top, foot] = this.#covered.map((pixels) => Math.min(Math.max(pixels / this.#height, (1 - FILL) / 2), 0.25)) as [number, number];
    const [above, below] = [half * (1 - 2 * top), half * (1 - 2 * foot)];
    const wide = half * FILL * this.camera.aspect;
    // again and again: once the middle of what is seen is known, it is looked at instead of the middle of the box
    let away = 0;
    for (let round = 0; round < 4; round++) {
      let low = Infinity;
      let high = -Infinity;
      away = 0;
      for (let corner = 0; corner < 8; corner++) {
        const point = new Vector3(box[corner & 1 ? 3 : 0], box[corner & 2 ? 4 : 1], box[corner & 4 ? 5 : 2]).sub(target);
        const near = point.dot(from);
        const rise = point.dot(up);
        away = Math.max(away, Math.abs(point.dot(right)) / wide + near, rise / above + near, -rise / below + near);
      }
      for (let corner = 0; corner < 8; corner++) {
        const point = new Vector3(box[corner & 1 ? 3 : 0], box[corner & 2 ? 4 : 1], box[corner & 4 ? 5 : 2]).sub(target);
        const seen = point.dot(up) / Math.max(away - point.dot(from), 0.1);
        low = Math.min(low, seen);
        high = Math.max(high, seen);
      }
      target.addScaledVector(up, ((low + high - above + below) / 2) * away);
    }
    return { position: target.clone().addScaledVector(from, Math.max(away, NEAREST)).toArray(), target: target.toArray() };
  }

  #frame(framing: () => View, glide: boolean): void {
    this.show(framing(), glide);
    this.#framing = framing;
  }

  #go(view: View): void {
    if (!this.#stage.eased()) this.#place(view);
    else {
      this.#glide = { from: this.view(), to: structuredClone(view), begun: performance.now() };
      this.#stage.requestRender();
    }
  }

  #place(view: View): void {
    this.#glide = null;
    this.camera.position.set(...view.position);
    this.controls.target.set(...view.target);
    this.#stage.requestRender();
  }
}

function shift(view: View, dx: number, dz: number): void {
  view.position[0] += dx;
  view.position[2] += dz;
  view.target[0] += dx;
  view.target[2] += dz;
}

/** How far from what it looks at a view is. */
function away({ position, target }: View): number {
  return Math.hypot(position[0] - target[0], position[1] - target[1], position[2] - target[2]);
}

/** The direction from what is looked at to the camera: an angle about the vertical, and one up. */
function way(about: number, up: number): Vector3 {
  return new Vector3(Math.sin(about) * Math.cos(up), Math.sin(up), Math.cos(about) * Math.cos(up));
}

/** Between two views: the target straight, the camera round it. */
function between(a: View, b: View, t: number): View {
  const target = new Vector3(...a.target).lerp(new Vector3(...b.target), t);
  const from = new Vector3(...a.position).sub(new Vector3(...a.target));
  const to = new Vector3(...b.position).sub(new Vector3(...b.target));
  const length = MathUtils.lerp(from.length(), to.length(), t);
  const way = from.normalize().lerp(to.normalize(), t);
  if (way.lengthSq() < 1e-6) way.set(0, 1, 0);
  return { position: target.clone().addScaledVector(way.normalize(), length).toArray(), target: target.toArray() };
}

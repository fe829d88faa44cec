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
  /** where an actor is now: [x, y, z] into out; false where there is no such actor */
  actorAt(id: string, out: Float32Array): boolean;
  /** the direction that what is shown faces at its beginning, in radians */
  facing(): number;
  requestRender(): void;
  /** whether moves are eased */
  eased(): boolean;
}

const FIELD = 32;
const GLIDE = 320;
const EYE = 1.0;

export class StageCamera {
  readonly camera = new PerspectiveCamera(FIELD, 1, 0.05, 400);
  readonly controls: OrbitControls;
  /** called when a view was kept, or the followed actor has changed: for whoever keeps them */
  onChange: (() => void) | null = null;
  views: (View | null)[] = [null, null, null, null];
  #stage: CameraStage;
  #followed: string | null = null;
  #at = new Float32Array(3);
  #before = new Float32Array(3);
  #glide: { from: View; to: View; begun: number } | null = null;

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
    this.controls.addEventListener("start", () => (this.#glide = null));
  }

  get followed(): string | null {
    return this.#followed;
  }

  /** While a tool draws, the right button turns the camera instead of moving it: the left one is taken. */
  drawing(on: boolean): void {
    this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: on ? MOUSE.ROTATE : MOUSE.PAN };
  }

  /** Go to a named look at what is shown. */
  look(name: Look): void {
    const box = this.#stage.bounds() ?? [-1.5, 0, -1.5, 1.5, 1.8, 1.5];
    const single = this.#followed !== null && this.#stage.actorAt(this.#followed, this.#at);
    const centre: [number, number, number] = single
      ? [this.#at[0]!, EYE, this.#at[2]!]
      : [(box[0]! + box[3]!) / 2, Math.min((box[1]! + box[4]!) / 2, EYE), (box[2]! + box[5]!) / 2];
    const half = single ? 1.3 : Math.max(Math.hypot(box[3]! - box[0]!, box[5]! - box[2]!) / 2 + 0.6, 1.3);
    const angle = this.#stage.facing();
    const turned = (about: number, up: number): [number, number, number] => {
      const away = this.#distance(half, up);
      const flat = Math.cos(up) * away;
      return [centre[0] + Math.sin(angle + about) * flat, centre[1] + Math.sin(up) * away, centre[2] + Math.cos(angle + about) * flat];
    };
    const looks: Record<Look, () => [number, number, number]> = {
      front: () => turned(0, 0.08),
      side: () => turned(Math.PI / 2, 0.08),
      "three-quarter": () => turned(Math.PI / 5, 0.32),
      top: () => [centre[0], this.#distance(half, Math.PI / 2), centre[2] - 0.01],
      fit: () => this.#fitted(centre, half),
    };
    if (name === "top") centre[1] = 0;
    this.#go({ position: looks[name](), target: centre });
  }

  /** Keep the camera on an actor as it moves; null lets it stand. */
  follow(id: string | null): void {
    this.#followed = id;
    if (id !== null && this.#stage.actorAt(id, this.#at)) {
      const view = this.view();
      const dx = this.#at[0]! - view.target[0];
      const dz = this.#at[2]! - view.target[2];
      this.#before.set(this.#at);
      this.#go({
        position: [view.position[0] + dx, view.position[1], view.position[2] + dz],
        target: [this.#at[0]!, view.target[1], this.#at[2]!],
      });
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
    this.#go(view);
    return true;
  }

  /** Where the camera is now. */
  view(): View {
    return { position: this.camera.position.toArray(), target: this.controls.target.toArray() };
  }

  /** Go to a view, at once or gliding. */
  show(view: View, glide = true): void {
    if (glide) this.#go(view);
    else this.#place(view);
  }

  /** Go along with the followed actor: called whenever time has changed. */
  track(): void {
    if (this.#followed === null || !this.#stage.actorAt(this.#followed, this.#at)) return;
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
      this.#place(between(this.#glide.from, this.#glide.to, MathUtils.smoothstep(t, 0, 1)));
      if (t >= 1) this.#glide = null;
      else this.#stage.requestRender();
    }
    this.controls.update();
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
  }

  dispose(): void {
    this.controls.dispose();
  }

  #distance(half: number, up: number): number {
    const vertical = MathUtils.degToRad(FIELD) / 2;
    const horizontal = Math.atan(Math.tan(vertical) * this.camera.aspect);
    // a flat thing seen from the side needs less room above and below
    const tall = Math.max(half * Math.abs(Math.sin(up)), 1.15);
    return Math.max(half / Math.tan(horizontal), tall / Math.tan(vertical)) + half * Math.cos(up) * 0.5;
  }

  /** The direction stays, the distance fits. */
  #fitted(centre: [number, number, number], half: number): [number, number, number] {
    const way = this.camera.position.clone().sub(this.controls.target).normalize();
    const away = this.#distance(half, Math.asin(MathUtils.clamp(way.y, -1, 1)));
    return new Vector3(...centre).addScaledVector(way, away).toArray();
  }

  #go(view: View): void {
    if (!this.#stage.eased()) this.#place(view);
    else {
      this.#glide = { from: this.view(), to: structuredClone(view), begun: performance.now() };
      this.#stage.requestRender();
    }
  }

  #place(view: View): void {
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

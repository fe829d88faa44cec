/** The stage: actors, lines, marks and handles on one floor, drawn when something has changed. */
import { Group, type Object3D, Plane, Raycaster, Scene as ThreeScene, Vector2, Vector3, VSMShadowMap, type WebGLRenderer } from "three";
import { Actor } from "./actor";
import { type Look, StageCamera, type View } from "./camera";
import type { DotStyle } from "./dots";
import type { GroundGrid } from "./ground";
import type { HandleEvents, HandleOptions, Place } from "./handles";
import type { LineStyle } from "./lines";
import { Pace } from "./pace";
import { type Colour, DARK, LIGHT, Palette, type Scenery } from "./palette";
import { StagePointer, type Tool } from "./pointer";
import { Props } from "./props";
import { makeRenderer } from "./renderer";
import { Scene } from "./scene";

export type { Colour, DotStyle, GroundGrid, HandleEvents, HandleOptions, LineStyle, Look, Place, Tool, View };

export interface StageOptions {
  /** without shadows, at the screen's own pixels: for software WebGL. Null: found out by the time pictures take. */
  plain?: boolean | null;
  /** called when the stage has chosen the plain mode by itself */
  onPlain?: () => void;
}

// metres within which two actors are looked at together
const BESIDE = 7;

export class Stage {
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly camera: StageCamera;
  readonly palette: Palette;
  #renderer: WebGLRenderer;
  #three = new ThreeScene();
  #scene = new Scene();
  #world = new Group();
  #pointer: StagePointer;
  #actors = new Map<string, Actor>();
  #props: Props;
  #dark = false;
  #grid = true;
  #following = false;
  #pace: Pace;
  #onPlain: (() => void) | undefined;
  #time = 0;
  #size = new Vector2();
  #ray = new Raycaster();
  #plane = new Plane(new Vector3(0, 1, 0), 0);
  #hit = new Vector3();
  #ndc = new Vector2();
  #centre = new Float32Array(3);
  #observer: ResizeObserver;

  constructor(element: HTMLElement, options: StageOptions = {}) {
    this.element = element;
    this.#onPlain = options.onPlain;
    this.palette = new Palette(element);
    const { renderer, software } = makeRenderer(options.plain ?? null);
    this.#renderer = renderer;
    this.#pace = new Pace(() => this.#render(), options.plain ?? software, (options.plain ?? null) !== null);
    this.canvas = renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", "Stage");
    this.canvas.style.display = "block";
    this.canvas.style.touchAction = "none";
    element.append(this.canvas);
    this.#renderer.shadowMap.type = VSMShadowMap;
    this.#props = new Props(
      this.palette,
      () => this.#scenery,
      () => ({ ratio: this.#ratio, tall: Math.max(this.#size.y, 1), dark: this.#dark }),
    );
    this.#three.add(this.#scene.group, this.#world, this.#props.group);
    this.camera = new StageCamera(this.canvas, {
      bounds: () => this.bounds(),
      actorAt: (id, out) => this.#actorAt(id, out),
      facing: () => this.#facing(),
      requestRender: () => this.requestRender(),
      eased: () => !this.plain && !matchMedia("(prefers-reduced-motion: reduce)").matches,
    });
    this.#pointer = new StagePointer({
      element: this.canvas,
      camera: this.camera.camera,
      handleSets: () => this.#props.handleSets.values(),
      floor: (x, y, height) => this.floor(x, y, height),
      heightAt: (x, y, place) => this.#heightAt(x, y, place),
      setCameraEnabled: (on) => (this.camera.controls.enabled = on),
      azimuth: () => this.camera.controls.getAzimuthalAngle(),
      requestRender: () => this.requestRender(),
    });
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(element);
    // graphics were taken away, as by a driver that was updated, and are back
    this.canvas.addEventListener("webglcontextrestored", () => this.requestRender());
    this.#applyPlain();
    this.#recolour();
    this.#resize();
  }

  /** The actor of that id, made on first use. */
  actor(id: string): Actor {
    let actor = this.#actors.get(id);
    if (!actor) {
      actor = new Actor(id, { palette: this.palette, scenery: () => this.#scenery, changed: (isNew) => this.requestRender(isNew) });
      this.#actors.set(id, actor);
      this.#world.add(actor.group);
    }
    return actor;
  }

  /** Ids of all actors. */
  get actors(): string[] {
    return [...this.#actors.keys()];
  }

  /** Take an actor off. */
  drop(id: string): void {
    if (this.camera.followed === id) this.camera.follow(null);
    this.#actors.get(id)?.dispose();
    this.#actors.delete(id);
    this.requestRender();
  }

  /** A line through points [x, y, z]; null removes it. */
  line(id: string, points: ArrayLike<number>[] | null, style: LineStyle = { colour: "accent" }): void {
    this.#props.line(id, points, style);
    this.requestRender();
  }

  /** Marks at points [x, y, z]; null removes them. */
  dots(id: string, points: ArrayLike<number>[] | null, style: DotStyle = { colour: "accent" }): void {
    this.#props.dots(id, points, style);
    this.requestRender();
  }

  /** Hills; null removes them, and the flat floor is back. */
  ground(id: string, grid: GroundGrid | null): void {
    this.#props.ground(id, grid);
    this.#scene.flat = this.#props.flat;
    this.requestRender();
  }

  /** How high the ground is at a place: 0 on the flat floor. */
  height(x: number, z: number): number {
    return this.#props.height(x, z);
  }

  /** Anything else of three: it is drawn, and removed with null. Whoever made it disposes of it. */
  mesh(id: string, object: Object3D | null): void {
    this.#props.mesh(id, object);
    this.requestRender();
  }

  /** Points that can be dragged; null removes them. Call again with the new places after each move. */
  handles(id: string, points: Place[] | null, on: HandleEvents = { move: () => {} }, options: HandleOptions = {}): void {
    this.#props.handles(id, points, on, options);
    this.requestRender();
  }

  /** Choose a handle, as a click on it does; −1 chooses none. */
  selectHandle(id: string, index: number): void {
    this.#props.selectHandle(id, index);
    this.requestRender();
  }

  /** The place on the floor, or at a height above it, under a place of the window; null where there is none. */
  floor(clientX: number, clientY: number, height = 0): { x: number; z: number } | null {
    this.#aim(clientX, clientY);
    this.#plane.set(this.#plane.normal.set(0, 1, 0), -height);
    const hit = this.#ray.ray.intersectPlane(this.#plane, this.#hit);
    if (!hit || hit.distanceTo(this.camera.camera.position) > 150) return null;
    return { x: hit.x, z: hit.z };
  }

  /** Where a place of the stage is in the window, in pixels; null behind the camera. */
  screen(place: ArrayLike<number>): { x: number; y: number } | null {
    const p = this.#hit.set(place[0]!, place[1]!, place[2]!).project(this.camera.camera);
    if (p.z > 1) return null;
    const box = this.canvas.getBoundingClientRect();
    return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
  }

  /** A tool that gets strokes on the floor before the camera does; null gives them back. */
  tool(tool: Tool | null): void {
    this.#pointer.setTool(tool);
    this.camera.drawing(tool !== null);
  }

  /** Pose all actors at a time in seconds. */
  setTime(seconds: number): void {
    this.#time = seconds;
    this.#chooseFollowed();
    for (const actor of this.#actors.values()) actor.setTime(seconds);
    this.camera.track();
    this.requestRender();
  }

  get time(): number {
    return this.#time;
  }

  /** Pictures drawn so far. */
  get pictures(): number {
    return this.#pace.pictures;
  }

  /** Draw soon: once, however often it is asked for. Something new is drawn as soon as the screen is ready for it. */
  requestRender(isNew = false): void {
    this.#pace.request(isNew);
  }

  /** Draw now, for pictures of the canvas. */
  renderNow(): void {
    this.#pace.now();
  }

  get dark(): boolean {
    return this.#dark;
  }

  set dark(on: boolean) {
    this.#dark = on;
    this.#recolour();
  }

  get grid(): boolean {
    return this.#grid;
  }

  /** Whether the floor shows its metre lines. */
  set grid(on: boolean) {
    this.#grid = on;
    this.#scene.lines = on;
    this.requestRender();
  }

  /** Milliseconds that the clock should leave between two pictures. */
  get breath(): number {
    return this.#pace.breath;
  }

  /** Whether something is waited for, to which the clock leaves the processor where pictures need it. */
  set calm(on: boolean) {
    this.#pace.calm = on;
  }

  get plain(): boolean {
    return this.#pace.plain;
  }

  /** Drawn with shadows or without, as the user wishes: the stage does not judge any more. */
  setPlain(on: boolean): void {
    this.#pace.chosen = true;
    if (on === this.plain) return;
    this.#pace.plain = on;
    this.#applyPlain();
  }

  /** Whether the camera keeps on the first actor that is shown, whoever that is. */
  set following(on: boolean) {
    this.#following = on;
    if (on) this.#chooseFollowed();
    else this.camera.follow(null);
  }

  /** A box about all that is shown, over all time: [x0, y0, z0, x1, y1, z1]; null for an empty stage. */
  bounds(): number[] | null {
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    const add = (x: number, y: number, z: number): void => {
      box[0] = Math.min(box[0]!, x);
      box[1] = Math.min(box[1]!, y);
      box[2] = Math.min(box[2]!, z);
      box[3] = Math.max(box[3]!, x);
      box[4] = Math.max(box[4]!, y);
      box[5] = Math.max(box[5]!, z);
    };
    for (const actor of this.#actors.values()) {
      const motion = actor.motion;
      if (!motion || !actor.visible) continue;
      const step = Math.max(1, Math.floor(motion.frames / 200));
      for (let frame = 0; frame < motion.frames; frame += step) {
        const at = actor.place(motion.root(frame), this.#centre);
        add(at[0]!, 0, at[2]!);
        add(at[0]!, motion.height, at[2]!);
      }
    }
    for (const extent of this.#props.extents) {
      add(extent[0]!, extent[1]!, extent[2]!);
      add(extent[3]!, extent[4]!, extent[5]!);
    }
    return box[0]! <= box[3]! ? box : null;
  }

  dispose(): void {
    this.#pace.cancel();
    this.#observer.disconnect();
    this.#pointer.dispose();
    this.camera.dispose();
    for (const actor of this.#actors.values()) actor.dispose();
    this.#props.dispose();
    this.#scene.dispose();
    this.#renderer.dispose();
    this.canvas.remove();
  }

  get #scenery(): Scenery {
    return this.#dark ? DARK : LIGHT;
  }

  #render(): void {
    if (this.#size.x < 1 || this.#size.y < 1) return;
    this.camera.update();
    this.#lightActors();
    this.#renderer.render(this.#three, this.camera.camera);
    if (!this.#pace.isSlow(() => this.#finish())) return;
    this.#pace.plain = true;
    this.#applyPlain();
    this.#onPlain?.();
  }

  /** Wait until the picture is drawn: without reading back, its time would be that of handing it over. */
  #finish(): void {
    const context = this.#renderer.getContext();
    context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, new Uint8Array(4));
  }

  /** The sun follows those who cast shadows; a soft spot below each stands for the light of the sky, and for all shadow where it is plain. */
  #lightActors(): void {
    this.#scene.spots(this.#casting(), this.plain ? 1.2 : 0.5);
    let x0 = Infinity;
    let x1 = -Infinity;
    let z0 = Infinity;
    let z1 = -Infinity;
    for (const actor of this.#actors.values()) {
      if (!actor.visible || actor.opacity < 1) continue;
      const at = actor.centre(this.#centre);
      x0 = Math.min(x0, at[0]!);
      x1 = Math.max(x1, at[0]!);
      z0 = Math.min(z0, at[2]!);
      z1 = Math.max(z1, at[2]!);
    }
    if (x0 > x1) return;
    this.#centre[0] = (x0 + x1) / 2;
    this.#centre[2] = (z0 + z1) / 2;
    this.#scene.light(this.#centre, Math.max(x1 - x0, z1 - z0) / 2 + 2);
  }

  *#casting(): Generator<Float32Array> {
    for (const actor of this.#actors.values()) {
      if (!actor.visible || actor.opacity < 1) continue;
      const at = actor.centre(this.#centre);
      at[1] = this.height(at[0]!, at[2]!);
      yield at;
    }
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth < 1 || clientHeight < 1) return;
    this.#size.set(clientWidth, clientHeight);
    this.#renderer.setPixelRatio(this.#ratio);
    this.#renderer.setSize(clientWidth, clientHeight);
    this.camera.resize(clientWidth, clientHeight);
    this.#props.resize();
    // a canvas that changed its size is empty: drawn at once, it does not flash
    this.renderNow();
  }

  get #ratio(): number {
    return this.plain ? 1 : Math.min(devicePixelRatio, 2);
  }

  #applyPlain(): void {
    this.#renderer.shadowMap.enabled = !this.plain;
    this.#scene.shadows = !this.plain;
    this.camera.controls.enableDamping = !this.plain;
    this.#resize();
  }

  #recolour(): void {
    this.palette.reset();
    this.#scene.colour(this.#scenery, this.palette);
    this.#renderer.setClearColor(this.palette.colour(this.#scenery.floor));
    this.#scene.lines = this.#grid;
    for (const actor of this.#actors.values()) actor.restyle();
    this.#props.recolour();
    this.requestRender();
  }

  #chooseFollowed(): void {
    const now = this.camera.followed;
    if (!this.#following || (now !== null && this.#actors.get(now)?.visible)) return;
    for (const actor of this.#actors.values()) {
      if (!actor.visible || actor.opacity < 1) continue;
      this.camera.follow(actor.id);
      return;
    }
  }

  /** The middle of an actor and of those who are shown beside it, and how far they are apart; −1 where it is not shown. */
  #actorAt(id: string, out: Float32Array): number {
    const actor = this.#actors.get(id);
    if (!actor?.visible) return -1;
    actor.centre(out);
    let apart = 0;
    for (const other of this.#actors.values()) {
      if (other === actor || !other.visible || other.opacity < 1) continue;
      const at = other.centre(this.#centre);
      const away = Math.hypot(at[0]! - out[0]!, at[2]! - out[2]!);
      // whoever is farther away goes elsewhere
      if (apart > 0 || away > BESIDE) continue;
      apart = away;
      for (let axis = 0; axis < 3; axis++) out[axis] = (out[axis]! + at[axis]!) / 2;
    }
    return apart;
  }

  /** Where the first actor goes from its beginning to its end; ahead where it stays. */
  #facing(): number {
    for (const actor of this.#actors.values()) {
      const motion = actor.motion;
      if (!motion || !actor.visible) continue;
      return actor.offset.angle + motion.heading(0);
    }
    return 0;
  }

  #aim(clientX: number, clientY: number): void {
    const box = this.canvas.getBoundingClientRect();
    this.#ndc.set(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
    this.#ray.setFromCamera(this.#ndc, this.camera.camera);
  }

  #heightAt(clientX: number, clientY: number, place: Place): number | null {
    this.#aim(clientX, clientY);
    // the vertical plane through the place that faces the camera
    const normal = this.camera.camera.getWorldDirection(new Vector3());
    normal.y = 0;
    if (normal.lengthSq() < 1e-4) return null;
    this.#plane.setFromNormalAndCoplanarPoint(normal.normalize(), new Vector3(place.x, place.y, place.z));
    return this.#ray.ray.intersectPlane(this.#plane, this.#hit)?.y ?? null;
  }
}

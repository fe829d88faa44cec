/** The stage: actors, lines, marks and handles on one floor, drawn when something has changed. */
import { type Object3D, Scene as ThreeScene, Vector2, VSMShadowMap, type WebGLRenderer } from "three";
import type { Actor } from "./actor";
import { Aim } from "./aim";
import { type Look, StageCamera, type View } from "./camera";
import { Cast } from "./cast";
import type { DotStyle } from "./dots";
import type { GroundGrid } from "./ground";
import type { Hero } from "./hero";
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

export class Stage {
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly camera: StageCamera;
  readonly palette: Palette;
  #renderer: WebGLRenderer;
  #three = new ThreeScene();
  #scene = new Scene();
  #cast: Cast;
  #aim: Aim;
  #pointer: StagePointer;
  #props: Props;
  #dark = false;
  #hero: Hero | null = null;
  #grid = true;
  #following = false;
  #pace: Pace;
  #onPlain: (() => void) | undefined;
  #time = 0;
  #size = new Vector2();
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
    this.#cast = new Cast({ palette: this.palette, scenery: () => this.#scenery, hero: () => this.#hero, changed: (isNew) => this.requestRender(isNew) });
    this.#props = new Props(
      this.palette,
      () => this.#scenery,
      () => ({ ratio: this.#ratio, tall: Math.max(this.#size.y, 1), dark: this.#dark }),
    );
    this.#three.add(this.#scene.group, this.#cast.group, this.#props.group);
    this.camera = new StageCamera(this.canvas, {
      bounds: () => this.bounds(),
      actorAt: (id, out) => this.#cast.middle(id, out),
      facing: () => this.#cast.facing(),
      requestRender: () => this.requestRender(),
      eased: () => !this.plain && !matchMedia("(prefers-reduced-motion: reduce)").matches,
    });
    this.#aim = new Aim(this.canvas, this.camera.camera);
    this.#pointer = new StagePointer({
      element: this.canvas,
      camera: this.camera.camera,
      handleSets: () => this.#props.handleSets.values(),
      floor: (x, y, height) => this.floor(x, y, height),
      heightAt: (x, y, place) => this.#aim.height(x, y, place),
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
    return this.#cast.actor(id);
  }

  /** Ids of all actors. */
  get actors(): string[] {
    return this.#cast.ids;
  }

  /** Take an actor off. */
  drop(id: string): void {
    if (this.camera.followed === id) this.camera.follow(null);
    this.#cast.drop(id);
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
  selectHandle(id: string, index: number, also?: ReadonlySet<number>): void {
    this.#props.selectHandle(id, index, also);
    this.requestRender();
  }

  /** The place on the floor, or at a height above it, under a place of the window; null where there is none. */
  floor(clientX: number, clientY: number, height = 0): { x: number; z: number } | null {
    return this.#aim.floor(clientX, clientY, height);
  }

  /** Where a place of the stage is in the window, in pixels; null behind the camera. */
  screen(place: ArrayLike<number>): { x: number; y: number } | null {
    return this.#aim.screen(place);
  }

  /** Whether a place of the stage is in the picture, and clear of what covers its top and its foot. */
  sees(place: ArrayLike<number>): boolean {
    const spot = this.screen(place);
    if (!spot) return false;
    const { left, right, top, bottom } = this.canvas.getBoundingClientRect();
    const [above, below] = this.camera.covered;
    return spot.x > left && spot.x < right && spot.y > top + above && spot.y < bottom - below;
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
    this.#cast.setTime(seconds);
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

  /** The character that is shown instead of mannequins; null: mannequins. Whoever made it disposes of it. */
  get hero(): Hero | null {
    return this.#hero;
  }

  set hero(hero: Hero | null) {
    this.#hero = hero;
    this.#cast.restyle();
    this.requestRender(true);
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
    const add = (extent: readonly number[]): void => {
      for (let axis = 0; axis < 3; axis++) {
        box[axis] = Math.min(box[axis]!, extent[axis]!);
        box[axis + 3] = Math.max(box[axis + 3]!, extent[axis + 3]!);
      }
    };
    for (const extent of this.#cast.extents()) add(extent);
    for (const extent of this.#props.extents) add(extent);
    return box[0]! <= box[3]! ? box : null;
  }

  dispose(): void {
    this.#pace.cancel();
    this.#observer.disconnect();
    this.#pointer.dispose();
    this.camera.dispose();
    this.#cast.dispose();
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
    for (const at of this.#cast.centres()) {
      x0 = Math.min(x0, at[0]!);
      x1 = Math.max(x1, at[0]!);
      z0 = Math.min(z0, at[2]!);
      z1 = Math.max(z1, at[2]!);
    }
    if (x0 > x1) return;
    this.#scene.light([(x0 + x1) / 2, 0, (z0 + z1) / 2], Math.max(x1 - x0, z1 - z0) / 2 + 2);
  }

  *#casting(): Generator<Float32Array> {
    for (const at of this.#cast.centres()) {
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
    this.#cast.restyle();
    this.#props.recolour();
    this.requestRender();
  }

  #chooseFollowed(): void {
    const now = this.camera.followed;
    if (!this.#following || (now !== null && this.#cast.shows(now))) return;
    const lead = this.#cast.lead;
    if (lead) this.camera.follow(lead.id);
  }
}

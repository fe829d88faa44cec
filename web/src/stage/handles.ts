/** Points that can be dragged: drawn as discs of a fixed size on the screen, before everything else. */
import { BufferAttribute, BufferGeometry, type Camera, Color, Group, LineBasicMaterial, LineSegments, Points, ShaderMaterial, Vector3 } from "three";
import type { Colour } from "./palette";

export interface Place {
  x: number;
  y: number;
  z: number;
}

export type Phase = "start" | "move" | "end";

/** What becomes of handles. */
export interface HandleEvents {
  /** dragged, or moved by keys (then the event is a KeyboardEvent and phases follow each other at once) */
  move(index: number, place: Place, phase: Phase, event: PointerEvent | KeyboardEvent): void;
  select?(index: number, event: PointerEvent | KeyboardEvent): void;
  /** double click on a handle, or Delete */
  remove?(index: number): void;
  /** double click on the floor */
  insert?(place: Place): void;
}

export interface HandleOptions {
  /** whether heights can be changed: with Shift, or by the small handle above */
  height?: boolean;
  colour?: Colour;
}

// pixels on the screen
const SIZE = 15;
const LIFT = 34;
const GRIP = 22;
const REACH = { mouse: 13, pen: 16, touch: 26 } as Record<string, number>;

const VERTEX = `
attribute float size;
attribute float state;
attribute float lift;
uniform float ratio;
uniform float tall;
varying float vState;
void main() {
  vState = state;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_Position.y += 2.0 * lift / tall * gl_Position.w;
  gl_PointSize = size * ratio;
}`;

// state: 0 at rest, 1 under the pointer, 2 chosen, 3 the grip that changes a height: an arrow up and an arrow down
const FRAGMENT = `
uniform vec3 colour;
uniform vec3 inside;
varying float vState;
void main() {
  if (vState > 2.5) {
    vec2 at = abs(gl_PointCoord - 0.5) * 2.0;
    // two triangles, base to base with a gap
    float inside_ = 0.95 - at.y - at.x * 1.1;
    if (at.y < 0.16 || inside_ < 0.0) discard;
    gl_FragColor = vec4(colour, smoothstep(0.0, 0.12, inside_));
    #include <colorspace_fragment>
    return;
  }
  float away = length(gl_PointCoord - 0.5) * 2.0;
  float edge = fwidth(away);
  float alpha = 1.0 - smoothstep(1.0 - edge * 1.5, 1.0, away);
  if (alpha < 0.01) discard;
  float core = 1.0 - smoothstep(0.62 - edge, 0.62 + edge, away);
  vec3 fill = mix(inside, colour, vState > 1.5 ? 1.0 : (vState > 0.5 ? 0.45 : 0.0));
  gl_FragColor = vec4(mix(colour, fill, core), alpha);
  #include <colorspace_fragment>
}`;

/** One set of handles. */
export class Handles {
  readonly group = new Group();
  points: Place[] = [];
  on: HandleEvents;
  options: HandleOptions;
  selected = -1;
  /** chosen along with it */
  also: ReadonlySet<number> = new Set();
  hovered = -1;
  #geometry = new BufferGeometry();
  #material: ShaderMaterial;
  #stems = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.6, depthTest: false }));
  #room = 0;
  #projected = new Vector3();

  constructor(on: HandleEvents, options: HandleOptions) {
    this.on = on;
    this.options = options;
    this.#material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthTest: false,
      depthWrite: false,
      uniforms: { colour: { value: new Color() }, inside: { value: new Color() }, ratio: { value: 1 }, tall: { value: 1 } },
    });
    const cloud = new Points(this.#geometry, this.#material);
    cloud.frustumCulled = false;
    cloud.renderOrder = 20;
    this.#stems.frustumCulled = false;
    this.#stems.renderOrder = 19;
    this.group.add(this.#stems, cloud);
  }

  set(points: Place[], on: HandleEvents, options: HandleOptions): void {
    this.points = points.map(({ x, y, z }) => ({ x, y, z }));
    this.on = on;
    this.options = options;
    if (this.selected >= points.length) this.selected = -1;
    if (this.hovered >= points.length) this.hovered = -1;
    this.draw();
  }

  /** Colours, pixels of the screen for one of the page, and how many of the page's the canvas is tall. */
  colour(colour: Color, inside: Color, ratio: number, tall: number): void {
    this.#material.uniforms["tall"]!.value = tall;
    (this.#material.uniforms["colour"]!.value as Color).copy(colour);
    (this.#material.uniforms["inside"]!.value as Color).copy(inside);
    this.#material.uniforms["ratio"]!.value = ratio;
    this.#stems.material.color.copy(colour);
  }

  /** Send places and states to the graphics card. */
  draw(): void {
    const chosen = this.options.height ? this.points[this.selected] : undefined;
    const count = this.points.length + (chosen ? 1 : 0);
    if (count > this.#room) {
      this.#room = Math.ceil(count * 1.5) + 8;
      for (const geometry of [this.#geometry, this.#stems.geometry]) geometry.dispose();
      this.#geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.#room * 3), 3));
      this.#geometry.setAttribute("size", new BufferAttribute(new Float32Array(this.#room), 1));
      this.#geometry.setAttribute("state", new BufferAttribute(new Float32Array(this.#room), 1));
      this.#geometry.setAttribute("lift", new BufferAttribute(new Float32Array(this.#room), 1));
      this.#stems.geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.#room * 6), 3));
    }
    if (!this.#room) return;
    const place = this.#geometry.getAttribute("position") as BufferAttribute;
    const size = this.#geometry.getAttribute("size") as BufferAttribute;
    const state = this.#geometry.getAttribute("state") as BufferAttribute;
    const lift = this.#geometry.getAttribute("lift") as BufferAttribute;
    const stem = this.#stems.geometry.getAttribute("position") as BufferAttribute;
    let stems = 0;
    this.points.forEach((point, index) => {
      place.setXYZ(index, point.x, point.y, point.z);
      const isChosen = index === this.selected || this.also.has(index);
      size.setX(index, isChosen || index === this.hovered ? SIZE * 1.25 : SIZE);
      state.setX(index, isChosen ? 2 : index === this.hovered ? 1 : 0);
      lift.setX(index, 0);
      // on a ground it stands on that, not above the floor
      if (this.options.height && Math.abs(point.y) > 0.02) {
        stem.setXYZ(stems++, point.x, 0, point.z);
        stem.setXYZ(stems++, point.x, point.y, point.z);
      }
    });
    if (chosen) {
      place.setXYZ(count - 1, chosen.x, chosen.y, chosen.z);
      size.setX(count - 1, GRIP);
      state.setX(count - 1, 3);
      lift.setX(count - 1, LIFT);
    }
    this.#geometry.setDrawRange(0, count);
    this.#stems.geometry.setDrawRange(0, stems);
    for (const attribute of [place, size, state, lift, stem]) attribute.needsUpdate = true;
  }

  /** The handle under a place of the canvas in pixels, and whether it is the part that changes its height. */
  hit(x: number, y: number, camera: Camera, width: number, height: number, pointer: string): { index: number; lift: boolean } | null {
    const reach = REACH[pointer] ?? 13;
    let best = reach;
    let found: { index: number; lift: boolean } | null = null;
    this.points.forEach((point, index) => {
      const p = this.#projected.set(point.x, point.y, point.z).project(camera);
      if (p.z < -1 || p.z > 1) return;
      const px = ((p.x + 1) / 2) * width;
      const py = ((1 - p.y) / 2) * height;
      const off = Math.hypot(px - x, py - y);
      if (off < best) {
        best = off;
        found = { index, lift: false };
      }
      if (!this.options.height || index !== this.selected) return;
      const above = Math.hypot(px - x, py - LIFT - y);
      if (above < best) {
        best = above;
        found = { index, lift: true };
      }
    });
    return found;
  }

  dispose(): void {
    this.group.removeFromParent();
    this.#geometry.dispose();
    this.#material.dispose();
    this.#stems.geometry.dispose();
    this.#stems.material.dispose();
  }
}

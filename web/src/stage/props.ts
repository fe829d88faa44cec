/** What is on the stage besides the actors: lines, marks, hills and handles, each under an id. */
import { Group, type Mesh, type Object3D } from "three";
import { Dots, type DotStyle } from "./dots";
import { type GroundGrid, groundMesh, heightOn } from "./ground";
import { type HandleEvents, type HandleOptions, Handles, type Place } from "./handles";
import { Line, type LineStyle } from "./lines";
import type { Palette, Scenery } from "./palette";

/** What handles need to know of the canvas: screen pixels for one of the page, and its height in the page's. */
export interface Screen {
  ratio: number;
  tall: number;
  dark: boolean;
}

export class Props {
  readonly group = new Group();
  readonly handleSets = new Map<string, Handles>();
  #palette: Palette;
  #scenery: () => Scenery;
  #screen: () => Screen;
  #lines = new Map<string, Line>();
  #dots = new Map<string, Dots>();
  #grounds = new Map<string, { mesh: Mesh; grid: GroundGrid }>();
  #extents = new Map<string, number[]>();

  constructor(palette: Palette, scenery: () => Scenery, screen: () => Screen) {
    this.#palette = palette;
    this.#scenery = scenery;
    this.#screen = screen;
  }

  /** Boxes about all lines: [x0, y0, z0, x1, y1, z1]. */
  get extents(): Iterable<number[]> {
    return this.#extents.values();
  }

  /** Whether no hills stand in place of the floor. */
  get flat(): boolean {
    return this.#grounds.size === 0;
  }

  line(id: string, points: ArrayLike<number>[] | null, style: LineStyle): void {
    this.#note(id, points);
    let line = this.#lines.get(id);
    if (!points) {
      line?.dispose();
      this.#lines.delete(id);
      return;
    }
    if (!line) this.#lines.set(id, (line = new Line(this.group)));
    line.set(points, style, this.#palette.colour(style.colour));
  }

  dots(id: string, points: ArrayLike<number>[] | null, style: DotStyle): void {
    const known = this.#dots.get(id);
    if (!points || points.length === 0) {
      known?.dispose();
      this.#dots.delete(id);
    } else if (known) known.set(points, style, (name) => this.#palette.colour(name));
    else this.#dots.set(id, new Dots(this.group, points, style, (name) => this.#palette.colour(name)));
  }

  ground(id: string, grid: GroundGrid | null): void {
    const known = this.#grounds.get(id);
    known?.mesh.removeFromParent();
    known?.mesh.geometry.dispose();
    this.#grounds.delete(id);
    if (!grid) return;
    const { floor, coarse } = this.#scenery();
    const mesh = groundMesh(grid, this.#palette.colour(floor), this.#palette.colour(coarse));
    this.group.add(mesh);
    this.#grounds.set(id, { mesh, grid });
  }

  /** How high the ground is at a place: 0 on the flat floor. */
  height(x: number, z: number): number {
    for (const { grid } of this.#grounds.values()) return heightOn(grid, x, z);
    return 0;
  }

  mesh(id: string, object: Object3D | null): void {
    const name = `mesh ${id}`;
    this.group.getObjectByName(name)?.removeFromParent();
    if (!object) return;
    object.name = name;
    this.group.add(object);
  }

  handles(id: string, points: Place[] | null, on: HandleEvents, options: HandleOptions): void {
    let set = this.handleSets.get(id);
    if (!points) {
      set?.dispose();
      this.handleSets.delete(id);
      return;
    }
    if (!set) {
      this.handleSets.set(id, (set = new Handles(on, options)));
      this.group.add(set.group);
    }
    set.set(points, on, options);
    this.#paint(set);
  }

  selectHandle(id: string, index: number, also: ReadonlySet<number> = new Set()): void {
    const set = this.handleSets.get(id);
    if (!set) return;
    set.selected = index;
    set.also = also;
    set.draw();
  }

  /** The canvas has another size. */
  resize(): void {
    for (const set of this.handleSets.values()) this.#paint(set);
  }

  /** Colours again: the theme has changed. */
  recolour(): void {
    for (const line of this.#lines.values()) line.recolour(this.#palette.colour(line.style.colour));
    for (const dots of this.#dots.values()) dots.recolour((name) => this.#palette.colour(name));
    for (const set of this.handleSets.values()) this.#paint(set);
    for (const [id, { grid }] of [...this.#grounds]) this.ground(id, grid);
  }

  dispose(): void {
    for (const part of [this.#lines, this.#dots, this.handleSets]) for (const one of part.values()) one.dispose();
    for (const id of [...this.#grounds.keys()]) this.ground(id, null);
  }

  #paint(set: Handles): void {
    const { ratio, tall, dark } = this.#screen();
    set.colour(this.#palette.colour(set.options.colour ?? "accent"), this.#palette.colour(dark ? "#10161b" : "#ffffff"), ratio, tall);
  }

  #note(id: string, points: ArrayLike<number>[] | null): void {
    this.#extents.delete(id);
    if (!points || points.length < 2) return;
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (const point of points) {
      for (let axis = 0; axis < 3; axis++) {
        box[axis] = Math.min(box[axis]!, point[axis]!);
        box[axis + 3] = Math.max(box[axis + 3]!, point[axis]!);
      }
    }
    this.#extents.set(id, box);
  }
}

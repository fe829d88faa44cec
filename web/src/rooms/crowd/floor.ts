/** What lies and stands on the floor of the room: walls, boxes, and the density map. */
import {
  BufferAttribute, BufferGeometry, type Color, DataTexture, DoubleSide, LinearFilter, Mesh, MeshBasicMaterial, PlaneGeometry, RGBAFormat, SRGBColorSpace,
} from "three"; // prettier-ignore
import { CELL, type DensityGrid } from "./density";

type Points = readonly (readonly [number, number])[];

/** Metres: how high walls are drawn, lest they hide who is behind them. */
const WALL = 1;
/** People on a square metre at which the map is as strong as it gets. */
const DENSE = 1.5;

/** Upright faces above lines on the floor. */
export function wallMesh(walls: readonly Points[], colour: Color): Mesh<BufferGeometry, MeshBasicMaterial> {
  const places: number[] = [];
  for (const wall of walls) {
    for (let side = 0; side + 1 < wall.length; side++) {
      const [[ax, az], [bx, bz]] = [wall[side]!, wall[side + 1]!];
      places.push(ax, 0, az, bx, 0, bz, bx, WALL, bz, ax, 0, az, bx, WALL, bz, ax, WALL, az);
    }
  }
  const mesh = new Mesh(flat(places), new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.4, depthWrite: false, side: DoubleSide }));
  // over the people behind them
  mesh.renderOrder = 1;
  return mesh;
}

/** Filled shapes on the floor. */
export function floorMesh(outline: Points, colour: Color, opacity: number): Mesh<BufferGeometry, MeshBasicMaterial> {
  const places: number[] = [];
  const [x, z] = outline.reduce(([sx, sz], [px, pz]) => [sx + px / outline.length, sz + pz / outline.length], [0, 0]);
  outline.forEach(([ax, az], index) => {
    const [bx, bz] = outline[(index + 1) % outline.length]!;
    places.push(x!, 0.003, z!, ax, 0.003, az, bx, 0.003, bz);
  });
  const mesh = new Mesh(flat(places), new MeshBasicMaterial({ color: colour, transparent: true, opacity, depthWrite: false, side: DoubleSide }));
  mesh.renderOrder = -1;
  return mesh;
}

export function dropMesh(mesh: Mesh<BufferGeometry, MeshBasicMaterial> | null): void {
  mesh?.removeFromParent();
  mesh?.geometry.dispose();
  mesh?.material.map?.dispose();
  mesh?.material.dispose();
}

function flat(places: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(places), 3));
  return geometry;
}

/** The density map: a picture on the floor, from nothing over yellow to red. */
export class DensityMap {
  readonly mesh: Mesh<PlaneGeometry, MeshBasicMaterial>;
  #texture: DataTexture;
  #pixels: Uint8Array<ArrayBuffer>;

  constructor(readonly grid: DensityGrid) {
    const { columns, rows } = grid;
    this.#pixels = new Uint8Array(columns * rows * 4);
    this.#texture = new DataTexture(this.#pixels, columns, rows, RGBAFormat);
    this.#texture.minFilter = this.#texture.magFilter = LinearFilter;
    this.#texture.colorSpace = SRGBColorSpace;
    const [width, depth] = [columns * CELL, rows * CELL];
    // turned so that rows go along z
    const plane = new PlaneGeometry(width, depth).rotateX(Math.PI / 2).translate(grid.x0 + width / 2, 0.004, grid.z0 + depth / 2);
    this.mesh = new Mesh(plane, new MeshBasicMaterial({ map: this.#texture, transparent: true, depthWrite: false, side: DoubleSide }));
    this.mesh.renderOrder = -1;
  }

  /** Draw what the grid holds. */
  update(): void {
    this.grid.values.forEach((value, index) => {
      const share = Math.min(value / DENSE, 1);
      this.#pixels[index * 4] = 255;
      this.#pixels[index * 4 + 1] = 215 * (1 - share);
      this.#pixels[index * 4 + 2] = 60 * (1 - share);
      this.#pixels[index * 4 + 3] = 225 * Math.sqrt(share);
    });
    this.#texture.needsUpdate = true;
  }
}

/** Marks on the floor or in the air: discs, rings, footprints. */
import {
  BufferGeometry,
  CircleGeometry,
  type Color,
  DoubleSide,
  type Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  RingGeometry,
  Shape,
  ShapeGeometry,
  SphereGeometry,
  Vector3,
} from "three";
import type { Colour } from "./palette";

export interface DotStyle {
  /** one colour, or one for each point */
  colour: Colour | Colour[];
  /** diameter in metres; 0.09 unless told. A foot's is its length, 0.24. */
  size?: number;
  shape?: "disc" | "ring" | "foot" | "ball";
  /** radians about the vertical from +Z towards +X, for feet */
  headings?: number[];
  /** which foot each print is of */
  feet?: ("left" | "right")[];
  opacity?: number;
}

const UP = new Vector3(0, 1, 0);

/** The sole of a left foot, one metre long, toes towards +Z, about its middle. */
function sole(): BufferGeometry {
  const shape = new Shape();
  // x of the shape is to the right of who looks down: the inner side of a left foot
  shape.moveTo(-0.02, -0.5);
  shape.bezierCurveTo(0.13, -0.5, 0.14, -0.36, 0.11, -0.2);
  shape.bezierCurveTo(0.08, -0.02, 0.12, 0.08, 0.17, 0.2);
  shape.bezierCurveTo(0.21, 0.34, 0.19, 0.5, 0.07, 0.5);
  shape.bezierCurveTo(-0.08, 0.5, -0.2, 0.36, -0.2, 0.18);
  shape.bezierCurveTo(-0.2, 0.0, -0.15, -0.12, -0.15, -0.28);
  shape.bezierCurveTo(-0.15, -0.42, -0.1, -0.5, -0.02, -0.5);
  return new ShapeGeometry(shape, 8).rotateX(Math.PI / 2);
}

const SHAPES: Record<NonNullable<DotStyle["shape"]>, () => BufferGeometry> = {
  disc: () => new CircleGeometry(0.5, 32).rotateX(-Math.PI / 2),
  ring: () => new RingGeometry(0.36, 0.5, 40).rotateX(-Math.PI / 2),
  foot: sole,
  ball: () => new SphereGeometry(0.5, 20, 14),
};

/** One set of marks. */
export class Dots {
  style: DotStyle;
  #mesh: InstancedMesh<BufferGeometry, MeshBasicMaterial>;
  #shape: NonNullable<DotStyle["shape"]>;
  #parent: Group;

  constructor(parent: Group, points: ArrayLike<number>[], style: DotStyle, colour: (name: Colour) => Color) {
    this.#parent = parent;
    this.#shape = style.shape ?? "disc";
    this.style = style;
    this.#mesh = this.#make(points.length);
    this.set(points, style, colour);
  }

  set(points: ArrayLike<number>[], style: DotStyle, colour: (name: Colour) => Color): void {
    this.style = style;
    const shape = style.shape ?? "disc";
    if (shape !== this.#shape || points.length > this.#mesh.instanceMatrix.count) {
      this.#shape = shape;
      this.#drop();
      this.#mesh = this.#make(Math.ceil(points.length * 1.5));
    }
    const size = style.size ?? (shape === "foot" ? 0.24 : 0.09);
    const matrix = new Matrix4();
    const place = new Vector3();
    const turn = new Quaternion();
    const scale = new Vector3();
    points.forEach((point, index) => {
      place.set(point[0]!, point[1]!, point[2]!);
      turn.setFromAxisAngle(UP, style.headings?.[index] ?? 0);
      // seen from above with toes ahead, +X is to the left: the print is that of a left foot as it is
      scale.set(style.feet?.[index] === "right" ? size : -size, size, size);
      this.#mesh.setMatrixAt(index, matrix.compose(place, turn, scale));
    });
    this.#mesh.count = points.length;
    this.#mesh.instanceMatrix.needsUpdate = true;
    this.recolour(colour);
  }

  recolour(colour: (name: Colour) => Color): void {
    const names = this.style.colour;
    for (let index = 0; index < this.#mesh.count; index++) {
      this.#mesh.setColorAt(index, colour(Array.isArray(names) ? (names[index] ?? names[0] ?? "accent") : names));
    }
    if (this.#mesh.instanceColor) this.#mesh.instanceColor.needsUpdate = true;
    this.#mesh.material.opacity = this.style.opacity ?? 1;
  }

  dispose(): void {
    this.#drop();
  }

  #make(count: number): InstancedMesh<BufferGeometry, MeshBasicMaterial> {
    const material = new MeshBasicMaterial({ transparent: true, depthWrite: false, side: DoubleSide });
    const mesh = new InstancedMesh(SHAPES[this.#shape](), material, Math.max(count, 8));
    mesh.frustumCulled = false;
    mesh.renderOrder = 1;
    this.#parent.add(mesh);
    return mesh;
  }

  #drop(): void {
    this.#mesh.removeFromParent();
    this.#mesh.geometry.dispose();
    this.#mesh.material.dispose();
    this.#mesh.dispose();
  }
}

/** Many people in one draw call: one body for all of them, and a texture that tells where the joints of each are. */
import {
  BufferAttribute, type Camera, CircleGeometry, Color, DataTexture, FloatType, Frustum, InstancedBufferAttribute, InstancedBufferGeometry, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, NearestFilter,
  NoBlending, RGBAFormat, ShaderMaterial, Sphere, Vector3,
} from "three"; // prettier-ignore
import type { Motion, Pose } from "../motion/motion";
import { type Sizes, Skinning } from "../motion/skinning";
import type { Body } from "./body";
import { coarsened, type Surface } from "./coarse";
import type { Palette, Scenery } from "./palette";

/** Metres within which corners become one (0: all stay), for people who are seen from near by, and from so far that each is small. */
interface Cells {
  readonly near: number;
  readonly far: number;
}

/** The cells for so many people; plain: drawn by the processor, to which every corner counts. */
export function cellsFor(people: number, plain: boolean): Cells {
  if (!plain) return people <= 100 ? { near: 0, far: 0 } : { near: 0, far: 0.05 };
  return people <= 60 ? { near: 0.08, far: 0.1 } : { near: 0.1, far: 0.18 };
}

/** Metres from the camera beyond which nobody's elbow is seen. */
const FAR = 18;
/** Metres by which they are stouter, for a metre of their cells: fewer corners are thinner, and from afar an arm would be less than a pixel. */
const STOUTER = 0.2;
/** Metres about somebody's middle in which all of them is. */
const ABOUT = 1.4;

// lit at its corners: where the processor draws, a corner less is worth many pixels, and a pixel costs nothing
const VERTEX = `
uniform sampler2D joints;
uniform vec3 sky;
uniform vec3 ground;
uniform vec3 sun;
uniform vec3 towards;
attribute vec3 shade;
attribute vec4 skinIndex;
attribute vec4 skinWeight;
attribute vec3 own;
varying vec3 colour;

vec3 turned(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

void add(float joint, float weight, inout vec3 place, inout vec3 way) {
  int column = int(joint) * 2;
  vec4 q = texelFetch(joints, ivec2(column, gl_InstanceID), 0);
  // where to, and how large
  vec4 move = texelFetch(joints, ivec2(column + 1, gl_InstanceID), 0);
  place += weight * (move.w * turned(q, position) + move.xyz);
  way += weight * turned(q, normal);
}

void main() {
  vec3 place = vec3(0.0);
  vec3 way = vec3(0.0);
  add(skinIndex.x, skinWeight.x, place, way);
#if INFLUENCES > 1
  add(skinIndex.y, skinWeight.y, place, way);
  add(skinIndex.z, skinWeight.z, place, way);
  add(skinIndex.w, skinWeight.w, place, way);
#endif
  vec3 light = mix(ground, sky, 0.5 + 0.5 * way.y) + sun * max(dot(way, towards), 0.0);
  // nearly as screens want it, and much cheaper than exactly so
  colour = sqrt(own * shade * light);
  gl_Position = projectionMatrix * viewMatrix * vec4(place, 1.0);
}`;

const FRAGMENT = `
varying vec3 colour;
void main() {
  gl_FragColor = vec4(colour, 1.0);
}`;

/** Metres of a shadow, its sides, metres above the floor, and how dark it is. */
const SHADOW = { radius: 0.28, sides: 10, above: 0.012, strength: 0.22 };

const SUN = new Vector3(3.2, 6.0, 2.4).normalize();

export class Multitude {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  /** A disc below each, so that one sees where they stand: one more draw call. */
  readonly shadows: InstancedMesh<CircleGeometry, MeshBasicMaterial>;
  #skinning: Skinning;
  #texture: DataTexture;
  #data: Float32Array;
  #columns: number;
  #colours: InstancedBufferAttribute;
  #near: InstancedBufferGeometry;
  #far: InstancedBufferGeometry;
  #frustum = new Frustum();
  #matrix = new Matrix4();
  #sphere = new Sphere(new Vector3(), ABOUT);
  #shown = 0;

  /** most: people that there is room for. plain: drawn by the processor. */
  constructor(motion: Motion, body: Body, most: number, plain: boolean) {
    this.#skinning = new Skinning(motion, body.bind);
    this.#columns = motion.joints.length * 2;
    this.#colours = new InstancedBufferAttribute(new Float32Array(most * 3), 3);
    // looking a joint up is what a corner costs the processor
    const influences = plain ? 1 : 4;
    const { near, far } = cellsFor(most, plain);
    this.#near = geometryOf(body, near, 0, influences, this.#colours);
    this.#far = far === near ? this.#near : geometryOf(body, far, far > 0.1 ? STOUTER * far : 0, influences, this.#colours);
    this.#data = new Float32Array(this.#columns * 4 * most);
    this.#texture = new DataTexture(this.#data, this.#columns, most, RGBAFormat, FloatType);
    this.#texture.minFilter = this.#texture.magFilter = NearestFilter;
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      // after the floor, which writes no depth and has little to compare where it reaches beyond the camera
      transparent: true,
      blending: NoBlending,
      defines: { INFLUENCES: influences },
      uniforms: {
        joints: { value: this.#texture },
        sky: { value: new Color() },
        ground: { value: new Color() },
        sun: { value: new Color() },
        towards: { value: SUN },
      },
    });
    this.mesh = new Mesh(this.#near, material);
    this.mesh.frustumCulled = false;
    const disc = new CircleGeometry(SHADOW.radius, SHADOW.sides).rotateX(-Math.PI / 2);
    this.shadows = new InstancedMesh(disc, new MeshBasicMaterial({ color: 0, transparent: true, opacity: SHADOW.strength, depthWrite: false }), most);
    this.shadows.frustumCulled = false;
    // on the floor and what is drawn on it, below everybody
    this.shadows.renderOrder = -1;
  }

  /** Light as the scene has it. */
  light(scenery: Scenery, palette: Palette): void {
    const { sky, ground, sun } = this.mesh.material.uniforms;
    // a surface that scatters light gives a share of it to every direction
    const share = 1 / Math.PI;
    (sky!.value as Color).copy(palette.colour(scenery.sky)).multiplyScalar(scenery.hemisphere * share).addScalar(0.25 * share);
    (ground!.value as Color).copy(palette.colour(scenery.ground)).multiplyScalar(scenery.hemisphere * share).addScalar(0.25 * share);
    (sun!.value as Color).setScalar(scenery.sun * share);
  }

  /** Begin a picture from a camera that looks at a place so far away: nobody is shown yet. */
  begin(camera: Camera, away: number): void {
    this.#shown = 0;
    this.mesh.geometry = away > FAR ? this.#far : this.#near;
    camera.updateMatrixWorld();
    this.#frustum.setFromProjectionMatrix(this.#matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
  }

  /** Whether somebody can be seen. */
  sees(pose: Pose): boolean {
    this.#sphere.center.fromArray(pose.root);
    return this.#frustum.intersectsSphere(this.#sphere);
  }

  /** One more, if they can be seen; sizes: how they are built, floor: how high the ground is below them. */
  add(pose: Pose, colour: Color, sizes: Sizes | null = null, floor = 0): void {
    if (!this.sees(pose)) return;
    const row = this.#shown * this.#columns * 4;
    if (row >= this.#data.length) return;
    this.#skinning.write(pose, this.#data, row, sizes);
    this.shadows.setMatrixAt(this.#shown, this.#matrix.makeTranslation(pose.root[0]!, floor + SHADOW.above, pose.root[2]!));
    this.#colours.setXYZ(this.#shown, colour.r, colour.g, colour.b);
    this.#shown += 1;
  }

  /** All are there. */
  end(): void {
    this.mesh.geometry.instanceCount = this.#shown;
    this.mesh.visible = this.#shown > 0;
    this.shadows.count = this.#shown;
    this.shadows.visible = this.#shown > 0;
    this.shadows.instanceMatrix.needsUpdate = true;
    this.#texture.needsUpdate = true;
    this.#colours.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.shadows.removeFromParent();
    this.shadows.geometry.dispose();
    this.shadows.material.dispose();
    this.shadows.dispose();
    this.#near.dispose();
    this.#far.dispose();
    this.mesh.material.dispose();
    this.#texture.dispose();
  }
}

function geometryOf(body: Body, cell: number, stouter: number, influences: number, colours: InstancedBufferAttribute): InstancedBufferGeometry {
  const own = body.geometry;
  const array = <T>(name: string): T => own.getAttribute(name).array as T;
  const whole: Surface = {
    positions: array("position"),
    normals: array("normal"),
    shades: array("color"),
    joints: array("skinIndex"),
    weights: array("skinWeight"),
    faces: own.index!.array as Uint32Array,
  };
  const surface = cell > 0 ? coarsened(whole, cell, influences) : whole;
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(surface.positions.map((value, index) => value + stouter * surface.normals[index]!), 3));
  geometry.setAttribute("normal", new BufferAttribute(surface.normals, 3));
  geometry.setAttribute("shade", new BufferAttribute(surface.shades, 3));
  geometry.setAttribute("skinIndex", new BufferAttribute(surface.joints, 4));
  geometry.setAttribute("skinWeight", new BufferAttribute(surface.weights, 4));
  geometry.setAttribute("own", colours);
  geometry.setIndex(new BufferAttribute(surface.faces, 1));
  return geometry;
}

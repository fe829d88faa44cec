/** Many people in one draw call: one body for all of them, and a texture that tells where the joints of each are. */
import {
  BufferAttribute, Color, DataTexture, FloatType, InstancedBufferGeometry, Mesh, NearestFilter, NoBlending, RGBAFormat, ShaderMaterial, Vector3,
} from "three"; // prettier-ignore
import type { Motion, Pose } from "../motion/motion";
import { Skinning, STRIDE } from "../motion/skinning";
import type { Body } from "./body";
import { coarsened, type Surface } from "./coarse";
import type { Palette, Scenery } from "./palette";

/** Metres within which corners become one: for few people at a graphics card, for many, and where the processor draws. */
const CELLS = { fine: 0, middle: 0.05, rough: 0.085 };
/** People up to whom each is drawn with all corners. */
const FEW = 60;

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
varying vec3 colour;

vec3 turned(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

void add(float joint, float weight, inout vec3 place, inout vec3 way) {
  if (weight <= 0.0) return;
  int column = int(joint) * 2;
  vec4 q = texelFetch(joints, ivec2(column, gl_InstanceID), 0);
  vec3 move = texelFetch(joints, ivec2(column + 1, gl_InstanceID), 0).xyz;
  place += weight * (turned(q, position) + move);
  way += weight * turned(q, normal);
}

void main() {
  vec3 place = vec3(0.0);
  vec3 way = vec3(0.0);
  add(skinIndex.x, skinWeight.x, place, way);
  add(skinIndex.y, skinWeight.y, place, way);
  add(skinIndex.z, skinWeight.z, place, way);
  add(skinIndex.w, skinWeight.w, place, way);
  way = normalize(way);
  vec3 own = texelFetch(joints, ivec2(COLUMNS - 1, gl_InstanceID), 0).rgb;
  vec3 light = mix(ground, sky, 0.5 + 0.5 * way.y) + sun * max(dot(way, towards), 0.0);
  colour = pow(min(own * shade * light, vec3(1.0)), vec3(1.0 / 2.2));
  gl_Position = projectionMatrix * viewMatrix * vec4(place, 1.0);
}`;

const FRAGMENT = `
varying vec3 colour;
void main() {
  gl_FragColor = vec4(colour, 1.0);
}`;

const SUN = new Vector3(3.2, 6.0, 2.4).normalize();

export class Multitude {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  #skinning: Skinning;
  #texture: DataTexture;
  #data: Float32Array;
  #columns: number;
  #shown = 0;

  /** most: people that there is room for. plain: drawn by the processor. */
  constructor(motion: Motion, body: Body, most: number, plain: boolean) {
    this.#skinning = new Skinning(motion, body.bind);
    this.#columns = motion.joints.length * 2 + 1;
    this.#data = new Float32Array(this.#columns * 4 * most);
    this.#texture = new DataTexture(this.#data, this.#columns, most, RGBAFormat, FloatType);
    this.#texture.minFilter = this.#texture.magFilter = NearestFilter;
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      // after the floor, which writes no depth and has little to compare where it reaches beyond the camera
      transparent: true,
      blending: NoBlending,
      defines: { COLUMNS: this.#columns },
      uniforms: {
        joints: { value: this.#texture },
        sky: { value: new Color() },
        ground: { value: new Color() },
        sun: { value: new Color() },
        towards: { value: SUN },
      },
    });
    const cell = plain ? CELLS.rough : most > FEW ? CELLS.middle : CELLS.fine;
    this.mesh = new Mesh(geometryOf(body, cell), material);
    this.mesh.frustumCulled = false;
  }

  /** Corners of each person. */
  get corners(): number {
    return this.mesh.geometry.getAttribute("position").count;
  }

  /** How many are shown. */
  get shown(): number {
    return this.#shown;
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

  /** Begin a picture: nobody is shown yet. */
  begin(): void {
    this.#shown = 0;
  }

  /** One more. */
  add(pose: Pose, colour: Color): void {
    const row = this.#shown * this.#columns * 4;
    if (row >= this.#data.length) return;
    this.#skinning.write(pose, this.#data, row);
    const last = row + this.#skinning.joints * STRIDE;
    this.#data[last] = colour.r;
    this.#data[last + 1] = colour.g;
    this.#data[last + 2] = colour.b;
    this.#shown += 1;
  }

  /** All are there. */
  end(): void {
    this.mesh.geometry.instanceCount = this.#shown;
    this.mesh.visible = this.#shown > 0;
    this.#texture.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.#texture.dispose();
  }
}

function geometryOf(body: Body, cell: number): InstancedBufferGeometry {
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
  const surface = cell > 0 ? coarsened(whole, cell) : whole;
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(surface.positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(surface.normals, 3));
  geometry.setAttribute("shade", new BufferAttribute(surface.shades, 3));
  geometry.setAttribute("skinIndex", new BufferAttribute(surface.joints, 4));
  geometry.setAttribute("skinWeight", new BufferAttribute(surface.weights, 4));
  geometry.setIndex(new BufferAttribute(surface.faces, 1));
  return geometry;
}

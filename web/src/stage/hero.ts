/** Somebody's own character: its file as three has it, the poses of its nodes, and a figure of it on the stage. */
import { Box3, Group, type Mesh, type Object3D, type SkinnedMesh, Vector3 } from "three";
import type { Pack } from "../api/pack";
import type { FitPack, MovedPack } from "../api/types";
import type { Motion } from "../motion/motion";
import { multiply, slerp } from "../motion/quaternion";

/** A character that the stage shows instead of mannequins. */
export interface Hero {
  readonly shape: HeroShape;
  /** The poses of a motion on it; null where it cannot be had, and the mannequin is shown. */
  poses(motion: Motion): Promise<HeroMotion | null>;
}

/** A moment of somebody whom a character follows: when, and where the joints of their body are, as `Motion.forward` has them. */
export interface Moment {
  readonly time: number;
  readonly positions: Float32Array;
  readonly world: Float32Array;
}

/** How a character moves: as a motion was put on it, or after somebody's poses as they come. */
export interface HeroMotion {
  /** the node of its file that each joint is */
  readonly nodes: readonly number[];
  /** how large it is shown: as whoever did the motion, so that feet stand on the footprints, and hands reach the target */
  readonly size: number;
  /** whether it follows poses that are no moments of a motion */
  readonly follows: boolean;
  pose(moment: Moment, joints: readonly (Object3D | undefined)[], group: Group): void;
}

/** The motion of a pack. */
export function heroMotion(pack: Pack<MovedPack | FitPack>): HeroMotion {
  return pack.facts.kind === "fit" ? new HeroFit(pack as Pack<FitPack>) : new HeroPoses(pack as Pack<MovedPack>);
}

/** A character's file, parsed once; figures are made of it. */
export class HeroShape {
  #scene: Object3D;
  /** the glTF node that each object is, in the order in which the scene is gone through */
  #nodes: (number | undefined)[] = [];

  private constructor(scene: Object3D, nodeOf: (object: Object3D) => number | undefined) {
    this.#scene = scene;
    scene.traverse((object) => {
      this.#nodes.push(nodeOf(object));
      if (!(object as Mesh).isMesh) return;
      object.castShadow = true;
      object.receiveShadow = true;
      // a skin is elsewhere than the box of its bind pose says
      if ((object as SkinnedMesh).isSkinnedMesh) object.frustumCulled = false;
    });
  }

  /** The character of a GLB file. The loader comes when it is first needed: most pages never do. */
  static async of(file: ArrayBuffer): Promise<HeroShape> {
    const { GLTFLoader } = await import("three/examples/jsm/loaders/GLTFLoader.js");
    const loader = new GLTFLoader();
    // few files need it
    if (isPacked(file)) loader.setMeshoptDecoder((await import("three/examples/jsm/libs/meshopt_decoder.module.js")).MeshoptDecoder);
    const found = await loader.parseAsync(file, "").catch((error: unknown) => {
      throw new Error(told(error));
    });
    return new HeroShape(found.scene, (object) => found.parser.associations.get(object)?.nodes);
  }

  /** How tall it is as its file has it, in metres. */
  height(): number {
    this.#scene.updateMatrixWorld(true);
    return new Box3().setFromObject(this.#scene).getSize(new Vector3()).y;
  }

  /** One of it, whose nodes can be posed: copies share meshes, materials and textures. */
  async figure(): Promise<HeroFigure> {
    const { clone } = await import("three/examples/jsm/utils/SkeletonUtils.js");
    const scene = clone(this.#scene);
    const nodes = new Map<number, Object3D>();
    let at = 0;
    scene.traverse((object) => {
      const node = this.#nodes[at++];
      // a mesh of several parts is a group with the node's number, and its parts have it too
      if (node !== undefined && !nodes.has(node)) nodes.set(node, object);
    });
    return new HeroFigure(scene, nodes);
  }

  /** Free what the graphics card holds of it. */
  dispose(): void {
    this.#scene.traverse((object) => {
      const mesh = object as Mesh;
      if (!mesh.isMesh) return;
      mesh.geometry.dispose();
      for (const material of [mesh.material].flat()) {
        for (const value of Object.values(material)) if (value && typeof value === "object" && "isTexture" in value) (value as { dispose(): void }).dispose();
        material.dispose();
      }
    });
  }
}

/** Poses of a character's nodes over time, as the server has put a motion on it. */
export class HeroPoses implements HeroMotion {
  readonly nodes: readonly number[];
  readonly size: number;
  readonly follows = false;
  readonly #facts: MovedPack;
  readonly #rotations: Int16Array;
  readonly #translations: Float32Array;
  readonly #scale: number;
  readonly #turn = new Float32Array(4);

  constructor(pack: Pack<MovedPack>) {
    this.#facts = pack.facts;
    this.nodes = pack.facts.nodes;
    this.size = pack.facts.size;
    this.#rotations = pack.arrays["rotations"] as Int16Array;
    this.#translations = pack.arrays["translations"] as Float32Array;
    this.#scale = pack.scale("rotations");
  }

  /** Turn and move the objects of the joints as they are at a time, between frames by slerp. */
  pose({ time }: Moment, joints: readonly (Object3D | undefined)[]): void {
    const { fps, frames, moving } = this.#facts;
    const at = Math.min(Math.max(time * fps, 0), frames - 1);
    const first = Math.floor(at + 1e-4);
    const second = Math.min(first + 1, frames - 1);
    const t = Math.max(at - first, 0);
    const [turn, count] = [this.#turn, joints.length];
    for (let joint = 0; joint < count; joint++) {
      slerp(this.#rotations, (first * count + joint) * 4, this.#rotations, (second * count + joint) * 4, this.#scale, t, turn, 0);
      joints[joint]?.quaternion.set(turn[1]!, turn[2]!, turn[3]!, turn[0]!);
    }
    moving.forEach((joint, index) => {
      const a = (first * moving.length + index) * 3;
      const b = (second * moving.length + index) * 3;
      const mixed = (axis: number): number => this.#translations[a + axis]! * (1 - t) + this.#translations[b + axis]! * t;
      joints[joint]?.position.set(mixed(0), mixed(1), mixed(2));
    });
  }
}

/** A character that follows somebody's joints, pose by pose. */
export class HeroFit implements HeroMotion {
  readonly nodes: readonly number[];
  readonly size: number;
  readonly follows = true;
  readonly #facts: FitPack;
  readonly #turns: Float32Array;
  readonly #world: Float32Array;
  readonly #back = new Float32Array(4);
  readonly #own = new Float32Array(4);
  readonly #place = new Vector3();

  constructor(pack: Pack<FitPack>) {
    this.#facts = pack.facts;
    this.nodes = pack.facts.nodes;
    this.size = pack.facts.size;
    this.#turns = pack.arrays["turns"] as Float32Array;
    this.#world = new Float32Array(this.nodes.length * 4);
  }

  pose({ positions, world: led }: Moment, joints: readonly (Object3D | undefined)[], group: Group): void {
    const { parents, leads, tied, ties, over, size } = this.#facts;
    const [world, back, own] = [this.#world, this.#back, this.#own];
    for (let joint = 0; joint < joints.length; joint++) {
      const [lead, parent] = [leads[joint]!, parents[joint]!];
      const [above, at]: [ArrayLike<number>, number] = parent < 0 ? [over, 0] : [world, parent * 4];
      if (lead >= 0) {
        multiply(led, lead * 4, this.#turns, joint * 4, world, joint * 4);
        for (let part = 0; part < 4; part++) back[part] = part ? -above[at + part]! : above[at]!;
        multiply(back, 0, world, joint * 4, own, 0);
      } else {
        own.set(this.#turns.subarray(joint * 4, joint * 4 + 4));
        multiply(above, at, own, 0, world, joint * 4);
      }
      joints[joint]?.quaternion.set(own[1]!, own[2]!, own[3]!, own[0]!);
    }
    tied.forEach((joint, index) => {
      const [object, lead, tie] = [joints[joint], leads[joint]! * 3, ties[index]!];
      if (!object?.parent) return;
      this.#place.set(positions[lead]! / size + tie[0], positions[lead + 1]! / size + tie[1], positions[lead + 2]! / size + tie[2]);
      object.parent.updateWorldMatrix(true, false);
      object.position.copy(object.parent.worldToLocal(group.localToWorld(this.#place)));
    });
  }
}

/** A character on the stage. */
export class HeroFigure {
  readonly group = new Group();
  readonly #nodes: ReadonlyMap<number, Object3D>;
  #motion: HeroMotion | null = null;
  #joints: (Object3D | undefined)[] = [];

  constructor(scene: Object3D, nodes: ReadonlyMap<number, Object3D>) {
    this.group.add(scene);
    this.#nodes = nodes;
  }

  /** Whether it knows how to stand. */
  get isPosed(): boolean {
    return this.#motion !== null;
  }

  /** Whether it follows poses that are no moments of a motion. */
  get follows(): boolean {
    return this.#motion?.follows ?? false;
  }

  /** Move so from now on. */
  move(motion: HeroMotion): void {
    this.#motion = motion;
    this.#joints = motion.nodes.map((node) => this.#nodes.get(node));
    this.group.scale.setScalar(motion.size);
  }

  pose(moment: Moment): void {
    this.#motion?.pose(moment, this.#joints, this.group);
  }

  dispose(): void {
    this.group.removeFromParent();
    this.group.traverse((object) => (object as SkinnedMesh).isSkinnedMesh && (object as SkinnedMesh).skeleton.dispose());
  }
}

/** Whether a GLB file says that it is packed by meshopt; its JSON comes first, and tells it near its beginning or its end. */
function isPacked(file: ArrayBuffer): boolean {
  const json = new Uint8Array(file, 0, Math.min(file.byteLength, 20 + (file.byteLength < 20 ? 0 : new DataView(file).getUint32(12, true))));
  return new TextDecoder().decode(json).includes("EXT_meshopt_compression");
}

/** What a loader says, as a sentence for people. */
function told(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (/draco|ktx2/i.test(text)) return "Its mesh or its textures are compressed, which the stage cannot show: export the character without compression. Exports with it work all the same.";
  return text.replace(/^THREE\.GLTFLoader: /, "");
}

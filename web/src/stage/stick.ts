/** The stick figure: slim capsules for bones, dots for joints, left and right in the colours of the feet. */
import { CapsuleGeometry, Color, Group, InstancedMesh, Matrix4, MeshStandardMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import type { Motion } from "../motion/motion";
import { rotateOnto } from "../motion/quaternion";

const BONE = 0.016;
const JOINT = 0.026;
const HEAD = 0.095;
const UP = new Vector3(0, 1, 0);

interface Ends {
  /** joint where the bone begins */
  from: number;
  /** joint where it ends; −1: at a tip */
  to: number;
  tip: number;
}

export interface StickColours {
  left: Color;
  right: Color;
  middle: Color;
}

export class Stick {
  readonly group = new Group();
  #motion: Motion;
  #bones: Ends[] = [];
  #sides: ("left" | "right" | null)[];
  #material = new MeshStandardMaterial({ roughness: 0.7, metalness: 0 });
  #tubes: InstancedMesh;
  #dots: InstancedMesh;
  #head: Ends | null;
  #tip = new Float32Array(3);
  #a = new Vector3();
  #b = new Vector3();
  #middle = new Vector3();
  #scale = new Vector3();
  #turn = new Quaternion();
  #matrix = new Matrix4();

  constructor(motion: Motion) {
    this.#motion = motion;
    this.#sides = motion.sides();
    motion.parents.forEach((parent, joint) => {
      if (parent >= 0) this.#bones.push({ from: parent, to: joint, tip: -1 });
    });
    motion.tips.parents.forEach((parent, tip) => this.#bones.push({ from: parent, to: -1, tip }));
    this.#tubes = new InstancedMesh(new CapsuleGeometry(1, 1, 4, 12), this.#material, Math.max(this.#bones.length, 1));
    // one more than there are joints: the head
    this.#dots = new InstancedMesh(new SphereGeometry(1, 20, 14), this.#material, motion.joints.length + 1);
    this.#head = this.#bones.find((bone) => bone.to < 0 && bone.from === motion.roles["head"]) ?? null;
    this.#dots.count = motion.joints.length + (this.#head ? 1 : 0);
    this.#tubes.count = this.#bones.length;
    for (const mesh of [this.#tubes, this.#dots]) {
      mesh.frustumCulled = false;
      mesh.castShadow = true;
      this.group.add(mesh);
    }
  }

  /** Take a pose: world positions (J·3) and world rotations (J·4) of the joints. */
  pose(positions: Float32Array, world: Float32Array): void {
    const size = this.#motion.height / 1.75;
    this.#bones.forEach((bone, index) => {
      this.#a.fromArray(positions, bone.from * 3);
      if (bone.to >= 0) this.#b.fromArray(positions, bone.to * 3);
      else {
        const offset = this.#motion.tips.offsets[bone.tip]!;
        rotateOnto(world, bone.from * 4, offset[0]!, offset[1]!, offset[2]!, positions, bone.from * 3, this.#tip, 0);
        this.#b.fromArray(this.#tip);
      }
      this.#middle.addVectors(this.#a, this.#b).multiplyScalar(0.5);
      this.#b.sub(this.#a);
      const length = this.#b.length();
      if (length > 1e-6) this.#turn.setFromUnitVectors(UP, this.#b.divideScalar(length));
      const radius = BONE * size;
      // the capsule's straight part is as long as its radius is wide: scaled, it spans the bone
      this.#scale.set(radius, Math.max(length, 1e-4) / 3, radius);
      this.#tubes.setMatrixAt(index, this.#matrix.compose(this.#middle, this.#turn, this.#scale));
    });
    this.#turn.identity();
    this.#scale.setScalar(JOINT * size);
    for (let joint = 0; joint < this.#motion.joints.length; joint++) {
      this.#a.fromArray(positions, joint * 3);
      this.#dots.setMatrixAt(joint, this.#matrix.compose(this.#a, this.#turn, this.#scale));
    }
    if (this.#head) this.#poseHead(positions, world, size);
    this.#tubes.instanceMatrix.needsUpdate = true;
    this.#dots.instanceMatrix.needsUpdate = true;
  }

  /** A ball between the head's joint and the crown. */
  #poseHead(positions: Float32Array, world: Float32Array, size: number): void {
    const { from, tip } = this.#head!;
    const [x, y, z] = this.#motion.tips.offsets[tip] as [number, number, number];
    rotateOnto(world, from * 4, x * 0.55, y * 0.55, z * 0.55, positions, from * 3, this.#tip, 0);
    this.#a.fromArray(this.#tip);
    this.#scale.setScalar(HEAD * size);
    this.#dots.setMatrixAt(this.#motion.joints.length, this.#matrix.compose(this.#a, this.#turn, this.#scale));
  }

  /** Colours, and opacity: below 1 it is a ghost. */
  style(colours: StickColours, opacity: number): void {
    const of = (joint: number): Color => colours[this.#sides[joint] ?? "middle"];
    this.#bones.forEach((bone, index) => this.#tubes.setColorAt(index, of(bone.to >= 0 ? bone.to : bone.from)));
    this.#motion.joints.forEach((_, joint) => this.#dots.setColorAt(joint, of(joint)));
    this.#dots.setColorAt(this.#motion.joints.length, colours.middle);
    if (this.#tubes.instanceColor) this.#tubes.instanceColor.needsUpdate = true;
    if (this.#dots.instanceColor) this.#dots.instanceColor.needsUpdate = true;
    const ghost = opacity < 1;
    if (this.#material.transparent !== ghost) {
      this.#material.transparent = ghost;
      this.#material.needsUpdate = true;
    }
    this.#material.opacity = opacity;
    for (const mesh of [this.#tubes, this.#dots]) mesh.castShadow = !ghost;
  }

  dispose(): void {
    this.#material.dispose();
    for (const mesh of [this.#tubes, this.#dots]) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
  }
}

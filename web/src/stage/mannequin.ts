/** A body in a pose: a skinned mesh on bones of its own. */
import { Bone, Color, Group, type Material, MeshStandardMaterial, type Object3D, Skeleton, SkinnedMesh } from "three";
import type { Motion, Pose } from "../motion/motion";
import type { Body } from "./body";

export class Mannequin {
  readonly group = new Group();
  readonly body: Body;
  #bones: Bone[] = [];
  #skeleton: Skeleton;
  #material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.62, metalness: 0 });
  // a ghost hides its own far side: its depth is drawn first, without colour
  #depth = new MeshStandardMaterial({ colorWrite: false });
  #mesh: SkinnedMesh;
  #front: SkinnedMesh;

  constructor(motion: Motion, body: Body) {
    this.body = body;
    this.#bones = motion.joints.map((_, joint) => bone(motion, body, joint));
    motion.parents.forEach((parent, joint) => (parent < 0 ? this.group : this.#bones[parent]!).add(this.#bones[joint]!));
    this.group.updateMatrixWorld(true);
    this.#skeleton = new Skeleton(this.#bones);
    this.#mesh = this.#hang(this.#material);
    this.#mesh.castShadow = true;
    this.#mesh.receiveShadow = true;
    this.#front = this.#hang(this.#depth);
    this.#front.visible = false;
    // bones are posed in the frame of the motion, wherever the group stands
    this.group.traverse((object: Object3D) => (object.frustumCulled = false));
  }

  /** Take a pose. */
  pose(pose: Pose): void {
    const { root, rotations, translations } = pose;
    for (let joint = 0; joint < this.#bones.length; joint++) {
      const one = this.#bones[joint]!;
      const q = joint * 4;
      one.quaternion.set(rotations[q + 1]!, rotations[q + 2]!, rotations[q + 3]!, rotations[q]!);
      if (translations && joint > 0) one.position.set(translations[joint * 3]!, translations[joint * 3 + 1]!, translations[joint * 3 + 2]!);
    }
    this.#bones[0]!.position.set(root[0]!, root[1]!, root[2]!);
  }

  /** Colour and opacity; below 1 it is a ghost, which casts no shadow. */
  style(colour: Color, opacity: number): void {
    this.#material.color.copy(colour);
    const ghost = opacity < 1;
    if (this.#material.transparent !== ghost) {
      this.#material.transparent = ghost;
      this.#material.needsUpdate = true;
    }
    this.#material.opacity = opacity;
    this.#mesh.castShadow = !ghost;
    this.#mesh.receiveShadow = !ghost;
    this.#mesh.renderOrder = ghost ? 3 : 0;
    this.#front.visible = ghost;
    this.#front.renderOrder = 2;
  }

  dispose(): void {
    // the geometry is the body's, which others may wear
    this.#material.dispose();
    this.#depth.dispose();
    this.#skeleton.dispose();
  }

  #hang(material: Material): SkinnedMesh {
    const mesh = new SkinnedMesh(this.body.geometry, material);
    this.group.add(mesh);
    mesh.bind(this.#skeleton, mesh.matrixWorld);
    return mesh;
  }
}

function bone(motion: Motion, body: Body, joint: number): Bone {
  const made = new Bone();
  const offset = motion.offsets[joint]!;
  made.position.set(offset[0]!, offset[1]!, offset[2]!);
  const q = joint * 4;
  made.quaternion.set(body.bind[q + 1]!, body.bind[q + 2]!, body.bind[q + 3]!, body.bind[q]!);
  return made;
}

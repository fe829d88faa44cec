// node three_check.mjs MODULES FILE FRAMES…: the file's first clip as three.js plays it, as one JSON object: the names of all bones, the
// clip's name and length, and for each frame (of extras.fps) the world position of every bone and the bounds of the skinned mesh.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, file, ...frames] = process.argv.slice(2);
const from = (name) => import(pathToFileURL(resolve(modules, "three", name)).href);
const THREE = await from("build/three.module.js");
const { GLTFLoader } = await from("examples/jsm/loaders/GLTFLoader.js");

const bytes = readFileSync(file);
const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const gltf = await new GLTFLoader().parseAsync(data, "");
const skinned = [];
gltf.scene.traverse((object) => object.isSkinnedMesh && skinned.push(object));
const bones = [...new Set(skinned.flatMap((mesh) => mesh.skeleton.bones))];
const clip = gltf.animations[0];
const fps = gltf.parser.json.animations[0].extras.fps;
const mixer = new THREE.AnimationMixer(gltf.scene);
mixer.clipAction(clip).setLoop(THREE.LoopOnce).play().clampWhenFinished = true;

const shown = frames.map(Number).map((frame) => {
  mixer.setTime(frame / fps);
  gltf.scene.updateMatrixWorld(true);
  const bounds = new THREE.Box3();
  for (const mesh of skinned) {
    mesh.skeleton.update();
    mesh.computeBoundingBox();
    bounds.union(mesh.boundingBox.clone().applyMatrix4(mesh.matrixWorld));
  }
  return {
    positions: bones.map((bone) => bone.getWorldPosition(new THREE.Vector3()).toArray()),
    low: bounds.min.toArray(),
    high: bounds.max.toArray(),
  };
});
const names = bones.map((bone) => bone.userData.name ?? bone.name);
console.log(JSON.stringify({ names, clip: clip.name, seconds: clip.duration, meshes: skinned.length, frames: shown }));

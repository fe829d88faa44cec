// What a web page does with our file: load it with GLTFLoader, play its first clip, draw it with WebGL. Tests call window.stage.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

const canvas = document.querySelector("canvas");
const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
renderer.setSize(canvas.width, canvas.height, false);
renderer.shadowMap.enabled = true;

const scene = new THREE.Scene();
scene.background = new THREE.Color(0xdfe6ee);
scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8f98, 1.6));
const sun = new THREE.DirectionalLight(0xffffff, 2.2);
sun.castShadow = true;
sun.shadow.mapSize.set(1024, 1024);
scene.add(sun, sun.target);

// A grid every half metre, of short lines: software WebGL drops those that reach behind the camera.
const ends = [];
const [half, step] = [16, 0.5];
for (let a = -half; a <= half; a += step) {
  for (let b = -half; b < half; b += step) ends.push(a, 0, b, a, 0, b + step, b, 0, a, b + step, 0, a);
}
const lines = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(ends, 3));
const floor = new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ color: 0xaeb9c5 }));
const shade = new THREE.Mesh(new THREE.PlaneGeometry(2 * half, 2 * half), new THREE.ShadowMaterial({ opacity: 0.3 }));
shade.rotation.x = -Math.PI / 2;
shade.receiveShadow = true;
scene.add(floor, shade);
const camera = new THREE.PerspectiveCamera(35, canvas.width / canvas.height, 0.05, 100);

let model, mixer, fps, skinned, bones;

// Load a file and say what it holds.
async function load(url) {
  if (model) scene.remove(model);
  const gltf = await new GLTFLoader().loadAsync(url);
  model = gltf.scene;
  skinned = [];
  model.traverse((object) => {
    if (!object.isSkinnedMesh) return;
    object.castShadow = true;
    // three bounds a skinned mesh by the pose it first draws, so a body that walks away from there would vanish
    object.frustumCulled = false;
    skinned.push(object);
  });
  bones = skinned[0].skeleton.bones;
  const clip = gltf.animations[0];
  fps = gltf.parser.json.animations[0].extras.fps;
  mixer = new THREE.AnimationMixer(model);
  mixer.clipAction(clip).setLoop(THREE.LoopOnce).play().clampWhenFinished = true;
  scene.add(model);
  return {
    names: bones.map((bone) => bone.userData.name ?? bone.name),
    bones: bones.filter((bone) => bone.isBone).length,
    skinned: skinned.length,
    triangles: skinned.reduce((sum, mesh) => sum + mesh.geometry.index.count / 3, 0),
    clips: gltf.animations.map(({ name, duration }) => ({ name, duration })),
    fps,
  };
}

function show(frame) {
  mixer.setTime(frame / fps);
  model.updateMatrixWorld(true);
}

const places = () => bones.map((bone) => bone.getWorldPosition(new THREE.Vector3()));

// World positions of all bones at each frame.
function positions(frames) {
  return frames.map((frame) => {
    show(frame);
    return places().map((place) => place.toArray());
  });
}

// Look at the body from three quarters, wherever it stands: angle in degrees about the vertical, 0 from +Z.
function aim(angle, distance) {
  const middle = new THREE.Box3().setFromPoints(places()).getCenter(new THREE.Vector3());
  const about = THREE.MathUtils.degToRad(angle);
  camera.position.set(Math.sin(about), 0.3, Math.cos(about)).multiplyScalar(distance).add(middle);
  camera.lookAt(middle);
  camera.updateMatrixWorld();
  sun.position.copy(middle).add(new THREE.Vector3(2, 4, 3));
  sun.target.position.copy(middle);
}

function pixels() {
  renderer.render(scene, camera);
  const gl = renderer.getContext();
  const data = new Uint8Array(4 * canvas.width * canvas.height);
  gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, data);
  return data;
}

// Draw a frame. The body's pixels are those that differ from the same picture without it (shadows apart): their share of the
// picture, and for each bone whether it lies on one.
function draw(frame, { angle = 35, distance = 4.2 } = {}) {
  show(frame);
  aim(angle, distance);
  shade.visible = false;
  const full = pixels();
  model.visible = false;
  const empty = pixels();
  model.visible = shade.visible = true;
  const { width, height } = canvas;
  const body = new Uint8Array(width * height);
  for (let at = 0; at < body.length; at++) {
    const off = [0, 1, 2].map((channel) => Math.abs(full[4 * at + channel] - empty[4 * at + channel]));
    body[at] = Math.max(...off) > 8 ? 1 : 0;
  }
  const covered = places().map((place) => {
    const { x, y } = place.project(camera);
    return body[Math.floor(((y + 1) / 2) * height) * width + Math.floor(((x + 1) / 2) * width)] === 1;
  });
  renderer.render(scene, camera);
  return { share: body.reduce((sum, one) => sum + one, 0) / body.length, covered };
}

window.stage = { load, positions, draw };

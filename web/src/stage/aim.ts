/** From places of the window to places of the stage, and back. */
import { type Camera, Plane, Raycaster, Vector2, Vector3 } from "three";
import type { Place } from "./handles";

// metres from the camera beyond which nobody means a place of the floor
const FARTHEST = 150;

export class Aim {
  #canvas: HTMLCanvasElement;
  #camera: Camera;
  #ray = new Raycaster();
  #plane = new Plane(new Vector3(0, 1, 0), 0);
  #hit = new Vector3();
  #ndc = new Vector2();

  constructor(canvas: HTMLCanvasElement, camera: Camera) {
    this.#canvas = canvas;
    this.#camera = camera;
  }

  /** The place on the floor, or at a height above it, under a place of the window; null where there is none. */
  floor(clientX: number, clientY: number, height = 0): { x: number; z: number } | null {
    this.#point(clientX, clientY);
    this.#plane.set(this.#plane.normal.set(0, 1, 0), -height);
    const hit = this.#ray.ray.intersectPlane(this.#plane, this.#hit);
    if (!hit || hit.distanceTo(this.#camera.position) > FARTHEST) return null;
    return { x: hit.x, z: hit.z };
  }

  /** How high above or below a place of the stage a place of the window is; null from straight above. */
  height(clientX: number, clientY: number, place: Place): number | null {
    this.#point(clientX, clientY);
    // the vertical plane through the place that faces the camera
    const normal = this.#camera.getWorldDirection(new Vector3());
    normal.y = 0;
    if (normal.lengthSq() < 1e-4) return null;
    this.#plane.setFromNormalAndCoplanarPoint(normal.normalize(), new Vector3(place.x, place.y, place.z));
    return this.#ray.ray.intersectPlane(this.#plane, this.#hit)?.y ?? null;
  }

  /** Where a place of the stage is in the window, in pixels; null behind the camera. */
  screen(place: ArrayLike<number>): { x: number; y: number } | null {
    const p = this.#hit.set(place[0]!, place[1]!, place[2]!).project(this.#camera);
    if (p.z > 1) return null;
    const box = this.#canvas.getBoundingClientRect();
    return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
  }

  #point(clientX: number, clientY: number): void {
    const box = this.#canvas.getBoundingClientRect();
    this.#ndc.set(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
    this.#ray.setFromCamera(this.#ndc, this.#camera);
  }
}

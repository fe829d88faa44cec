/** The target plane on the stage: a translucent sheet before the figure, shaded by reliability, that can be clicked. */

import { CanvasTexture, DoubleSide, Mesh, MeshBasicMaterial, PlaneGeometry, Plane, Raycaster, SRGBColorSpace, Vector2, Vector3 } from "three";
import type { Stage } from "../../stage/stage";
import { covered, type Extent, type Reliability, shaded, type Spot } from "./plane";

const SHEET = "strike.sheet";
const STRENGTH = 0.55;
/** Pixels that a click may wander; what moves further turns the camera. */
const STILL = 4;

/** The sheet, made anew for each space and theme. */
export class Sheet {
  private mesh: Mesh<PlaneGeometry, MeshBasicMaterial> | null = null;

  constructor(private readonly stage: Stage) {}

  /** Shade it by a grid; null takes it away. */
  shade(grid: Reliability | null, colour: readonly number[]): void {
    this.dispose();
    if (!grid) return;
    const { low, high } = covered(grid);
    const canvas = new OffscreenCanvas(grid.columns, grid.rows);
    canvas.getContext("2d")?.putImageData(new ImageData(shaded(grid, colour, STRENGTH), grid.columns, grid.rows), 0, 0);
    const map = new CanvasTexture(canvas);
    map.colorSpace = SRGBColorSpace;
    const material = new MeshBasicMaterial({ map, transparent: true, depthWrite: false, side: DoubleSide, toneMapped: false });
    this.mesh = new Mesh(new PlaneGeometry(high[0] - low[0], high[1] - low[1]), material);
    // the picture is as seen from behind: a plane that faces -Z
    this.mesh.rotation.y = Math.PI;
    this.stage.mesh(SHEET, this.mesh);
  }

  /** Put it before the figure: what it covers as it is seen, so many metres ahead. */
  place(extent: Extent, ahead: number, mirrored: boolean): void {
    if (!this.mesh) return;
    this.mesh.position.set((extent.low[0] + extent.high[0]) / 2, (extent.low[1] + extent.high[1]) / 2, ahead);
    this.mesh.scale.x = mirrored ? -1 : 1;
    this.stage.requestRender();
  }

  dispose(): void {
    this.stage.mesh(SHEET, null);
    this.mesh?.geometry.dispose();
    this.mesh?.material.map?.dispose();
    this.mesh?.material.dispose();
    this.mesh = null;
  }
}

/** Be told of clicks on the plane so many metres ahead, within what it covers; returns what ends it. */
export function onClick(stage: Stage, where: () => { extent: Extent; ahead: number } | null, aim: (spot: Spot) => void): () => void {
  const stop = new AbortController();
  const ray = new Raycaster();
  const hit = new Vector3();
  let down: { x: number; y: number } | null = null;
  const listen = { signal: stop.signal };
  stage.canvas.addEventListener("pointerdown", (event) => (down = event.button === 0 ? { x: event.clientX, y: event.clientY } : null), listen);
  stage.canvas.addEventListener(
    "pointerup",
    (event) => {
      const plane = where();
      if (!down || !plane || Math.hypot(event.clientX - down.x, event.clientY - down.y) > STILL) return;
      const box = stage.canvas.getBoundingClientRect();
      ray.setFromCamera(new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2), stage.camera.camera);
      if (!ray.ray.intersectPlane(new Plane(new Vector3(0, 0, 1), -plane.ahead), hit)) return;
      const { low, high } = plane.extent;
      if (hit.x >= low[0] && hit.x <= high[0] && hit.y >= low[1] && hit.y <= high[1]) aim([hit.x, hit.y]);
    },
    listen,
  );
  return () => stop.abort();
}

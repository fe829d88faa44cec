/** Who gets the pointer: handles first, then the drawing tool, then the camera. */
import type { Camera } from "three";
import { type Handles, type Place } from "./handles";

/** A tool that draws on the floor. down() says whether it takes the stroke; where not, the camera gets it. */
export interface Tool {
  down(place: { x: number; z: number }, event: PointerEvent): boolean;
  move(place: { x: number; z: number }, event: PointerEvent): void;
  up(place: { x: number; z: number }, event: PointerEvent): void;
  /** the pointer moves over the floor without being pressed; null when it leaves */
  hover?(place: { x: number; z: number } | null, event: PointerEvent): void;
  /** what the pointer looks like over the stage */
  cursor?: string;
}

/** What the pointer asks of its stage. */
export interface PointerStage {
  element: HTMLElement;
  camera: Camera;
  handleSets(): Iterable<Handles>;
  floor(clientX: number, clientY: number, height?: number): { x: number; z: number } | null;
  /** the height at which a vertical line through a place of the floor passes under the pointer */
  heightAt(clientX: number, clientY: number, place: Place): number | null;
  setCameraEnabled(on: boolean): void;
  /** where the camera stands about what it looks at: radians from +Z towards +X */
  azimuth(): number;
  requestRender(): void;
}

interface Drag {
  kind: "handle" | "tool";
  /** the press that began it */
  down: PointerEvent;
  pointer: number;
  set?: Handles;
  index: number;
  lift: boolean;
  /** whether the pointer has gone far enough not to be a click */
  moved: boolean;
  /** from the pointer's place to the handle's, so that it does not jump */
  dx: number;
  dy: number;
  dz: number;
  last: { x: number; z: number };
}

const KEY_STEP = 0.05;
/** Pixels within which a press on a handle is a click. */
const STILL = 3;

export class StagePointer {
  tool: Tool | null = null;
  #stage: PointerStage;
  #drag: Drag | null = null;
  #touches = new Set<number>();
  #passing = false;
  #stop = new AbortController();

  constructor(stage: PointerStage) {
    this.#stage = stage;
    const { element } = stage;
    const options = { capture: true, signal: this.#stop.signal };
    element.addEventListener("pointerdown", (event) => this.#down(event), options);
    element.addEventListener("pointermove", (event) => this.#move(event), options);
    element.addEventListener("pointerup", (event) => this.#up(event), options);
    element.addEventListener("pointercancel", (event) => this.#up(event), options);
    element.addEventListener("pointerleave", (event) => this.#leave(event), options);
    element.addEventListener("dblclick", (event) => this.#double(event), options);
    element.addEventListener("contextmenu", (event) => event.preventDefault(), options);
    element.addEventListener("keydown", (event) => this.#key(event), options);
  }

  setTool(tool: Tool | null): void {
    // a stroke that is under way ends here: the next tool knows nothing of it
    if (this.#drag?.kind === "tool") this.#finish(this.#drag.down, this.#drag.last);
    this.tool = tool;
    this.#stage.element.style.cursor = tool?.cursor ?? "";
  }

  dispose(): void {
    this.#stop.abort();
  }

  #down(event: PointerEvent): void {
    this.#stage.element.focus({ preventScroll: true });
    if (event.pointerType === "touch") this.#touches.add(event.pointerId);
    if (this.#passing) return;
    // a second finger always is for the camera: what the first had begun ends here, and the camera is told of it
    if (this.#touches.size > 1 && this.#drag) {
      const { down } = this.#drag;
      this.#finish(event);
      this.#passing = true;
      this.#stage.element.dispatchEvent(new PointerEvent("pointerdown", down));
      this.#passing = false;
      return;
    }
    if (event.button !== 0 || this.#drag || this.#touches.size > 1) return;
    if (this.#grab(event) || this.#draw(event)) {
      event.stopImmediatePropagation();
      event.preventDefault();
      this.#stage.setCameraEnabled(false);
      this.#stage.element.setPointerCapture(event.pointerId);
    }
  }

  #grab(event: PointerEvent): boolean {
    const found = this.#under(event);
    if (!found) return false;
    const { set, index, lift } = found;
    const point = set.points[index]!;
    const floor = this.#stage.floor(event.clientX, event.clientY, point.y);
    const height = this.#stage.heightAt(event.clientX, event.clientY, point);
    this.#drag = {
      kind: "handle",
      down: event,
      pointer: event.pointerId,
      set,
      index,
      lift,
      moved: false,
      dx: floor ? point.x - floor.x : 0,
      dz: floor ? point.z - floor.z : 0,
      dy: height === null ? 0 : point.y - height,
      last: { x: point.x, z: point.z },
    };
    for (const other of this.#stage.handleSets()) {
      other.selected = other === set ? index : -1;
      other.draw();
    }
    set.on.select?.(index, event);
    this.#stage.requestRender();
    return true;
  }

  #draw(event: PointerEvent): boolean {
    const place = this.tool && this.#stage.floor(event.clientX, event.clientY);
    if (!place || !this.tool!.down(place, event)) return false;
    this.#drag = { kind: "tool", down: event, pointer: event.pointerId, index: -1, lift: false, moved: true, dx: 0, dy: 0, dz: 0, last: place };
    return true;
  }

  #move(event: PointerEvent): void {
    const drag = this.#drag;
    if (!drag) return this.#hover(event);
    if (event.pointerId !== drag.pointer) return;
    event.stopImmediatePropagation();
    if (drag.kind === "tool") {
      const place = this.#stage.floor(event.clientX, event.clientY);
      if (!place) return;
      drag.last = place;
      this.tool?.move(place, event);
      return;
    }
    if (!drag.moved) {
      if (Math.hypot(event.clientX - drag.down.clientX, event.clientY - drag.down.clientY) < STILL) return;
      drag.moved = true;
      const point = drag.set!.points[drag.index];
      if (point) drag.set!.on.move(drag.index, { ...point }, "start", event);
    }
    const place = this.#dragged(drag, event);
    if (place) drag.set!.on.move(drag.index, place, "move", event);
  }

  /** Where a dragged handle is to be now; it is moved there at once, whatever its owner says later. */
  #dragged(drag: Drag, event: PointerEvent): Place | null {
    const point = drag.set!.points[drag.index];
    if (!point) return null;
    if (drag.lift || (event.shiftKey && drag.set!.options.height)) {
      const height = this.#stage.heightAt(event.clientX, event.clientY, point);
      if (height !== null) point.y = Math.max(height + drag.dy, 0);
    } else {
      const floor = this.#stage.floor(event.clientX, event.clientY, point.y);
      if (floor) {
        point.x = floor.x + drag.dx;
        point.z = floor.z + drag.dz;
      }
    }
    drag.set!.draw();
    this.#stage.requestRender();
    return { ...point };
  }

  #up(event: PointerEvent): void {
    this.#touches.delete(event.pointerId);
    if (this.#drag?.pointer !== event.pointerId) return;
    event.stopImmediatePropagation();
    this.#finish(event);
  }

  /** End the drag by an event, at the place of the floor that it tells, or at another. */
  #finish(event: PointerEvent, at: { x: number; z: number } | null = null): void {
    const drag = this.#drag;
    if (!drag) return;
    this.#drag = null;
    this.#stage.setCameraEnabled(true);
    if (drag.kind === "tool") this.tool?.up(at ?? this.#stage.floor(event.clientX, event.clientY) ?? drag.last, event);
    else if (drag.moved) {
      const point = drag.set!.points[drag.index];
      if (point) drag.set!.on.move(drag.index, { ...point }, "end", event);
    }
  }

  #hover(event: PointerEvent): void {
    if (event.buttons || event.pointerType === "touch") return;
    const found = this.#under(event);
    for (const set of this.#stage.handleSets()) {
      const index = found?.set === set ? found.index : -1;
      if (set.hovered === index) continue;
      set.hovered = index;
      set.draw();
      this.#stage.requestRender();
    }
    this.#stage.element.style.cursor = found ? (found.lift ? "ns-resize" : "grab") : (this.tool?.cursor ?? "");
    this.tool?.hover?.(found ? null : this.#stage.floor(event.clientX, event.clientY), event);
  }

  #leave(event: PointerEvent): void {
    if (!this.#drag) this.tool?.hover?.(null, event);
  }

  #double(event: MouseEvent): void {
    const found = this.#under(event);
    if (found) {
      found.set.on.remove?.(found.index);
      return;
    }
    for (const set of this.#stage.handleSets()) {
      if (!set.on.insert) continue;
      const place = this.#stage.floor(event.clientX, event.clientY);
      if (place) set.on.insert({ x: place.x, y: 0, z: place.z });
      return;
    }
  }

  /** Handles by keys, while the stage has the focus: Enter goes on to the next, arrows move it, Delete removes it. */
  #key(event: KeyboardEvent): void {
    const sets = [...this.#stage.handleSets()].filter((set) => set.points.length > 0);
    if (!sets.length || event.ctrlKey || event.metaKey) return;
    const set = sets.find((one) => one.selected >= 0) ?? sets[0]!;
    if (event.key === "Enter") {
      set.selected = (set.selected + (event.shiftKey ? -1 + set.points.length : 1)) % set.points.length;
      set.on.select?.(set.selected, event);
    } else if (event.key === "Escape" && set.selected >= 0) set.selected = -1;
    else if (set.selected < 0) return;
    else if ((event.key === "Delete" || event.key === "Backspace") && set.on.remove) set.on.remove(set.selected);
    else if (!this.#nudge(set, event)) return;
    event.preventDefault();
    event.stopPropagation();
    set.draw();
    this.#stage.requestRender();
  }

  #nudge(set: Handles, event: KeyboardEvent): boolean {
    const step = event.shiftKey ? KEY_STEP * 10 : KEY_STEP;
    // along the axis that points most nearly to the right of the screen, and the one away from the camera
    const quarter = (Math.round(this.#stage.azimuth() / (Math.PI / 2)) * Math.PI) / 2;
    const across = Math.round(Math.cos(quarter)) * step;
    const aside = Math.round(Math.sin(quarter)) * step;
    const way: Record<string, [number, number, number]> = {
      ArrowRight: [across, 0, -aside],
      ArrowLeft: [-across, 0, aside],
      ArrowUp: [-aside, 0, -across],
      ArrowDown: [aside, 0, across],
      PageUp: [0, step, 0],
      PageDown: [0, -step, 0],
    };
    const by = way[event.key];
    if (!by || (by[1] !== 0 && !set.options.height)) return false;
    const point = set.points[set.selected]!;
    const index = set.selected;
    set.on.move(index, { ...point }, "start", event);
    const moved = { x: point.x + by[0], y: Math.max(point.y + by[1], 0), z: point.z + by[2] };
    set.points[index] = moved;
    set.on.move(index, { ...moved }, "move", event);
    set.on.move(index, { ...moved }, "end", event);
    return true;
  }

  #under(event: MouseEvent): { set: Handles; index: number; lift: boolean } | null {
    const box = this.#stage.element.getBoundingClientRect();
    const kind = event instanceof PointerEvent ? event.pointerType : "mouse";
    for (const set of this.#stage.handleSets()) {
      const found = set.hit(event.clientX - box.left, event.clientY - box.top, this.#stage.camera, box.width, box.height, kind);
      if (found) return { set, ...found };
    }
    return null;
  }
}

/** Lines of a real width in pixels. */
import type { Color, Group } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Colour } from "./palette";

export interface LineStyle {
  colour: Colour;
  /** pixels, 3 unless told */
  width?: number;
  dashed?: boolean;
  opacity?: number;
  /** drawn even where something stands before it */
  through?: boolean;
}

/** One line that is kept from change to change: only what is new is sent to the graphics card. */
export class Line {
  #line: Line2;
  #room = 0;
  style: LineStyle = { colour: "accent" };

  constructor(parent: Group) {
    this.#line = new Line2(new LineGeometry(), new LineMaterial());
    this.#line.frustumCulled = false;
    this.#line.renderOrder = 1;
    parent.add(this.#line);
  }

  /** Points [x, y, z]; fewer than two show nothing. */
  set(points: ArrayLike<number>[], style: LineStyle, colour: Color): void {
    this.style = style;
    this.#line.visible = points.length > 1;
    if (points.length > 1) this.#fill(points);
    this.recolour(colour);
  }

  /** Colour and width again: the theme has changed. */
  recolour(colour: Color): void {
    const { width = 3, dashed = false, opacity = 1, through = false } = this.style;
    const material = this.#line.material;
    material.color.copy(colour);
    material.linewidth = width;
    material.dashed = dashed;
    material.dashSize = 0.12;
    material.gapSize = 0.08;
    material.opacity = opacity;
    material.transparent = true;
    material.depthWrite = false;
    material.depthTest = !through;
    material.alphaToCoverage = false;
  }

  dispose(): void {
    this.#line.removeFromParent();
    this.#line.geometry.dispose();
    this.#line.material.dispose();
  }

  #fill(points: ArrayLike<number>[]): void {
    const flat = new Float32Array(points.length * 3);
    points.forEach((point, index) => {
      flat[index * 3] = point[0]!;
      flat[index * 3 + 1] = point[1]!;
      flat[index * 3 + 2] = point[2]!;
    });
    if (points.length > this.#room) {
      // buffers cannot grow: a new geometry with room to spare would draw the spare, so it is of this size
      this.#line.geometry.dispose();
      this.#line.geometry = new LineGeometry();
    }
    this.#line.geometry.setPositions(flat);
    this.#room = points.length;
    this.#line.computeLineDistances();
  }
}

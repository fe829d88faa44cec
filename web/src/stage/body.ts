/** A body that hangs on the joints of a skeleton: one geometry for all actors that wear it. */
import { BufferAttribute, BufferGeometry, Color } from "three";
import type { Pack } from "../api/pack";
import type { BodyPack } from "../api/types";

export class Body {
  readonly id: string;
  readonly parts: BodyPack["parts"];
  /** (J·4) w x y z: local rotations of the pose it was made in */
  readonly bind: Float32Array;
  readonly geometry: BufferGeometry;

  private constructor(pack: Pack<BodyPack>) {
    this.id = pack.facts.id;
    this.parts = pack.facts.parts;
    this.bind = pack.arrays["bind"] as Float32Array;
    const faces = pack.arrays["faces"] as Uint32Array;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(pack.arrays["vertices"] as Float32Array, 3));
    geometry.setAttribute("normal", new BufferAttribute(pack.arrays["normals"] as Float32Array, 3));
    geometry.setAttribute("color", new BufferAttribute(this.#shades(faces, pack.arrays["vertices"]!.length / 3), 3));
    geometry.setAttribute("skinIndex", new BufferAttribute(pack.arrays["joints"] as Uint8Array, 4));
    geometry.setAttribute("skinWeight", new BufferAttribute(pack.arrays["weights"] as Float32Array, 4));
    geometry.setIndex(new BufferAttribute(faces, 1));
    this.geometry = geometry;
  }

  /** The body of a body pack. */
  static of(pack: Pack<BodyPack>): Body {
    return new Body(pack);
  }

  /** One shade a vertex: how light its part is beside the others, so that a tint keeps the parts apart. */
  #shades(faces: Uint32Array, count: number): Float32Array {
    const out = new Float32Array(count * 3).fill(1);
    const light = this.parts.map((part) => luminance(part.colour));
    const most = Math.max(...light, 1e-6);
    this.parts.forEach((part, index) => {
      const shade = 0.72 + 0.28 * (light[index]! / most);
      for (let corner = part.first * 3; corner < part.last * 3; corner++) out.fill(shade, faces[corner]! * 3, faces[corner]! * 3 + 3);
    });
    return out;
  }
}

function luminance([r, g, b]: BodyPack["parts"][number]["colour"]): number {
  const colour = new Color().setRGB(r, g, b);
  return 0.2126 * colour.r + 0.7152 * colour.g + 0.0722 * colour.b;
}

/** A body with fewer corners: those of one joint that lie near each other become one. Nothing here knows of three. */

/** A skinned surface in flat arrays: places, normals and shades (V·3), joints and weights (V·4), faces (F·3). */
export interface Surface {
  positions: Float32Array;
  normals: Float32Array;
  shades: Float32Array;
  joints: Uint8Array;
  weights: Float32Array;
  faces: Uint32Array;
}

interface Cluster {
  count: number;
  place: [number, number, number];
  normal: [number, number, number];
  shade: [number, number, number];
  weights: Map<number, number>;
}

/** The surface with one corner for each cube of so many metres that has any; each hangs on so many joints at most, since looking them up is what it costs. */
export function coarsened(from: Surface, cell: number, influences = 2): Surface {
  const clusters: Cluster[] = [];
  const known = new Map<string, number>();
  const count = from.positions.length / 3;
  const became = new Uint32Array(count);
  for (let corner = 0; corner < count; corner++) {
    const [x, y, z] = from.positions.subarray(corner * 3, corner * 3 + 3) as unknown as [number, number, number];
    // the two sides of something thin stay apart, lest it collapses
    const facing = from.normals[corner * 3 + 2]! > 0 ? 1 : 0;
    const key = `${heaviest(from, corner)} ${facing} ${Math.floor(x / cell)} ${Math.floor(y / cell)} ${Math.floor(z / cell)}`;
    let index = known.get(key);
    if (index === undefined) {
      known.set(key, (index = clusters.length));
      clusters.push({ count: 0, place: [0, 0, 0], normal: [0, 0, 0], shade: [0, 0, 0], weights: new Map() });
    }
    became[corner] = index;
    gather(clusters[index]!, from, corner);
  }
  return { ...cornersOf(clusters, influences), faces: facesOf(from.faces, became) };
}

function heaviest(from: Surface, corner: number): number {
  let best = corner * 4;
  for (let slot = best + 1; slot < corner * 4 + 4; slot++) if (from.weights[slot]! > from.weights[best]!) best = slot;
  return from.joints[best]!;
}

function gather(into: Cluster, from: Surface, corner: number): void {
  into.count += 1;
  for (let axis = 0; axis < 3; axis++) {
    into.place[axis]! += from.positions[corner * 3 + axis]!;
    into.normal[axis]! += from.normals[corner * 3 + axis]!;
    into.shade[axis]! += from.shades[corner * 3 + axis]!;
  }
  for (let slot = corner * 4; slot < corner * 4 + 4; slot++) {
    const joint = from.joints[slot]!;
    if (from.weights[slot]! > 0) into.weights.set(joint, (into.weights.get(joint) ?? 0) + from.weights[slot]!);
  }
}

function cornersOf(clusters: readonly Cluster[], influences: number): Omit<Surface, "faces"> {
  const out = {
    positions: new Float32Array(clusters.length * 3),
    normals: new Float32Array(clusters.length * 3),
    shades: new Float32Array(clusters.length * 3),
    joints: new Uint8Array(clusters.length * 4),
    weights: new Float32Array(clusters.length * 4),
  };
  clusters.forEach((one, index) => {
    const length = Math.hypot(...one.normal) || 1;
    for (let axis = 0; axis < 3; axis++) {
      out.positions[index * 3 + axis] = one.place[axis]! / one.count;
      out.normals[index * 3 + axis] = one.normal[axis]! / length;
      out.shades[index * 3 + axis] = one.shade[axis]! / one.count;
    }
    const hung = [...one.weights].sort((a, b) => b[1] - a[1]).slice(0, influences);
    const total = hung.reduce((sum, [, weight]) => sum + weight, 0) || 1;
    hung.forEach(([joint, weight], slot) => {
      out.joints[index * 4 + slot] = joint;
      out.weights[index * 4 + slot] = weight / total;
    });
  });
  return out;
}

/** Faces of what corners became; those that are lines or points by now, or are there already, are left out. */
function facesOf(faces: Uint32Array, became: Uint32Array): Uint32Array {
  const out: number[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < faces.length; at += 3) {
    const [a, b, c] = [became[faces[at]!]!, became[faces[at + 1]!]!, became[faces[at + 2]!]!];
    if (a === b || b === c || c === a) continue;
    const key = [a, b, c].sort((one, other) => one - other).join(" ");
    if (seen.has(key)) continue;
    seen.add(key);
    out.push(a, b, c);
  }
  return Uint32Array.from(out);
}

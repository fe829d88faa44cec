/** Quaternions w x y z in flat arrays. Nothing here allocates: results go to `out` at `o`. */

type Numbers = ArrayLike<number>;

/** Spherical interpolation of a[i…] and b[j…] (stored × scale) by t, the short way round, of unit length. */
export function slerp(a: Numbers, i: number, b: Numbers, j: number, scale: number, t: number, out: Float32Array, o: number): void {
  const aw = a[i]! * scale;
  const ax = a[i + 1]! * scale;
  const ay = a[i + 2]! * scale;
  const az = a[i + 3]! * scale;
  let bw = b[j]! * scale;
  let bx = b[j + 1]! * scale;
  let by = b[j + 2]! * scale;
  let bz = b[j + 3]! * scale;
  let dot = aw * bw + ax * bx + ay * by + az * bz;
  if (dot < 0) {
    dot = -dot;
    bw = -bw;
    bx = -bx;
    by = -by;
    bz = -bz;
  }
  let u = 1 - t;
  let v = t;
  // frames are so near each other that the chord nearly always does; the length is mended below
  if (dot < 0.9995) {
    const angle = Math.acos(dot);
    const sine = Math.sin(angle);
    u = Math.sin(u * angle) / sine;
    v = Math.sin(v * angle) / sine;
  }
  const w = u * aw + v * bw;
  const x = u * ax + v * bx;
  const y = u * ay + v * by;
  const z = u * az + v * bz;
  const length = Math.sqrt(w * w + x * x + y * y + z * z) || 1;
  out[o] = w / length;
  out[o + 1] = x / length;
  out[o + 2] = y / length;
  out[o + 3] = z / length;
}

/** The product a·b: b is applied first. out may be a or b. */
export function multiply(a: Numbers, i: number, b: Numbers, j: number, out: Float32Array, o: number): void {
  const aw = a[i]!;
  const ax = a[i + 1]!;
  const ay = a[i + 2]!;
  const az = a[i + 3]!;
  const bw = b[j]!;
  const bx = b[j + 1]!;
  const by = b[j + 2]!;
  const bz = b[j + 3]!;
  out[o] = aw * bw - ax * bx - ay * by - az * bz;
  out[o + 1] = aw * bx + ax * bw + ay * bz - az * by;
  out[o + 2] = aw * by - ax * bz + ay * bw + az * bx;
  out[o + 3] = aw * bz + ax * by - ay * bx + az * bw;
}

/** The vector (x, y, z) turned by q[i…], added to base[j…]. out may be base. */
export function rotateOnto(q: Numbers, i: number, x: number, y: number, z: number, base: Numbers, j: number, out: Float32Array, o: number): void {
  const w = q[i]!;
  const qx = q[i + 1]!;
  const qy = q[i + 2]!;
  const qz = q[i + 3]!;
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  out[o] = base[j]! + x + w * tx + (qy * tz - qz * ty);
  out[o + 1] = base[j + 1]! + y + w * ty + (qz * tx - qx * tz);
  out[o + 2] = base[j + 2]! + z + w * tz + (qx * ty - qy * tx);
}

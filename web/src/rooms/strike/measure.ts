/** What is worked out of a strike for the stage and the timeline. */

/** A ring about a place in the plane of across and up, as points. */
export function ring([x, y, z]: readonly [number, number, number], radius: number, points = 40): number[][] {
  return Array.from({ length: points + 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / points;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle), z];
  });
}

/** Metres a second (F) at which a joint moves. */
export function jointSpeed(positions: (frame: number) => Float32Array, joint: number, frames: number, fps: number): Float32Array {
  const places = Array.from({ length: frames }, (_, frame) => positions(frame).slice(3 * joint, 3 * joint + 3));
  return Float32Array.from({ length: frames }, (_, frame) => {
    const [a, b] = [places[Math.max(frame - 1, 0)]!, places[Math.min(frame + 1, frames - 1)]!];
    const span = Math.min(frame + 1, frames - 1) - Math.max(frame - 1, 0);
    return span ? (Math.hypot(b[0]! - a[0]!, b[1]! - a[1]!, b[2]! - a[2]!) * fps) / span : 0;
  });
}

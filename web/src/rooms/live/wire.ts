/** Poses as they come over the socket; see `wire.py` of the server's room. */

/** One pose of the person who is steered. */
export interface LivePose {
  /** since the person set out */
  readonly frame: number;
  /** number of the wish that it was stepped by */
  readonly wish: number;
  /** bits 1, 2, 4, 8: left heel, left ball, right heel, right ball are held where they are */
  readonly held: number;
  /** whether what was to be done once is not done yet */
  readonly acting: boolean;
  /** microseconds that the step took */
  readonly cost: number;
  /** seconds in which to go there from what is shown */
  readonly over: number;
  readonly root: Float32Array;
  /** (J·4): w x y z, local to the parent */
  readonly rotations: Float32Array;
}

const HEAD = 20;
const ACTING = 16;
const FULL = 32767;

/** Read a pose of so many joints. Throws where the bytes are none. */
export function readPose(buffer: ArrayBuffer, joints: number): LivePose {
  if (buffer.byteLength !== HEAD + 12 + joints * 8) throw new Error(`These ${buffer.byteLength} bytes are no pose of ${joints} joints.`);
  const head = new DataView(buffer);
  const flags = head.getUint32(8, true);
  const stored = new Int16Array(buffer, HEAD + 12, joints * 4);
  return {
    frame: head.getUint32(0, true),
    wish: head.getUint32(4, true),
    held: flags & 15,
    acting: (flags & ACTING) !== 0,
    cost: head.getFloat32(12, true),
    over: head.getFloat32(16, true),
    root: new Float32Array(buffer, HEAD, 3),
    rotations: Float32Array.from(stored, (value) => value / FULL),
  };
}

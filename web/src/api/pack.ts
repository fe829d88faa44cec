/** The binary container in which motions, bodies and matrices come over: a JSON header and typed arrays behind it. */

export type TypedArray = Float32Array | Float64Array | Int16Array | Uint16Array | Uint8Array | Int32Array | Uint32Array;

type Dtype = "float32" | "float64" | "int16" | "uint16" | "uint8" | "int32" | "uint32";

interface ArrayHeader {
  dtype: Dtype;
  shape: number[];
  offset: number;
  scale?: number;
}

/** Facts, which differ from kind to kind, and arrays of one answer. The arrays are views of the buffer: nothing is copied. */
export interface Pack<Facts = unknown> {
  facts: Facts;
  arrays: Record<string, TypedArray>;
  shape(name: string): number[];
  /** value = stored × scale; 1 unless the header says otherwise */
  scale(name: string): number;
}

const KINDS: Record<Dtype, { new (buffer: ArrayBuffer, offset: number, length: number): TypedArray; BYTES_PER_ELEMENT: number }> = {
  float32: Float32Array,
  float64: Float64Array,
  int16: Int16Array,
  uint16: Uint16Array,
  uint8: Uint8Array,
  int32: Int32Array,
  uint32: Uint32Array,
};

/** Read a pack. Throws an Error with a sentence if the bytes are none. */
export function unpack<Facts>(buffer: ArrayBuffer): Pack<Facts> {
  if (buffer.byteLength < 8) throw new Error("The answer is not a kinegraph pack: it is too short.");
  const magic = new Uint8Array(buffer, 0, 4);
  if (String.fromCharCode(...magic) !== "KGP1") throw new Error("The answer is not a kinegraph pack.");
  const length = new DataView(buffer).getUint32(4, true);
  const begin = 8 + length;
  if (begin > buffer.byteLength) throw new Error("The kinegraph pack ends within its header.");
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length))) as {
    facts: Facts;
    arrays: Record<string, ArrayHeader>;
  };
  const arrays: Record<string, TypedArray> = {};
  for (const [name, { dtype, shape, offset }] of Object.entries(header.arrays)) {
    const kind = KINDS[dtype];
    if (!kind) throw new Error(`The kinegraph pack holds ${name} as ${dtype}, which this page does not know.`);
    const count = shape.reduce((product, size) => product * size, 1);
    if (begin + offset + count * kind.BYTES_PER_ELEMENT > buffer.byteLength) throw new Error(`The kinegraph pack ends within ${name}.`);
    arrays[name] = new kind(buffer, begin + offset, count);
  }
  return {
    facts: header.facts,
    arrays,
    shape: (name) => header.arrays[name]?.shape ?? [],
    scale: (name) => header.arrays[name]?.scale ?? 1,
  };
}

/** An array as floats with its scale applied; a view where nothing has to be scaled. Empty if there is none of that name. */
export function floats(pack: Pack, name: string): Float32Array {
  const array = pack.arrays[name];
  if (!array) return new Float32Array(0);
  const scale = pack.scale(name);
  if (scale === 1 && array instanceof Float32Array) return array;
  const out = new Float32Array(array.length);
  for (let i = 0; i < array.length; i++) out[i] = (array[i] as number) * scale;
  return out;
}

import { describe, expect, it } from "vitest";
import { floats, unpack } from "./pack";

/** A pack as the server writes it. */
export function packed(facts: unknown, arrays: Record<string, { dtype: string; shape: number[]; bytes: Uint8Array; scale?: number }>): ArrayBuffer {
  const headers: Record<string, unknown> = {};
  let offset = 0;
  for (const [name, { dtype, shape, bytes, scale }] of Object.entries(arrays)) {
    headers[name] = scale === undefined ? { dtype, shape, offset } : { dtype, shape, offset, scale };
    offset += Math.ceil(bytes.length / 8) * 8;
  }
  let text = JSON.stringify({ facts, arrays: headers });
  while ((8 + new TextEncoder().encode(text).length) % 8) text += " ";
  const header = new TextEncoder().encode(text);
  const out = new Uint8Array(8 + header.length + offset);
  out.set(new TextEncoder().encode("KGP1"));
  new DataView(out.buffer).setUint32(4, header.length, true);
  out.set(header, 8);
  let at = 8 + header.length;
  for (const { bytes } of Object.values(arrays)) {
    out.set(bytes, at);
    at += Math.ceil(bytes.length / 8) * 8;
  }
  return out.buffer;
}

const bytes = (array: ArrayBufferView): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

describe("unpack", () => {
  const buffer = packed(
    { kind: "test", name: "Grüße" },
    {
      heights: { dtype: "float32", shape: [3], bytes: bytes(new Float32Array([1.5, -2, 0])) },
      turns: { dtype: "int16", shape: [2, 2], bytes: bytes(new Int16Array([32767, 0, -32767, 16384])), scale: 1 / 32767 },
      flags: { dtype: "uint8", shape: [3], bytes: bytes(new Uint8Array([1, 0, 255])) },
    },
  );

  it("reads facts and arrays as views of the buffer", () => {
    const pack = unpack<{ name: string }>(buffer);
    expect(pack.facts.name).toBe("Grüße");
    expect([...pack.arrays["heights"]!]).toEqual([1.5, -2, 0]);
    expect([...pack.arrays["flags"]!]).toEqual([1, 0, 255]);
    expect(pack.shape("turns")).toEqual([2, 2]);
    for (const array of Object.values(pack.arrays)) expect(array.buffer).toBe(buffer);
  });

  it("applies scales only where there are some", () => {
    const pack = unpack(buffer);
    expect(floats(pack, "turns")[0]).toBe(1);
    expect(floats(pack, "turns")[3]).toBeCloseTo(0.500015, 5);
    expect(floats(pack, "heights")).toBe(pack.arrays["heights"]);
    expect(floats(pack, "absent")).toHaveLength(0);
  });

  it("says what is wrong with other bytes", () => {
    expect(() => unpack(new ArrayBuffer(3))).toThrow("too short");
    expect(() => unpack(new TextEncoder().encode("<!doctype html>").buffer as ArrayBuffer)).toThrow("not a kinegraph pack");
    expect(() => unpack(buffer.slice(0, 40))).toThrow("within its header");
    expect(() => unpack(buffer.slice(0, buffer.byteLength - 8))).toThrow("ends within flags");
  });
});

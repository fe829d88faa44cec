/** What the page carries in itself: packs, compressed, in letters. */
import { type Pack, unpack } from "../api/pack";

/** The pack in the element of that id; null where the page holds none. */
export async function embedded<Facts>(id: string): Promise<Pack<Facts> | null> {
  const found = await embeddedBytes(id);
  return found && unpack<Facts>(found);
}

/** The bytes in the element of that id; null where the page holds none. */
export async function embeddedBytes(id: string): Promise<ArrayBuffer | null> {
  const text = document.getElementById(id)?.textContent?.trim();
  return text ? unzipped(bytes(text)) : null;
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text);
  const out = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) out[i] = letters.charCodeAt(i);
  return out;
}

async function unzipped(data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

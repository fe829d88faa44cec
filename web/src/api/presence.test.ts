import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { get, post, postPack, Problem } from "./client";
import { isHere, online, returns } from "./presence";

const AWAY = new TypeError("Failed to fetch");
const answered = (body: unknown): Response => new Response(JSON.stringify(body), { status: 200 });

beforeEach(() => {
  vi.useFakeTimers();
  isHere();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A server that is away for so many requests of any kind, and then answers each with its address. */
function away(times: number) {
  const fetched = vi.fn((url: string) => (times-- > 0 ? Promise.reject(AWAY) : Promise.resolve(answered({ url }))));
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

it("repeats what only asks, within a second of the server's return", async () => {
  const fetched = away(8);
  const before = returns.value;
  const asked = get("/api/state");
  await vi.advanceTimersByTimeAsync(1);
  expect(online.value).toBe(false);
  while (fetched.mock.calls.length < 8) await vi.advanceTimersByTimeAsync(100);
  expect(online.value).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(online.value).toBe(true);
  expect(await asked).toEqual({ url: "/api/state" });
  expect(returns.value).toBe(before + 1);
  // whatever waits, one looks
  expect(fetched.mock.calls.filter(([url]) => url === "/api/state")).toHaveLength(2);
});

it("goes on at once when the stream of events opens again", async () => {
  const fetched = away(1);
  const asked = get("/api/state");
  await vi.advanceTimersByTimeAsync(1);
  isHere();
  expect(await asked).toEqual({ url: "/api/state" });
  await vi.advanceTimersByTimeAsync(5000);
  expect(fetched).toHaveBeenCalledTimes(2);
});

it("does nothing twice that changes something", async () => {
  const fetched = vi.fn().mockRejectedValue(AWAY);
  vi.stubGlobal("fetch", fetched);
  await expect(post("/api/samples")).rejects.toThrow("Is it still running?");
  await vi.advanceTimersByTimeAsync(5000);
  expect(fetched.mock.calls.filter(([url]) => url === "/api/samples")).toHaveLength(1);
});

it("gives up a search that nobody wants any more", async () => {
  vi.stubGlobal("fetch", vi.fn().mockRejectedValue(AWAY));
  const abort = new AbortController();
  const asked = postPack<unknown, object>("/api/graphs/1/follow", {}, abort.signal).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1);
  abort.abort();
  expect(((await asked) as Problem).aborted).toBe(true);
});

/** A pack with nothing in it but its facts. */
function packOf(facts: object): Response {
  const header = new TextEncoder().encode(JSON.stringify({ facts, arrays: {} }));
  const bytes = new Uint8Array(8 + header.length);
  bytes.set(new TextEncoder().encode("KGP1"));
  new DataView(bytes.buffer).setUint32(4, header.length, true);
  bytes.set(header, 8);
  return new Response(bytes, { status: 200 });
}

it("has a result made once more that the server holds no more", async () => {
  let held = new Set<string>();
  const fetched = vi.fn((url: string) => {
    if (url === "/api/graphs/1/follow") held.add("r");
    if (url === "/api/graphs/1/follow") return Promise.resolve(packOf({ result: { id: "r" } }));
    return Promise.resolve(held.has("r") ? answered({ url }) : new Response("{}", { status: 404 }));
  });
  vi.stubGlobal("fetch", fetched);
  await postPack<unknown, object>("/api/graphs/1/follow", { path: 1 });
  held = new Set();
  expect(await get("/api/results/r/recipe?format=bvh")).toEqual({ url: "/api/results/r/recipe?format=bvh" });
  held = new Set();
  expect(await post<unknown, object>("/api/export", { source: { kind: "result", id: "r" } })).toEqual({ url: "/api/export" });
  held = new Set();
  // of others nobody knows how they were made
  await expect(get("/api/results/unknown/recipe")).rejects.toThrow("404");
  expect(fetched.mock.calls.filter(([url]) => url === "/api/graphs/1/follow")).toHaveLength(3);
});

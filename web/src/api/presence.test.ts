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

it("repeats what only asks until the server is back", async () => {
  const fetched = vi.fn().mockRejectedValueOnce(AWAY).mockRejectedValueOnce(AWAY).mockResolvedValueOnce(answered({ seen: 1 }));
  vi.stubGlobal("fetch", fetched);
  const before = returns.value;
  const asked = get("/api/state");
  await vi.advanceTimersByTimeAsync(1);
  expect(online.value).toBe(false);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await asked).toEqual({ seen: 1 });
  expect(fetched).toHaveBeenCalledTimes(3);
  expect(online.value).toBe(true);
  expect(returns.value).toBe(before + 1);
});

it("goes on at once when the stream of events opens again", async () => {
  const fetched = vi.fn().mockRejectedValueOnce(AWAY).mockResolvedValueOnce(answered(2));
  vi.stubGlobal("fetch", fetched);
  const asked = get("/api/state");
  await vi.advanceTimersByTimeAsync(1);
  isHere();
  expect(await asked).toBe(2);
});

it("does nothing twice that changes something", async () => {
  const fetched = vi.fn().mockRejectedValue(AWAY);
  vi.stubGlobal("fetch", fetched);
  await expect(post("/api/samples")).rejects.toThrow("Is it still running?");
  expect(fetched).toHaveBeenCalledTimes(1);
});

it("gives up a search that nobody wants any more", async () => {
  vi.stubGlobal("fetch", vi.fn().mockRejectedValue(AWAY));
  const abort = new AbortController();
  const asked = postPack<unknown, object>("/api/graphs/1/follow", {}, abort.signal).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1);
  abort.abort();
  expect(((await asked) as Problem).aborted).toBe(true);
});

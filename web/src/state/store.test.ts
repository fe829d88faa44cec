import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Clip, ServerEvent, ServerState } from "../api/types";
import type { Listener } from "../api/events";

/** The stream of events, as the page hears it. */
let listener: Listener;
/** What the server answers, in turn, each when it is let go. */
let answers: ((state: ServerState) => void)[];

vi.mock("../api/events", () => ({ follow: (heard: Listener) => ((listener = heard), () => {}) }));
vi.mock("../api/client", () => ({ get: () => new Promise((resolve) => answers.push(resolve)) }));

const unread = { id: "a", name: "walk", info: null } as unknown as Clip;
const read = { ...unread, info: { frames: 10 } } as unknown as Clip;
const state = (clip: Clip): ServerState => ({ clips: [clip], jobs: [], graphs: [] }) as unknown as ServerState;
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

beforeEach(() => {
  answers = [];
  vi.resetModules();
  const media = { matches: false, addEventListener: () => {} };
  vi.stubGlobal("matchMedia", () => media);
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  vi.stubGlobal("location", { search: "", pathname: "/library" });
});
afterEach(() => vi.unstubAllGlobals());

it("asks again once events are heard: what has changed before was told to nobody", async () => {
  const { clips, start } = await import("./store");
  const begun = start();
  answers[0]!(state(unread));
  await begun;
  listener.connected(true);
  answers[1]!(state(read));
  await settled();
  expect(clips.value).toEqual([read]);
});

it("keeps news of a clip that have overtaken the state", async () => {
  const { clips, refresh, start } = await import("./store");
  const begun = start();
  answers[0]!(state(unread));
  await begun;
  const asked = refresh();
  listener.event({ type: "clip", clip: read } as ServerEvent);
  answers[1]!(state(unread));
  await asked;
  expect(clips.value).toEqual([read]);
});

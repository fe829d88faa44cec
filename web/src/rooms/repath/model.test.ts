import { beforeEach, expect, it, vi } from "vitest";
import type { Clip, ServerState } from "../../api/types";
import { select, selection, server } from "../../state/store";

const asked: string[] = [];

vi.mock("../../api/client", () => ({
  get: (url: string) => {
    asked.push(url);
    return new Promise(() => {});
  },
  getPack: () => new Promise(() => {}),
  postPack: () => new Promise(() => {}),
  isAborted: () => false,
  sentence: String,
}));

const { begin, choose } = await import("./model");

const clip = (id: string, metres: number | null) => ({ id, name: id, info: metres === null ? null : { distance_m: metres } }) as unknown as Clip;
const tell = (...clips: Clip[]) => {
  server.value = { clips } as unknown as ServerState;
};

beforeEach(() => {
  asked.length = 0;
  server.value = null;
  select({ clip: null });
});

it("asks for no path before it is known that the clip has one", () => {
  select({ clip: "jump" });
  const end = begin();
  tell(clip("jump", null), clip("walk", null));
  expect(asked).toEqual([]);
  tell(clip("jump", 0.1), clip("walk", null));
  expect(asked).toEqual([]);
  tell(clip("jump", 0.1), clip("walk", 4));
  expect(asked).toEqual(["/api/clips/walk/path?controls=8"]);
  expect(selection.value.clip).toBe("walk");
  end();
});

it("leaves what is chosen in the room by hand", () => {
  tell(clip("jump", null), clip("walk", 4));
  const end = begin();
  choose("jump");
  tell(clip("jump", 0.1), clip("walk", 4));
  expect(asked).toEqual(["/api/clips/walk/path?controls=8", "/api/clips/jump/path?controls=8"]);
  end();
});

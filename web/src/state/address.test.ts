import { describe, expect, it } from "vitest";
import { isStep, read, written, type Place } from "./address";

const ROOMS = ["library", "follow"];

describe("an address", () => {
  it("says what it is of, and is read back", () => {
    const place: Place = { room: "library", clip: "takes 2/walk & run?.bvh", time: 1.5 };
    const text = written(place);
    expect(text).toBe("/library?clip=takes%202/walk%20%26%20run%3F.bvh&t=1.5");
    const url = new URL(text, "http://127.0.0.1");
    expect(read(url.pathname, url.search, ROOMS)).toEqual(place);
  });

  it("keeps what else was asked for", () => {
    expect(written({ room: "follow", result: "ab12", time: 0 }, [["plain", "1"]])).toBe("/follow?result=ab12&plain=1");
  });

  it("may name no room, the old way, or one that is not there", () => {
    expect(read("/", "", ROOMS)).toEqual({ room: null });
    expect(read("/", "?room=follow", ROOMS)).toEqual({ room: "follow" });
    expect(read("/library/", "?t=oops", ROOMS)).toEqual({ room: "library" });
    expect(read("/nothing", "", ROOMS)).toBeNull();
    expect(read("/library/deeper", "", ROOMS)).toBeNull();
  });

  it("is a step for Back where something else is shown, not for a moment later", () => {
    const one: Place = { room: "library", clip: "a.bvh", time: 1 };
    expect(isStep(one, { ...one, time: 2 })).toBe(false);
    expect(isStep(one, { ...one, clip: "b.bvh" })).toBe(true);
    expect(isStep(one, { room: "follow" })).toBe(true);
    expect(isStep({ room: "library" }, one)).toBe(false);
    expect(isStep({ room: "follow", result: "x" }, { room: "follow", result: "y" })).toBe(false);
  });
});

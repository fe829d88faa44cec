import { describe, expect, it } from "vitest";
import { hits, misses, named, short, told, toldHit } from "./blame";
import { loaded } from "./scene";

const scene = loaded({
  seconds: 9,
  label: [{ name: "walk" }],
  key: [{ time: 1, at: [0, 0] }, { time: 2, at: [9, 0] }],
  pose: [{ clip: "stand", frame: 0, time: 3 }],
  obstacle: [{ disc: [0, 0, 1] }],
});

describe("what a sentence is about", () => {
  it("is the entry that it names first", () => {
    const [first, second] = named("key 2 (at 2 s) is 9.0 m from key 1 (at 1 s): that needs 9.0 m/s, and the clips run 3.6 at most", scene);
    expect(first).toEqual({ kind: "key", id: scene.key[1]!.id });
    expect(second).toEqual({ kind: "key", id: scene.key[0]!.id });
  });

  it("may be two at once, a label, a pose, an obstacle, or nothing", () => {
    expect(named("keys 1 and 2 contradict each other: at 1 s", scene).map((one) => one.id)).toEqual(scene.key.map((key) => key.id));
    expect(named("label 1 ('walk') begins at 9 s", scene)[0]).toEqual({ kind: "label", id: scene.label[0]!.id });
    expect(named("pose 1: clip 'stand' has no frame 99", scene)[0]!.kind).toBe("pose");
    expect(named("obstacle 1 needs a place and a size above 0", scene)[0]!.kind).toBe("obstacle");
    expect(named("nobody stands in this graph, so nobody can wait", scene)).toEqual([]);
    expect(named("key 7 is at 25 s", scene)).toEqual([]);
  });
});

describe("strikes", () => {
  it("hit, miss, or are not struck at all", () => {
    const [good, wide, none] = hits({ strikes: [{ miss_cm: 0.2, struck: true }, { miss_cm: 3, struck: true }, { miss_cm: 0, struck: false }] });
    expect([good!.met, wide!.met, none!.met]).toEqual([true, false, false]);
    expect(toldHit(good!, 1)).toBe("Strike 1 hits to 2.0 mm.");
    expect(toldHit(none!, 3)).toContain("not struck");
    expect(hits({})).toEqual([]);
  });
});

describe("misses", () => {
  const [good, bad] = misses({ keys: [{ time: 1, place_cm: 0.42, heading_deg: 1.24, time_s: 0 }, { time: 2, place_cm: 31, heading_deg: null, time_s: 0 }] });

  it("tell whether a key is met, as the command does", () => {
    expect(good!.met).toBe(true);
    expect(bad!.met).toBe(false);
    expect(misses({ keys: [{ time: 1, place_cm: 0, heading_deg: 6, time_s: 0 }] })[0]!.met).toBe(false);
    expect(misses(null)).toEqual([]);
  });

  it("are told in few signs, and in a sentence", () => {
    expect(short(good!)).toBe("0.4 cm, 1.2°");
    expect(short(bad!)).toBe("31 cm");
    expect(told(bad!, 2)).toContain("Key 2 is missed by 31 cm");
  });
});

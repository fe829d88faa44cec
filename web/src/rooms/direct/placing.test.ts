import { describe, expect, it } from "vitest";
import { passing, placeAt, speedOf, timeFor, withPlace, type Way } from "./placing";
import { loaded } from "./scene";

/** Straight ahead along z at 1.5 m/s for 10 s. */
const way: Way = { fps: 30, track: Float32Array.from({ length: 602 }, (_, i) => (i % 2 ? ((i - 1) / 2 / 30) * 1.5 : 0)) };
const scene = loaded({ seconds: 10, label: [{ name: "walk" }], key: [{ time: 1, at: [0, 1.5] }, { time: 7, at: [0, 10.5] }] });
const keyAt = (time: number) => ({ id: 1000, time, at: [0, 0] as const, heading: null, window: null, hard: true, weight: null });

describe("a click on the floor", () => {
  it("next to the way bends it there, at the time at which somebody passes", () => {
    expect(timeFor(scene, [0.4, 6], way)).toBeCloseTo(4, 1);
  });

  it("elsewhere goes on after the last key, as late as it takes", () => {
    const time = timeFor(scene, [4, 13.5], way);
    expect(time).toBeGreaterThan(7 + 5 / 1.5);
    expect(time).toBeLessThan(7 + 8 / 1.5);
  });

  it("on a key that is there already does not give two at one time", () => {
    expect(timeFor(scene, [0, 1.6], way)).toBeGreaterThan(7);
  });

  it("without a way or a key begins soon", () => {
    expect(timeFor(loaded({ seconds: 10 }), [3, 3], null)).toBe(1);
  });
});

describe("a scene with a key more", () => {
  it("lasts longer where it has to, and so does what lasted to its end", () => {
    const longer = withPlace(scene, keyAt(12.3));
    expect(longer.seconds).toBe(14);
    expect(longer.label[0]!.to).toBe(14);
    expect(withPlace(scene, keyAt(4)).seconds).toBe(10);
  });
});

describe("a way", () => {
  it("knows its speed, and where it is when", () => {
    expect(speedOf(way)).toBeCloseTo(1.5, 3);
    expect(placeAt(way, 2)).toEqual([0, 3]);
    expect(placeAt(way, 99)).toEqual([0, 15]);
    expect(passing(way, [1, 3])).toEqual({ time: 2, distance: 1 });
  });
});

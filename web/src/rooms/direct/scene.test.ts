import { describe, expect, it } from "vitest";
import type { SceneJSON } from "../../api/types";
import { changed, degrees, EMPTY, inOrder, loaded, numberOf, painted, retimed, sent, waiting, withoutEntry, type Label } from "./scene";

const FILE: SceneJSON = {
  seconds: 20,
  name: "to the door",
  speed: 1.3,
  clearance: 0.4,
  label: [{ name: "walk", from: 0, to: 12 }, { name: "run", from: 14, to: 20, not: true, weight: 2 }, { name: "wave", from: 3, to: 5, may: true }],
  key: [{ time: 6, at: [2, 4], heading: 90 }, { window: [8, 9], at: [3, 4], hard: false }, { at: [5, 5], weight: 3 }, { time: 12, at: [6, 6] }],
  wait: [{ from: 12, to: 13, weight: 2 }],
  pose: [{ clip: "stand", frame: 3, time: 12.5 }],
  strike: [{ time: 13.5, target: [6, 1.3, 6.6], by: "right punch" }, { time: 15, target: [6, 1.3, 7] }],
  clip: [{ name: "walk", from: 2, to: 4 }],
  path: [{ shape: "circle:2", from: 14, to: 18 }, { points: [[0, 0], [1, 1]], from: 18, to: 20, hard: false, weight: 2 }],
  loop: true,
  ground: "hill:2,10",
  obstacle: [{ disc: [1, 2, 0.5] }, { box: [0, 0, 1, 2] }],
  without: { clips: ["jump"], transitions: ["walk:3>run:5"] },
};

const spans = (labels: readonly Label[]) => labels.map(({ name, from, to }) => [name, from, to]);

describe("a scene", () => {
  it("is sent as it was loaded, with all that a file can say", () => {
    expect(sent(loaded(FILE))).toEqual(FILE);
    expect(sent(EMPTY)).toEqual({ seconds: 12 });
  });

  it("lasts to its end where nothing is said", () => {
    const scene = loaded({ seconds: 7, label: [{ name: "walk" }], wait: [{ from: 5 }] });
    expect(scene.label[0]!.to).toBe(7);
    expect(scene.wait[0]).toMatchObject({ from: 5, to: 7 });
  });

  it("keeps keys in order of time: one that is dragged passes its neighbour", () => {
    const scene = loaded(FILE);
    const first = scene.key[0]!.id;
    const later = retimed(scene, first, 11);
    expect(later.key.map((key) => key.time)).toEqual([null, null, 11, 12]);
    expect(numberOf(later, "key", first)).toBe(3);
    expect(retimed(later, first, 12.5).key.at(-1)!.id).toBe(first);
  });

  it("moves a window as a whole", () => {
    const scene = loaded(FILE);
    expect(retimed(scene, scene.key[1]!.id, 9.5).key[1]!.window).toEqual([9, 10]);
  });

  it("leaves keys that may be met whenever behind the one before them", () => {
    const scene = loaded({ seconds: 9, key: [{ at: [0, 0] }, { time: 4, at: [1, 1] }, { at: [2, 2] }, { time: 2, at: [3, 3] }] });
    expect(scene.key.map((key) => key.at[0])).toEqual([0, 3, 1, 2]);
    expect(inOrder(scene.key)).toBe(scene.key);
  });

  it("changes and loses one entry only", () => {
    const scene = loaded(FILE);
    const id = scene.pose[0]!.id;
    expect(changed(scene, "pose", id, { frame: 9 }).pose[0]!.frame).toBe(9);
    expect(changed(scene, "pose", id, { frame: 9 }).key).toBe(scene.key);
    expect(withoutEntry(scene, "pose", id).pose).toEqual([]);
  });
});

describe("painting labels in time", () => {
  const walk = painted([], 0, 10, "walk");

  it("puts another label over what is there", () => {
    expect(spans(painted(walk, 4, 6, "run"))).toEqual([["walk", 0, 4], ["run", 4, 6], ["walk", 6, 10]]);
    expect(spans(painted(walk, 0, 10, "run"))).toEqual([["run", 0, 10]]);
  });

  it("joins what is the same", () => {
    expect(spans(painted(walk, 8, 12, "walk"))).toEqual([["walk", 0, 12]]);
    expect(painted(walk, 8, 12, "walk")[0]!.id).toBe(walk[0]!.id);
  });

  it("wipes, and leaves what must not be alone", () => {
    expect(spans(painted(walk, 4, 6, null))).toEqual([["walk", 0, 4], ["walk", 6, 10]]);
    const both = [...walk, { id: 99, name: "jump", from: 0, to: 10, not: true, may: false, weight: null }];
    expect(spans(painted(both, 0, 10, null))).toEqual([["jump", 0, 10]]);
  });

  it("does nothing for a slip of the hand", () => {
    expect(painted(walk, 4, 4.1, "run")).toBe(walk);
    expect(waiting([], 1, 1.05)).toEqual([]);
  });

  it("gives pieces ids of their own", () => {
    const ids = painted(walk, 4, 6, "run").map((one) => one.id);
    expect(new Set(ids).size).toBe(3);
  });
});

describe("waits", () => {
  it("that touch become one", () => {
    const once = waiting([], 2, 4);
    expect(waiting(once, 3, 6)).toEqual([{ id: once[0]!.id, from: 2, to: 6, weight: null }]);
    expect(waiting(once, 5, 6)).toHaveLength(2);
  });
});

it("degrees go from −180 to 180", () => {
  expect(degrees(270)).toBe(-90);
  expect(degrees(-180)).toBe(180);
  expect(degrees(725)).toBe(5);
});

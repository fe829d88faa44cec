import { expect, it } from "vitest";
import { EMPTY, loaded, stroke } from "./drawing";
import { type Course, followQuestion, orderQuestion, wanderQuestion } from "./request";
import { settingsOf } from "./settings-of";

const LABELS = ["walk", "run"];
const MAKING = { blend: "linear", clean: false } as const;

it("asks the same again of a path", () => {
  const drawn: Course = { drawing: stroke([[0, 0], [0, 8]]) ?? EMPTY, label: "walk", stretches: [{ first: 2, last: 5, label: "run" }], obstacles: [{ x: 1, z: 4, radius: 0.5 }], pauses: [{ at: 3, seconds: 1.5 }, { at: 4, seconds: 2 }] };
  const following = { search: "exact", warp: false, start: "run", speed: 1.2, unbent: true, facing: "any", heading: 0, endHeading: 90, limit: 30, zone: 0.5, avoid: ["walk_1:3>walk_1:40"], prefer: { walk_1: 3 } } as const;
  const asked = followQuestion("g", drawn, following, MAKING, LABELS, ["walk_1"])!.body;
  const told = settingsOf(JSON.parse(JSON.stringify(asked)));
  expect(told.mode).toBe("path");
  expect(told.following).toEqual(following);
  if (!("path" in asked)) throw new Error("a path was asked for");
  const course: Course = { drawing: loaded(asked.path as Parameters<typeof loaded>[0], () => []), label: told.label, stretches: told.stretches, obstacles: told.obstacles, pauses: told.pauses };
  const again = followQuestion("g", course, told.following, { ...MAKING, ...told.making }, LABELS, ["walk_1"])!.body;
  expect({ ...again, path: null }).toEqual({ ...asked, path: null });
});

it("tells random walks from those in order", () => {
  const wandering = { seconds: 12, seed: 7, label: "run", pool: 0.5 };
  const random = settingsOf(wanderQuestion("g", wandering, MAKING, LABELS).body);
  expect([random.mode, random.wandering]).toEqual(["random", wandering]);
  const ordering = { steps: ["walk", "run"], stay: 2, eitherSide: true };
  const ordered = settingsOf(orderQuestion("g", ordering, MAKING)!.body);
  expect([ordered.mode, ordered.ordering]).toEqual(["sequence", ordering]);
});

import { describe, expect, it } from "vitest";
import { EMPTY, shape } from "./drawing";
import { followQuestion, orderQuestion, wanderQuestion, type Following, type Making } from "./request";
import { paint } from "./sections";

const making: Making = { blend: "anticipation", clean: true };
const following: Following = { search: "fast", warp: true, start: "", speed: 0, prefer: {} };
const line = shape("line:8", [[0, 0], [0, 8]]);

describe("what is asked", () => {
  it("is nothing without a path", () => {
    expect(followQuestion("g", { drawing: EMPTY, label: "walk", stretches: [] }, following, making, ["walk"], [])).toBeNull();
  });

  it("leaves out what is not wished for", () => {
    const asked = followQuestion("g", { drawing: line, label: "", stretches: [] }, following, making, ["walk"], []);
    expect(asked).toEqual({
      url: "/api/graphs/g/follow",
      body: { path: { shape: "line:8" }, blend: "anticipation", search: "fast", warp: true, clean: true },
    });
  });

  it("tells labels, preferences, start and speed", () => {
    const course = { drawing: line, label: "", stretches: paint([], 4, 8, "run") };
    const wishes = { ...following, start: "walk", speed: 1.4, prefer: { a: 0, b: 20 } };
    const { body } = followQuestion("g", course, wishes, making, ["run", "walk"], ["a", "b"])!;
    expect(body).toMatchObject({ prefer: { b: 20 }, start: "walk", speed: 1.4 });
    expect("sections" in body && body.sections?.map((one) => one.label)).toEqual(["walk", "run"]);
    expect(body.label).toBeUndefined();
  });

  it("tells headings, limits, obstacles, and what to avoid as far as the graph has it", () => {
    const course = { drawing: line, label: "", stretches: [], obstacles: [{ x: 1, z: 4, radius: 0.5 }] };
    const wishes = { ...following, heading: 0, endHeading: 90, limit: 20, zone: 1, avoid: ["a:3>a:9", "gone:1>a:2"] };
    const { body } = followQuestion("g", course, wishes, making, [], ["a"])!;
    expect(body).toMatchObject({ heading_deg: 0, end_heading_deg: 90, limit: 20, avoid: ["a:3>a:9"], obstacles: course.obstacles });
    // without borders there is no zone about them
    expect("zone" in body && body.zone).toBeFalsy();
  });

  it("tells bends, facing and pauses", () => {
    const course = { drawing: line, label: "", stretches: [], pauses: [{ at: 5, seconds: 2 }, { at: 9, seconds: 1 }] };
    const wishes = { ...following, unbent: true, facing: "any" as const };
    // the second lies beyond the path's end
    expect(followQuestion("g", course, wishes, making, [], [])!.body).toMatchObject({ bend: 0, facing: "any", pause: [{ at: 5, seconds: 2 }] });
  });

  it("leaves out what the graph does not have", () => {
    const course = { drawing: line, label: "dance", stretches: paint([], 4, 8, "crawl") };
    const { body } = followQuestion("g", course, { ...following, start: "dance", prefer: { a: 9 } }, making, ["walk"], ["b"])!;
    expect(body).toEqual({ path: { shape: "line:8" }, blend: "anticipation", search: "fast", warp: true, clean: true });
  });

  it("is a walk at random, or in order", () => {
    expect(wanderQuestion("g", { seconds: 20, seed: 7, label: "", pool: 0 }, making, []).body).toEqual({ seconds: 20, seed: 7, ...making });
    expect(orderQuestion("g", { steps: [], stay: 1 }, making)).toBeNull();
    expect(orderQuestion("g", { steps: ["walk", "run"], stay: 2 }, making)?.body).toEqual({ sequence: ["walk", "run"], stay: 2, ...making });
    expect(orderQuestion("g", { steps: ["walk"], stay: 2, eitherSide: true }, making)?.body).toMatchObject({ either_side: true });
  });
});

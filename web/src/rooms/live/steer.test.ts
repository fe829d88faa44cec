import { describe, expect, it } from "vitest";
import { along, headingOf, pushOfAxes, pushOfKeys, REST, rounded, speedOf, speedsFor, steers, towards, turned, USUAL } from "./steer";

/** Behind who sets out along +Z. */
const BEHIND = Math.PI;

describe("keys", () => {
  it("are one where they mean the same, and none where they are against each other", () => {
    expect(pushOfKeys(["KeyW", "ArrowUp"])).toEqual({ right: 0, ahead: 1 });
    expect(pushOfKeys(["KeyW", "KeyS", "KeyD"])).toEqual({ right: 1, ahead: 0 });
    expect(pushOfKeys([])).toEqual(REST);
    const both = pushOfKeys(["KeyW", "KeyA"]);
    expect(Math.hypot(both.right, both.ahead)).toBeCloseTo(1);
  });

  it("are known by where they are", () => {
    expect(steers("KeyW")).toBe(true);
    expect(steers("ShiftLeft")).toBe(false);
  });
});

describe("sticks", () => {
  it("rest about their middle and reach 1", () => {
    expect(pushOfAxes(0.1, -0.1)).toEqual(REST);
    expect(pushOfAxes(Number.NaN, 0)).toEqual(REST);
    expect(pushOfAxes(0, -1)).toEqual({ right: 0, ahead: 1 });
    expect(pushOfAxes(1, -1).right).toBeCloseTo(Math.SQRT1_2);
  });

  it("walk, and run when they are pushed further", () => {
    expect(speedOf(0, USUAL)).toBe(0);
    expect(speedOf(0.6, USUAL)).toBeCloseTo(1.3);
    expect(speedOf(1, USUAL)).toBeCloseTo(3);
    expect(speedsFor(1.8)).toEqual({ walk: 1.3, run: 1.8 });
  });
});

describe("directions", () => {
  it("are those of the screen: seen from behind, ahead is +Z and right is -X", () => {
    const ahead = along(headingOf({ right: 0, ahead: 1 }, BEHIND), 1.3);
    expect(ahead[0]).toBeCloseTo(0);
    expect(ahead[1]).toBeCloseTo(1.3);
    const right = along(headingOf({ right: 1, ahead: 0 }, BEHIND), 1);
    expect(right[0]).toBeCloseTo(-1);
    expect(right[1]).toBeCloseTo(0);
    // the camera at +X looks along -X
    const seen = along(headingOf({ right: 0, ahead: 1 }, Math.PI / 2), 1);
    expect(seen[0]).toBeCloseTo(-1);
  });

  it("turn the short way", () => {
    expect(turned(3, -3)).toBeCloseTo(2 * Math.PI - 6);
  });
});

describe("a goal", () => {
  it("is gone to, slower when it is near, and reached", () => {
    expect(towards([0, 10], [0, 0], 1.3)![1]).toBeCloseTo(1.3);
    expect(towards([0, 0.6], [0, 0], 3)![1]).toBeCloseTo(1.5);
    expect(towards([0.1, 0.1], [0, 0], 3)).toBeNull();
  });
});

it("numbers are sent without what no hand means", () => {
  expect(rounded(1.23456)).toBe(1.235);
  expect(Object.is(rounded(-0.00001), 0)).toBe(true);
});

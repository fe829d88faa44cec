import { describe, expect, it, vi } from "vitest";
import { fitting, History } from "./history";

describe("History", () => {
  it("goes back and forth through its steps", () => {
    const history = new History("a");
    history.commit("b");
    history.commit("c");
    expect(history.undo()).toBe(true);
    expect(history.value.value).toBe("b");
    expect(history.undo()).toBe(true);
    expect(history.undo()).toBe(false);
    expect(history.value.value).toBe("a");
    expect(history.redo()).toBe(true);
    expect(history.value.value).toBe("b");
    expect(history.canRedo.value).toBe(true);
  });

  it("makes one step of a drag", () => {
    const history = new History(0);
    for (const value of [1, 2, 3]) history.preview(value);
    expect(history.value.value).toBe(3);
    expect(history.canUndo.value).toBe(false);
    history.commit(3);
    history.undo();
    expect(history.value.value).toBe(0);
  });

  it("makes one step of nudges that come in quick succession", () => {
    vi.useFakeTimers();
    const history = new History(0);
    for (const value of [1, 2, 3]) history.nudge(value);
    expect(history.canUndo.value).toBe(false);
    vi.advanceTimersByTime(1000);
    history.nudge(4);
    expect(history.undo()).toBe(true);
    expect(history.value.value).toBe(3);
    history.undo();
    expect(history.value.value).toBe(0);
    vi.useRealTimers();
  });

  it("makes no step of nudges that another step has taken in", () => {
    vi.useFakeTimers();
    const history = new History(0);
    history.nudge(1);
    history.commit(2);
    vi.advanceTimersByTime(1000);
    history.undo();
    expect(history.value.value).toBe(0);
    vi.useRealTimers();
  });

  it("forgets what was undone once another step is made", () => {
    const history = new History(0);
    history.commit(1);
    history.undo();
    history.commit(2);
    expect(history.canRedo.value).toBe(false);
    expect(history.redo()).toBe(false);
    history.undo();
    expect(history.value.value).toBe(0);
  });

  it("keeps only as many steps as told", () => {
    const history = new History(0, 3);
    for (let step = 1; step <= 10; step++) history.commit(step);
    while (history.undo());
    expect(history.value.value).toBe(7);
  });

  it("drops a preview", () => {
    const history = new History(5);
    history.preview(6);
    history.revert();
    expect(history.value.value).toBe(5);
  });

  it("is taken up again from its steps, without previews", () => {
    const history = new History("a");
    history.commit("b");
    history.commit("c");
    history.undo();
    history.preview("z");
    const steps = JSON.parse(JSON.stringify(history.steps.value)) as typeof history.steps.value;
    expect(steps).toEqual({ past: ["a"], now: "b", future: ["c"] });
    const again = new History("x");
    again.restore(steps);
    expect(again.value.value).toBe("b");
    again.redo();
    expect(again.value.value).toBe("c");
    again.undo();
    again.undo();
    expect([again.value.value, again.canUndo.value]).toEqual(["a", false]);
  });

  it("keeps the newest steps where there is little room", () => {
    const long = "x".repeat(100);
    const kept = fitting({ past: [long, long, "near"], now: "now", future: [] }, 100);
    expect(kept).toEqual({ past: ["near"], now: "now", future: [] });
    expect(fitting({ past: [1, 2], now: 3, future: [4] }, 1000)).toEqual({ past: [1, 2], now: 3, future: [4] });
  });
});

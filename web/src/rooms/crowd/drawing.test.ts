import { describe, expect, it } from "vitest";
import { boxOf, changed, EMPTY, isDrawing, lacks, lengthOf, outline, sent, snap, withDoor, withGoal, withGroup, withoutGroup, withoutWall, withWall } from "./drawing";

const room = withWall(withWall(EMPTY, [-4, 0], [4, 0]), [4, 0.1], [4, 5]);
const [start, goal] = [boxOf([-2, -4], [2, -1])!, boxOf([2, 3], [-2, 1])!];

describe("walls", () => {
  it("go on from the end of another, and are not drawn by a slip", () => {
    expect(room.walls).toEqual([[[-4, 0], [4, 0], [4, 5]]]); // prettier-ignore
    expect(withWall(room, [0, 0], [0.1, 0])).toBe(room);
    expect(withWall(room, [-4, 3], [-2, 3]).walls).toHaveLength(2);
    expect(lengthOf(room.walls[0]!)).toBeCloseTo(13);
    expect(withoutWall(room, 0).walls).toEqual([]);
    expect(snap({ x: 0.26, z: -1.04 })).toEqual([0.3, -1]);
  });

  it("have doors where they are cut", () => {
    const { walls } = withDoor(room, [1, 0.2], 1.2);
    expect(walls).toEqual([[[-4, 0], [0.4, 0]], [[1.6, 0], [4, 0], [4, 5]]]); // prettier-ignore
    expect(withDoor(room, [1, 2])).toBe(room);
    // at an end the wall is shorter by it
    expect(withDoor(withWall(EMPTY, [0, 0], [4, 0]), [0.2, 0], 1.2).walls).toEqual([[[0.8, 0], [4, 0]]]); // prettier-ignore
  });
});

describe("groups", () => {
  it("start from one box and go to another", () => {
    const one = withGroup(room, start, 8);
    expect(lacks(EMPTY)).toContain("start");
    expect(lacks(one)).toBe("Draw a box to which group 1 goes.");
    const both = withGoal(one, goal);
    expect(lacks(both)).toBeNull();
    expect(sent(both)).toEqual({
      groups: [{ count: 8, start: { x: 0, z: -2.5, width: 4, depth: 3 }, goal: { x: 0, z: 2, width: 4, depth: 2 } }],
      walls: room.walls,
    });
    expect(changed(both, 0, { count: 3 }).groups[0]!.count).toBe(3);
    expect(withoutGroup(both, 0).groups).toEqual([]);
    expect(withGoal(room, goal)).toBe(room);
  });

  it("a second goal is the chosen group's, or that of who has none", () => {
    const two = withGroup(withGoal(withGroup(room, start, 8), goal), start, 4);
    expect(withGoal(two, start).groups.map((group) => group.goal)).toEqual([goal, start]);
    expect(withGoal(two, start, 0).groups.map((group) => group.goal)).toEqual([start, null]);
  });

  it("need boxes of some size", () => {
    expect(boxOf([0, 0], [0.1, 3])).toBeNull();
    expect(outline(goal)[0]).toEqual(outline(goal)[4]);
  });
});

describe("a kept drawing", () => {
  it("is known from anything else", () => {
    expect(isDrawing(room)).toBe(true);
    for (const other of [null, 3, {}, { walls: [[[0, 0]]], groups: [] }]) expect(isDrawing(other)).toBe(false);
  });
});

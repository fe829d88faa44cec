import { expect, it } from "vitest";
import { padOf } from "./pad";

const pad = (axes: number[], pressed: number[] = []) => ({
  axes,
  connected: true,
  buttons: [0, 1, 2, 3].map((index) => ({ pressed: pressed.includes(index), touched: false, value: 0 })),
});

it("takes the gamepad that is used", () => {
  expect(padOf([]).push).toBeNull();
  expect(padOf([null, pad([0, -1, 0, 0])]).push).toEqual({ right: 0, ahead: 1 });
  const both = padOf([pad([0.02, 0.05, 0, 0]), pad([0, 0, 1, 0], [2])]);
  expect(both.looks).toEqual({ right: 1, ahead: -0 });
  expect([...both.pressed]).toEqual([2]);
  expect(padOf([pad([0, 0])]).looks).toBeNull();
});

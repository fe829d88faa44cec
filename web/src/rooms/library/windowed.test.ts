import { expect, test } from "vitest";
import { scrollTo, windowed } from "./windowed";

const sight = { across: 2, tall: 120, top: 0, high: 600 };

test("only what is in sight is made, and the rest takes its room", () => {
  for (const top of [0, 50, 1200, 144_000, 145_500]) {
    const { start, end, before, after } = windowed(2425, { ...sight, top });
    expect(end - start).toBeLessThan(30);
    expect(before).toBe((start / 2) * 120);
    expect(before + Math.ceil((end - start) / 2) * 120 + after).toBe(1213 * 120);
    expect(start * 60).toBeLessThanOrEqual(top);
    expect(end === 2425 || end * 60 >= top + 600).toBe(true);
  }
});

test("before a card was measured, the first few are made", () => {
  expect(windowed(2425, { ...sight, tall: 0 })).toEqual({ start: 0, end: 60, before: 0, after: 0 });
  expect(windowed(5, { ...sight, tall: 0 }).end).toBe(5);
});

test("a list that got shorter while it was scrolled shows its end", () => {
  expect(windowed(201, { ...sight, top: 90_000 })).toEqual({ start: 200, end: 201, before: 100 * 120, after: 0 });
});

test("what is out of sight is scrolled to", () => {
  expect(scrollTo(3, sight)).toBeNull();
  const top = scrollTo(1000, sight)!;
  expect(scrollTo(1000, { ...sight, top })).toBeNull();
  expect(scrollTo(-1, sight)).toBeNull();
});

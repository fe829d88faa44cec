import { effect } from "@preact/signals";
import { beforeEach, describe, expect, it } from "vitest";
import * as playback from "./playback";

describe("advance", () => {
  it("goes on, stops at the end, or begins again", () => {
    expect(playback.advance(1, 0.5, 0, 2, false)).toEqual({ time: 1.5, playing: true });
    expect(playback.advance(1.8, 0.5, 0, 2, false)).toEqual({ time: 2, playing: false });
    const round = playback.advance(1.8, 0.5, 0, 2, true);
    expect(round.playing).toBe(true);
    expect(round.time).toBeCloseTo(0.3);
  });

  it("stays within its part", () => {
    expect(playback.advance(0.2, 0.1, 1, 2, true).time).toBe(1);
    expect(playback.advance(1.95, 0.1, 1, 2, true).time).toBeCloseTo(1.05);
    expect(playback.advance(0.5, 0.1, 1, 1, true)).toEqual({ time: 1, playing: false });
  });
});

describe("playback", () => {
  beforeEach(() => playback.setLength(2, 30));

  it("counts frames", () => {
    expect(playback.frames.value).toBe(60);
    playback.seekFrame(12);
    expect(playback.frame.value).toBe(12);
    playback.step(1);
    expect(playback.frame.value).toBe(13);
    playback.step(-100);
    expect(playback.frame.value).toBe(0);
    playback.seekFrame(1000);
    expect(playback.frame.value).toBe(59);
    // every frame comes back as itself, whatever the rate
    for (const rate of [23.976, 29.97, 120]) {
      playback.setLength(600 / rate, rate);
      for (let index = 0; index < 600; index++) {
        playback.seekFrame(index);
        expect(playback.frame.value).toBe(index);
      }
    }
  });

  it("keeps its time where that is asked for and fits", () => {
    playback.seek(1.5);
    playback.setLength(4, 30, true);
    expect(playback.time.value).toBe(1.5);
    playback.setLength(1, 30, true);
    expect(playback.time.value).toBeCloseTo(29 / 30);
    playback.setLength(1, 30);
    expect(playback.time.value).toBe(0);
  });

  it("steps through speeds from 0.1 to 4", () => {
    playback.speed.value = 1;
    for (let i = 0; i < 20; i++) playback.changeSpeed(1);
    expect(playback.speed.value).toBe(4);
    for (let i = 0; i < 20; i++) playback.changeSpeed(-1);
    expect(playback.speed.value).toBe(0.1);
  });
});

it("an effect that shows something does not bring itself about", () => {
  let times = 0;
  const end = effect(() => {
    times += 1;
    playback.setLength(2, 30);
  });
  expect(times).toBe(1);
  end();
});

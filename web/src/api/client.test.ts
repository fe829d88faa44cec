import { expect, it } from "vitest";
import { goTo } from "../state/store";
import { patch, post, postPack, put } from "./client";
import type { FollowRequest, GraphRequest, Job, PathJSON, RepathRequest, ResultPack, StrikeRequest } from "./types";

/** None of these is ever sent: the compiler tells what could not be. */
export const unsent = [
  // @ts-expect-error no graph is asked for by colour
  () => post<Job, GraphRequest>("/api/graphs", { name: "g", clips: [], colour: "red" }),
  // @ts-expect-error a body whose type was not named
  () => post<Job>("/api/graphs", { name: "g", clips: [] }),
  // @ts-expect-error neither here
  () => put("/api/sketches/s", { shape: "eight:3" }),
  // @ts-expect-error nor here
  () => patch("/api/clips/c", { name: "c" }),
  // @ts-expect-error a slip of the pen
  () => postPack<ResultPack, FollowRequest>("/api/graphs/g/follow", { path: { shape: "eight:3" }, widht: 80 }),
  // @ts-expect-error not one of the ways to end
  () => postPack<ResultPack, RepathRequest>("/api/clips/c/repath", { path: { shape: "eight:3" }, end: "fade" }),
  // @ts-expect-error a strike needs a target
  () => postPack<ResultPack, StrikeRequest>("/api/spaces/s/reach", { mirror: true }),
  // @ts-expect-error there is no such room
  () => goTo("cellar"),
];

it("sends nothing of what is undefined", () => {
  const path: PathJSON = { degree: 3, controls: [[0, 0], [1, 1]] }; // prettier-ignore
  const body: FollowRequest = { path, label: undefined, blend: "inertial" };
  expect(JSON.parse(JSON.stringify(body))).toEqual({ path, blend: "inertial" });
});

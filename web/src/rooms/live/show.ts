/** The stage as the room shows it: who is steered, where they should go and where they went, and a camera that goes behind them. */
import { effect } from "@preact/signals";
import type { Pose } from "../../motion/motion";
import { followed } from "../../shell/state";
import type { Stage, View } from "../../stage/stage";
import { body } from "../../state/motions";
import { complain, figure } from "../../state/store";
import { lookAtPad, lookAtPointer, pointerTool } from "./hands";
import { newest, poses, setOuts, tellWish, tween, wished } from "./session";
import { goal, graphId, person } from "./state";
import { turned } from "./steer";
import { Steady } from "./steady";
import { Trail } from "./trail";

const ACTOR = "live";
/** Metres above the floor: what lies on what. */
const HEIGHT = { walked: 0.006, wished: 0.01, goal: 0.012 };
/** Behind who sets out along +Z: left on the floor is left on the screen. */
const BEHIND: View = { position: [0, 3.3, -5.4], target: [0, 0.8, 0.9] };
/** Radians a second by which the camera goes round behind, and m/s from which it does. */
const ROUND = 0.7;
const GOES = 0.3;
/** Milliseconds for which a camera that was turned by hand stays as it is. */
const BY_HAND = 2000;
/** Seconds ahead that the wished way is drawn. */
const AHEAD = 1;

/** Show everything for as long as the room is open; returns a function that ends it and clears the stage. */
export function startShowing(stage: Stage): () => void {
  const trail = new Trail();
  // as it is drawn, for the camera; and as poses come, for the way that was walked
  const steady = new Steady();
  const walked = new Steady();
  let setOut = -1;
  let pose: Pose | null = null;
  let before = performance.now();
  let turnedByHand = -Infinity;
  let ticking = 0;
  const actor = stage.actor(ACTOR);

  const hand = (): void => {
    turnedByHand = performance.now();
  };
  stage.camera.controls.addEventListener("start", hand);
  stage.camera.controls.addEventListener("end", hand);
  stage.tool(pointerTool());
  stage.camera.show(BEHIND, false);

  const ends = [
    effect(() => {
      const who = person.value;
      actor.setMotion(who?.motion ?? null, null);
      pose = who?.motion.newPose() ?? null;
      if (!who) return;
      stage.camera.show(BEHIND, false);
      const id = graphId.peek();
      if (id) void dress(id, who.motion.body);
    }),
    effect(() => actor.setStyle({ figure: figure.value, visible: person.value !== null })),
    effect(() => {
      void poses.value;
      drawWays();
    }),
    effect(() => {
      const place = goal.value;
      stage.dots("live.goal", place ? [[place[0], HEIGHT.goal, place[1]]] : null, { colour: "c-path", shape: "ring", size: 0.4 });
    }),
  ];

  async function dress(id: string, wanted: string): Promise<void> {
    try {
      const found = await body(wanted, `/api/graphs/${id}/body`);
      if (person.peek()?.motion.body === wanted) actor.setBody(found);
    } catch (error) {
      complain(error);
    }
  }

  function drawWays(): void {
    if (!newest) {
      for (const id of ["live.walked", "live.wished"]) stage.line(id, null);
      return;
    }
    const [x, , z] = newest.root as unknown as [number, number, number];
    if (setOut !== setOuts) {
      setOut = setOuts;
      trail.clear();
      walked.forget();
      steady.forget();
    }
    const at = walked.add(newest.root, 1 / person.peek()!.motion.fps);
    if (trail.add(at[0]!, at[2]!, HEIGHT.walked)) stage.line("live.walked", trail.points as [number, number, number][], { colour: "c-walked", width: 2 });
    const [vx, vz] = wished.peek();
    const to = goal.peek() ?? [x + vx * AHEAD, z + vz * AHEAD];
    const far = Math.hypot(to[0] - x, to[1] - z);
    const line = far > 0.05 ? [[x, HEIGHT.wished, z], [to[0], HEIGHT.wished, to[1]]] : []; // prettier-ignore
    stage.line("live.wished", line, { colour: "c-path", width: 4, opacity: 0.85 });
  }

  function tick(): void {
    ticking = requestAnimationFrame(tick);
    const now = performance.now();
    lookAtPad();
    lookAtPointer(stage);
    tellWish(now);
    if (!pose || !tween || now - before < stage.breath) return;
    const passed = Math.min((now - before) / 1000, 0.25);
    before = now;
    if (!tween.at(now / 1000, pose)) return;
    const from = steady.place;
    const middle = steady.add(pose.root, passed);
    actor.setPose(pose, middle);
    stage.setTime(stage.time);
    if (from && now - turnedByHand > BY_HAND) goRound((middle[0]! - from[0]!) / passed, (middle[2]! - from[2]!) / passed, passed);
  }

  /** Turn the camera a little towards where it would be behind who goes; not for who comes towards it. */
  function goRound(vx: number, vz: number, passed: number): void {
    if (!followed.value || !(Math.hypot(vx, vz) > GOES)) return;
    const { position, target } = stage.camera.view();
    const [dx, dz] = [position[0] - target[0], position[2] - target[2]];
    const off = turned(Math.atan2(dx, dz), Math.atan2(-vx, -vz));
    const by = Math.sin(off) * ROUND * passed;
    const [cosine, sine] = [Math.cos(by), Math.sin(by)];
    stage.camera.show({ position: [target[0] + dx * cosine + dz * sine, position[1], target[2] + dz * cosine - dx * sine], target }, false);
  }

  ticking = requestAnimationFrame(tick);
  return () => {
    cancelAnimationFrame(ticking);
    for (const end of ends) end();
    stage.camera.controls.removeEventListener("start", hand);
    stage.camera.controls.removeEventListener("end", hand);
    stage.tool(null);
    for (const id of ["live.walked", "live.wished"]) stage.line(id, null);
    stage.dots("live.goal", null);
    stage.drop(ACTOR);
  };
}

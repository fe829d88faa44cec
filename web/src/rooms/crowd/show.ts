/** The stage as the room shows it: walls, boxes, everybody at the time of the clock, and the one who is looked at. */
import { effect, untracked } from "@preact/signals";
import { Color } from "three";
import type { Pose } from "../../motion/motion";
import type { Body } from "../../stage/body";
import type { Sizes } from "../../motion/skinning";
import type { Hero } from "../../stage/hero";
import { Multitude } from "../../stage/multitude";
import { DARK, LIGHT } from "../../stage/palette";
import type { Stage } from "../../stage/stage";
import { narrow, sheets } from "../../shell/state";
import { coming, hero } from "../../state/hero";
import { body as bodyOf } from "../../state/motions";
import * as playback from "../../state/playback";
import { drawsPlainly } from "../../state/stage";
import { complain, dark, figure } from "../../state/store";
import { setLanes } from "../../timeline/lanes";
import { ofGroup, ofSpeed, UNDER_WAY, WAITING } from "./colours";
import { addTo, gridOver } from "./density";
import { DensityMap, dropMesh, floorMesh, wallMesh } from "./floor";
import { Heroes, mostOf, nearest } from "./heroes";
import { picked, type Seen } from "./picking";
import { boxOf, outline, type Place } from "./drawing";
import { colourBy, density, graph, isDrawn, person, run, scene, stroke, there, tool, type Run } from "./state";
import { handOf } from "./tools";

const ACTOR = "crowd";
const NOBODY: ReadonlySet<number> = new Set();
/** Metres above the floor: what lies on what. */
const HEIGHT = { box: 0.006, wall: 0.01, stroke: 0.014 };
/** Pixels that a pointer moves at most in a click. */
const STILL = 4;
/** Metres of a body, for a click on it. */
const TALL = 1.75;

/** How much of the body's own grey is left by a tint. */
const OWN = 0.28;

/** Show everything for as long as the room is open; returns a function that ends it and clears the stage. */
export function startShowing(stage: Stage): () => void {
  let many: Multitude | null = null;
  let heroes: Heroes | null = null;
  let sizes: Sizes[] = [];
  let map: DensityMap | null = null;
  let pose: Pose | null = null;
  let own: Pose | null = null;
  let drawn: string[] = [];
  let meshes: ReturnType<typeof floorMesh>[] = [];
  const colour = new Color();
  const actor = stage.actor(ACTOR);
  const listening = new AbortController();

  const ends = [
    effect(() => {
      void dark.value;
      layOut();
    }),
    effect(() => {
      const now = run.value;
      const plain = drawsPlainly.value;
      actor.setMotion(now?.motion ?? null, null);
      pose = now?.motion.newPose() ?? null;
      own = now?.motion.newPose() ?? null;
      dropMany();
      if (now) void dress(plain);
    }),
    effect(() => {
      // one that has just come is on the stage as soon as it is no longer waited for
      void [hero.value, coming.value];
      const now = run.value;
      const one = figure.value === "mannequin" ? stage.hero : null;
      const plain = drawsPlainly.value;
      dropHeroes();
      if (now && one) void enlist(one, now, plain);
      else untracked(show);
    }),
    effect(() => {
      const palette = dark.value ? DARK : LIGHT;
      many?.light(palette, stage.palette);
      void [playback.time.value, there.value, colourBy.value, person.value, density.value];
      // the clock has told the stage before: what is new with the time is told once more
      untracked(show);
    }),
    effect(() => stage.tool(isDrawn.value ? handOf(tool.value) : null)),
    effect(() => {
      const now = stroke.value;
      const box = now && now.tool !== "wall" && now.tool !== "door" ? boxOf(now.from, now.to) : null;
      const points: readonly Place[] = box ? outline(box) : now?.tool === "wall" ? [now.from, now.to] : [];
      stage.line("crowd.stroke", points.length ? raised(points, HEIGHT.stroke) : null, { colour: "accent", width: 3 });
    }),
    effect(() => {
      const frames = run.value?.frames;
      void there.value;
      // beside its settings a phone has place for the crowd or for the plot
      const isTight = narrow.value && sheets.value["crowd"] !== "down";
      if (!frames?.count || isTight) return setLanes([]);
      setLanes([{ id: "crowd.waiting", label: "Waiting", values: frames.waiting, unit: "people", digits: 0, colour: WAITING }]);
    }),
    effect(() => {
      const who = person.value;
      untracked(() => stage.camera.follow(who === null ? null : ACTOR));
    }),
  ];

  /** Points of a line above the ground; over hills it has more of them. */
  function raised(points: readonly Place[], y: number): number[][] {
    const hilly = scene.peek()?.ground;
    const all = hilly ? points.flatMap((point, index) => (index ? between(points[index - 1]!, point) : [point])) : points;
    return all.map(([x, z]) => [x, stage.height(x, z) + y, z]);
  }

  /** Lines and shapes of the scenario. */
  function layOut(): void {
    for (const id of drawn) stage.line(id, null);
    for (const mesh of meshes) dropMesh(mesh);
    drawn = [];
    meshes = [];
    const now = scene.value;
    stage.ground("crowd", now?.ground ?? null);
    if (!now) return;
    const line = (id: string, points: readonly Place[], name: string, width: number, dashed = false): void => {
      if (points.length < 2) return;
      drawn.push(id);
      stage.line(id, raised(points, id.includes("wall") ? HEIGHT.wall : HEIGHT.box), { colour: name, width, dashed });
    };
    now.walls.forEach((wall, index) => line(`crowd.wall.${index}`, wall as readonly Place[], "text-2", 4));
    const put = (id: string, mesh: ReturnType<typeof floorMesh>): void => {
      meshes.push(mesh);
      stage.mesh(id, mesh);
    };
    put("crowd.walls", wallMesh(now.walls as readonly Place[][], stage.palette.colour("text-2")));
    now.groups.forEach((group, index) => {
      const name = ofGroup(index);
      const closed = (points: readonly (readonly [number, number])[]): Place[] => (points.length > 2 ? [...points, points[0]!] : [...points]);
      line(`crowd.start.${index}`, closed(group.start), name, 2, true);
      line(`crowd.goal.${index}`, closed(group.goal), name, 3);
      if (group.goal.length > 2) put(`crowd.goal.fill.${index}`, floorMesh(group.goal as Place[], stage.palette.colour(name), 0.18));
    });
  }

  async function dress(plain: boolean): Promise<void> {
    const now = run.peek()!;
    const id = graph.peek()?.id;
    if (!id) return;
    try {
      const body: Body = await bodyOf(now.motion.body, `/api/graphs/${id}/body`);
      if (run.peek() !== now) return;
      actor.setBody(body);
      dropMany();
      many = new Multitude(now.motion, body, now.facts.people, plain);
      many.light(dark.peek() ? DARK : LIGHT, stage.palette);
      sizes = now.facts.build.map((build) => sizesOf(build, now.facts.bones, now.facts.skin));
      stage.mesh("crowd.people", many.mesh);
      stage.mesh("crowd.shadows", many.shadows);
      show();
    } catch (error) {
      complain(error);
    }
  }

  async function enlist(one: Hero, now: Run, plain: boolean): Promise<void> {
    const found = await Heroes.of(one, now.motion, mostOf(now.facts.people, plain));
    if (run.peek() !== now || stage.hero !== one || heroes) return found?.dispose();
    heroes = found;
    if (found) stage.mesh("crowd.heroes", found.group);
    show();
  }

  function dropHeroes(): void {
    stage.mesh("crowd.heroes", null);
    heroes?.dispose();
    heroes = null;
  }

  /** Who is shown as the character in a frame: of those who are seen, the nearest. */
  function chosen(frames: Run["frames"], time: number, frame: number, who: number | null, out: Pose): ReadonlySet<number> {
    if (!heroes || !many) return NOBODY;
    const eye = stage.camera.camera.position;
    const away: { who: number; far: number }[] = [];
    for (let one = 0; one < frames.people; one++) {
      if (one === who || !frames.isThere(frame, one)) continue;
      frames.pose(time, one, out);
      if (many.sees(out)) away.push({ who: one, far: Math.hypot(out.root[0]! - eye.x, out.root[1]! - eye.y, out.root[2]! - eye.z) });
    }
    return nearest(away, heroes.most);
  }

  function dropMany(): void {
    stage.mesh("crowd.people", null);
    stage.mesh("crowd.shadows", null);
    many?.dispose();
    many = null;
  }

  /** Everybody as they are at the time of the clock. */
  function show(): void {
    const now = run.peek();
    if (!now?.frames.count || !pose || !own) {
      actor.setStyle({ visible: false });
      stage.dots("crowd.person", null);
      showDensity(-1);
      return stage.requestRender();
    }
    const { frames } = now;
    const time = playback.time.peek();
    const frame = frames.frameAt(time);
    const who = person.peek();
    many?.begin(stage.camera.camera, stage.camera.controls.getDistance());
    heroes?.begin();
    const near = chosen(frames, time, frame, who, pose);
    for (let one = 0; one < frames.people; one++) {
      if (one === who || !many || !frames.isThere(frame, one)) continue;
      frames.pose(time, one, pose);
      const floor = stage.height(pose.root[0]!, pose.root[2]!);
      if (near.has(one)) heroes?.add(pose, time, now.facts.build[one]![0]!, colourOf(frame, one), floor);
      else many.add(pose, colourOf(frame, one), sizes[one], floor);
    }
    many?.end();
    heroes?.end();
    let seenAt: readonly number[] = [];
    const isSeen = who !== null && frames.isThere(frame, who);
    // a character is nobody's tint: the ring tells who it is
    actor.setStyle({ visible: isSeen, tint: heroes ? null : "accent" });
    if (isSeen) {
      frames.pose(time, who, own);
      const at = Array.from(own.root);
      const legs = now.facts.build[who]![0];
      // the actor as a whole is scaled by its legs, so that its feet stand; its root is told as if it were not
      actor.group.scale.setScalar(legs);
      own.root.set(at.map((value) => value / legs));
      actor.setPose(own, at);
      seenAt = at;
    }
    stage.dots("crowd.person", isSeen ? [[seenAt[0]!, stage.height(seenAt[0]!, seenAt[2]!) + HEIGHT.stroke, seenAt[2]!]] : null, { colour: "accent", shape: "ring", size: 0.9 });
    showDensity(frame);
    stage.setTime(time);
  }

  /** A body's own grey, tinted. */
  function colourOf(frame: number, one: number): Color {
    const { frames, facts } = run.peek()!;
    const { palette } = stage;
    const by = colourBy.peek();
    if (by === "group") colour.copy(palette.colour(ofGroup(facts.group[one]!)));
    else if (by === "waiting") colour.copy(palette.colour(frames.waits(frame, one) ? WAITING : UNDER_WAY));
    else {
      const { from, to, share } = ofSpeed(frames.speed(frame, one));
      colour.lerpColors(palette.colour(from), palette.colour(to), share);
    }
    return colour.lerp(palette.colour((dark.peek() ? DARK : LIGHT).body), OWN);
  }

  function showDensity(frame: number): void {
    const now = run.peek();
    if (!density.peek() || !now || frame < 0) {
      dropMap();
      return;
    }
    const { frames } = now;
    if (!map) {
      const bounds = stage.bounds();
      const grid = bounds && gridOver([bounds[0]!, bounds[2]!, bounds[3]!, bounds[5]!]);
      if (!grid) return;
      map = new DensityMap(grid);
      stage.mesh("crowd.density", map.mesh);
    }
    map.grid.values.fill(0);
    for (let one = 0; one < frames.people; one++) if (frames.isThere(frame, one)) addTo(map.grid, ...frames.place(frame, one));
    map.update();
  }

  function dropMap(): void {
    if (!map) return;
    stage.mesh("crowd.density", null);
    dropMesh(map.mesh);
    map = null;
  }

  /** Those who are seen, where they are on the screen. */
  function* seen(): Generator<Seen> {
    const now = run.peek();
    if (!now?.frames.count) return;
    const frame = now.frames.frameAt(playback.time.peek());
    const eye = stage.camera.camera.position;
    for (let who = 0; who < now.frames.people; who++) {
      if (!now.frames.isThere(frame, who)) continue;
      const [x, z] = now.frames.place(frame, who);
      const floor = stage.height(x, z);
      const [feet, crown] = [stage.screen([x, floor, z]), stage.screen([x, floor + TALL, z])];
      if (feet && crown) yield { who, x: (feet.x + crown.x) / 2, feet: Math.max(feet.y, crown.y), crown: Math.min(feet.y, crown.y), away: Math.hypot(eye.x - x, eye.z - z) };
    }
  }

  // whoever comes into sight is added
  const turned = (): void => show();
  stage.camera.controls.addEventListener("change", turned);

  let pressed: PointerEvent | null = null;
  stage.canvas.addEventListener("pointerdown", (event) => (pressed = event), { signal: listening.signal });
  stage.canvas.addEventListener(
    "pointerup",
    (event) => {
      const from = pressed;
      pressed = null;
      if (!from || event.button !== 0 || Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > STILL) return;
      const who = picked(seen(), event.clientX, event.clientY);
      if (who !== null) person.value = who;
    },
    { signal: listening.signal },
  );

  return () => {
    listening.abort();
    stage.camera.controls.removeEventListener("change", turned);
    for (const end of ends) end();
    dropMany();
    dropHeroes();
    dropMap();
    for (const id of drawn) stage.line(id, null);
    for (const mesh of meshes) dropMesh(mesh);
    stage.ground("crowd", null);
    stage.line("crowd.stroke", null);
    stage.dots("crowd.person", null);
    stage.camera.follow(null);
    stage.drop(ACTOR);
    setLanes([]);
  };
}

/** Places from one to another, the last among them, half a metre apart at most. */
function between([ax, az]: Place, [bx, bz]: Place): Place[] {
  const count = Math.max(1, Math.ceil(Math.hypot(bx - ax, bz - az) / 0.5));
  return Array.from({ length: count }, (_, step) => [ax + ((bx - ax) * (step + 1)) / count, az + ((bz - az) * (step + 1)) / count] as const);
}

/** How somebody is built, joint by joint. */
function sizesOf(build: readonly number[], bones: readonly number[], skin: readonly number[]): Sizes {
  const of = (parts: readonly number[]): Float32Array => Float32Array.from(parts, (part) => build[part]!);
  return { bones: of(bones), skin: of(skin) };
}

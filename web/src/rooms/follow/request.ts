/** What is asked of the server, from what is set in the room. What is undefined is not sent. */

import type { FollowRequest, PathJSON, WalkRequest } from "../../api/types";
import { length } from "../../motion/spline";
import { lineOf, sent, type Drawing } from "./drawing";
import { known, restLabel, wish, type Stretch } from "./sections";

export type Mode = "path" | "random" | "sequence";

/** How motion is made of a walk. */
export type Making = Required<Pick<FollowRequest, "blend" | "clean">>;

/**
 * How a path is followed. start: a clip or label to begin with, "" for any; speed: metres a second wished for, 0 for any; prefer: clip → cm;
 * unbent: whether clips are left as they were captured; facing: which way a body faces.
 */
export interface Following extends Required<Pick<FollowRequest, "search" | "warp">> {
  readonly start: string;
  readonly speed: number;
  readonly unbent?: boolean;
  readonly facing?: FollowRequest["facing"];
  /** degrees to face at first and at the end, seconds at most, metres about a border of labels; null for any */
  readonly heading?: number | null;
  readonly endHeading?: number | null;
  readonly limit?: number | null;
  readonly zone?: number | null;
  /** transitions that nobody wants to see again, as results name them */
  readonly avoid?: readonly string[];
  readonly prefer: Readonly<Record<string, number>>;
}

/** A random walk. pool: the share of the best transitions to choose from, 0 for all of them. */
export interface Wandering {
  readonly seconds: number;
  readonly seed: number;
  readonly label: string;
  readonly pool: number;
}

/** Clips and labels in order, each for `stay` seconds. eitherSide: whether mirrored copies count. */
export interface Ordering {
  readonly steps: readonly string[];
  readonly stay: number;
  readonly eitherSide?: boolean;
}

/** A question to the server: where, and what. */
export interface Question {
  readonly url: string;
  readonly body: FollowRequest | WalkRequest;
}

/** The path with its labels. */
export interface Course {
  readonly drawing: Drawing;
  /** label of the whole path, "" for any */
  readonly label: string;
  readonly stretches: readonly Stretch[];
  /** what is walked around */
  readonly obstacles?: NonNullable<FollowRequest["obstacles"]>;
  /** where somebody stands, and for how long */
  readonly pauses?: NonNullable<FollowRequest["pause"]>;
}

/** The question of a path; null where there is none to follow yet. labels, clips: those of the graph. */
export function followQuestion(
  graph: string,
  course: Course,
  following: Following,
  making: Making,
  labels: readonly string[],
  clips: readonly string[],
): Question | null {
  const path: PathJSON | null = sent(course.drawing);
  if (!path) return null;
  const metres = length(lineOf(course.drawing));
  const prefer = Object.fromEntries(Object.entries(following.prefer).filter(([clip, margin]) => margin > 0 && clips.includes(clip)));
  // what another graph had must not keep this one from being asked
  const painted = course.stretches.filter((stretch) => labels.includes(stretch.label));
  const start = clips.includes(following.start) ? following.start : known(following.start, labels);
  const { label, sections } = wish(painted, metres, known(course.label, labels), restLabel(course.label, labels));
  // what lies beyond this path is no pause of it
  const pause = (course.pauses ?? []).filter(({ at }) => at <= metres);
  const avoid = (following.avoid ?? []).filter((named) => knownEnds(named, clips));
  const body: FollowRequest = {
    path,
    label,
    sections,
    prefer: Object.keys(prefer).length ? prefer : undefined,
    blend: making.blend,
    search: following.search,
    warp: following.warp,
    clean: making.clean,
    start: start || undefined,
    speed: following.speed > 0 ? following.speed : undefined,
    bend: following.unbent ? 0 : undefined,
    facing: following.facing === "any" ? "any" : undefined,
    pause: pause.length ? pause : undefined,
    heading_deg: following.heading ?? undefined,
    end_heading_deg: following.endHeading ?? undefined,
    limit: following.limit ?? undefined,
    zone: sections ? (following.zone ?? undefined) : undefined,
    avoid: avoid.length ? avoid : undefined,
    obstacles: course.obstacles?.length ? course.obstacles : undefined,
  };
  return { url: `/api/graphs/${graph}/follow`, body };
}

/** Whether a transition, `walk:34>run:12`, is between clips of this graph. */
function knownEnds(named: string, clips: readonly string[]): boolean {
  const ends = /^(.+):\d+>(.+):\d+$/.exec(named);
  return ends !== null && clips.includes(ends[1]!) && clips.includes(ends[2]!);
}

/** The question of a random walk. */
export function wanderQuestion(graph: string, wandering: Wandering, making: Making, labels: readonly string[]): Question {
  const { seconds, seed, pool } = wandering;
  const label = known(wandering.label, labels) || undefined;
  const body: WalkRequest = { seconds, seed, label, pool: pool > 0 ? pool : undefined, ...making };
  return { url: `/api/graphs/${graph}/walk`, body };
}

/** The question of a walk in order; null while nothing is to be visited. */
export function orderQuestion(graph: string, ordering: Ordering, making: Making): Question | null {
  if (ordering.steps.length === 0) return null;
  const body: WalkRequest = { sequence: ordering.steps, stay: ordering.stay, either_side: ordering.eitherSide || undefined, ...making };
  return { url: `/api/graphs/${graph}/walk`, body };
}

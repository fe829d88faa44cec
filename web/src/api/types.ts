/** What the server tells, as types. The server's own description of it is /api/openapi.json. */

export interface Entry {
  id: string;
  name: string;
  file: string;
  size: number;
  modified: string | number;
}

export interface ClipInfo {
  frames: number;
  fps: number;
  seconds: number;
  joints: number;
  height_m: number | null;
  distance_m: number | null;
  labels: string[];
  notices: string[];
  error: string | null;
  skeleton: string;
}

export interface Clip extends Entry {
  info: ClipInfo | null;
}

export interface LabelSpan {
  label: string;
  first: number;
  last: number;
  origin: string;
}

export interface ClipDetail extends Clip {
  spans: LabelSpan[];
  roles: Record<string, unknown>;
}

export interface GraphFile extends Entry {
  clips: number | null;
  error: string | null;
}

export interface SpaceFile extends Entry {
  space: string;
  kind: string;
  side: string;
  strikes: number;
}

export interface KeptResult extends Entry {
  title: string;
  room: string;
  seconds: number;
  quality: Record<string, unknown> | null;
}

export type JobState = "queued" | "running" | "done" | "failed" | "cancelled" | "interrupted";

export interface Job {
  id: string;
  kind: string;
  title: string;
  /** rises with every change */
  revision: number;
  state: JobState;
  stage: string;
  done: number;
  total: number;
  eta_s: number | null;
  started: string | null;
  ended: string | null;
  message: string | null;
  request: Record<string, unknown>;
  result: Record<string, unknown> | null;
}

export interface Shape {
  name: string;
  text: string;
  help: string;
}

export interface WriteFormat {
  suffix: string;
  name: string;
  available: boolean;
  why: string | null;
}

export interface ServerState {
  version: string;
  workspace: { name: string; folder: string; writable: boolean };
  clips: Clip[];
  graphs: GraphFile[];
  spaces: SpaceFile[];
  sketches: Entry[];
  results: KeptResult[];
  exports: Entry[];
  jobs: Job[];
  shapes: Shape[];
  blends: string[];
  formats: { read: string[]; write: WriteFormat[] };
  open: string | null;
}

/** Paths as they are sent: a shape, points on the floor, or the controls of a spline. */
export type PathJSON = { shape: string } | { points: number[][] } | { degree: number; controls: number[][] };

export type ServerEvent =
  | { type: "job"; job: Job }
  | { type: "clip"; clip: Clip }
  | { type: "changed"; what: "clips" | "graphs" | "spaces" | "sketches" | "results" | "exports" };

/** One planted foot part of a result. */
export interface Plant {
  foot: "left" | "right";
  part: "heel" | "ball";
  first: number;
  last: number;
  x: number;
  y: number;
  z: number;
  heading: number;
}

export interface Transition {
  first: number;
  length: number;
  cost_cm: number;
  from: string;
  to: string;
}

/** facts.result of a result pack. */
export interface ResultFacts {
  id: string;
  room: "follow" | "walk" | "repath" | "strike";
  title: string;
  request: Record<string, unknown>;
  source: { graph?: string; clip?: string; space?: string };
  quality: Record<string, any> | null;
  notices: string[];
  reached: boolean;
  short: string | null;
  path: number[][] | null;
  transitions: Transition[];
  clips: string[];
  labels: string[];
  plants: Plant[];
  cpu_s: number;
  [more: string]: any;
}

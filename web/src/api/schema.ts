/** What the server takes and answers. Written by web/schema.py from the server's description: do not edit, run `make web`. */

/** Clips that are to come into a graph. */
export interface Added {
  readonly clips: readonly string[];
}

/** How far two windows are apart once the second is laid on the first: turned by angle about the vertical, then shifted by x and z. */
export interface Alignment {
  readonly distance_cm: number;
  readonly angle: number;
  readonly x: number;
  readonly z: number;
}

/** Frames first … first + length − 1 are the blend. cost_cm: the distance of the two windows. */
export interface BlendFacts {
  readonly first: number;
  readonly length: number;
  readonly blend: string;
  readonly cost_cm: number;
}

/** A way to blend a transition. */
export interface BlendModel {
  readonly name: string;
  readonly help: string;
}

/** The body of a skeleton. */
export interface BodyPack {
  readonly kind: "body";
  readonly id: string;
  readonly parts: readonly BodyPart[];
}

/** Faces first to last, half-open, of one colour. */
export interface BodyPart {
  readonly name: string;
  readonly colour: readonly [number, number, number];
  readonly first: number;
  readonly last: number;
}

/** A rectangle on the floor: its middle, its width along x and its depth along z. */
export interface BoxModel {
  readonly x: number;
  readonly z: number;
  readonly width: number;
  readonly depth: number;
}

/** Takes of strikes, and what they are; side: by default the one that strikes. */
export interface BuildAsked {
  readonly name: string;
  readonly clips: readonly string[];
  readonly kind: "punch" | "kick";
  readonly side?: "left" | "right" | null;
  readonly fps?: number;
}

/** Something in the workspace is no longer as it was. */
export interface ChangedEvent {
  readonly type: "changed";
  readonly what: "clips" | "graphs" | "spaces" | "sketches" | "results" | "exports" | "characters";
}

/** What a character was taken for. roles: role → name of the joint. */
export interface CharacterDetail {
  readonly name: string;
  readonly joints: number;
  readonly height_m: number;
  readonly roles: Readonly<Record<string, string>>;
  readonly notices: readonly string[];
}

/** Another choice of transitions. name: for a graph of its own; without one the graph itself is changed. */
export interface Chosen {
  readonly threshold_cm?: number | null;
  readonly bridges?: boolean;
  readonly name?: string | null;
}

/** A clip's new name; all labels that people give it. keep_found: what was found on their frames is given along with them. */
export interface ClipChange {
  readonly name?: string | null;
  readonly labels?: readonly LabelAsked[] | null;
  readonly keep_found?: boolean;
}

/** A clip with all its labels and the joints that have a body role. */
export interface ClipDetail {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly size: number;
  readonly modified: string;
  readonly info: ClipInfo | null;
  readonly origin: string | null;
  readonly made_by: string | null;
  readonly spans: readonly LabelSpan[];
  readonly roles: Readonly<Record<string, string>>;
}

/**
 * A clip; its info is null until it has been read.
 *
 * origin: where it comes from, in words, as far as that is known. made_by: the command that made it, where it is a result of kinegraph's.
 */
export interface ClipEntry {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly size: number;
  readonly modified: string;
  readonly info: ClipInfo | null;
  readonly origin: string | null;
  readonly made_by: string | null;
}

/** A clip that has been read. */
export interface ClipEvent {
  readonly type: "clip";
  readonly clip: ClipEntry;
}

/** What a clip holds. error: why it cannot be read. skeleton: clips of the same one have the same body. */
export interface ClipInfo {
  readonly frames: number;
  readonly fps: number;
  readonly seconds: number;
  readonly joints: number;
  readonly height_m: number | null;
  readonly distance_m: number | null;
  readonly labels: readonly string[];
  readonly notices: readonly string[];
  readonly error: string | null;
  readonly skeleton: string;
}

/** A clip, and all labels that people give it. */
export interface ClipLabels {
  /** A clip, as the state lists it */
  readonly clip: string;
  readonly labels: readonly LabelAsked[];
}

/** What transitions cost. */
export interface CostFacts {
  readonly median: number | null;
  readonly max: number | null;
}

/** What a run is to be written as: a suffix that `CrowdFacts.formats` lists. */
export interface CrowdExportAsked {
  readonly name: string;
  readonly format: string;
}

/**
 * A run. frames: how many there are at most, of which each ``every``-th is sent. group, build: of each person.
 *
 * Roots are where they are in the world. build: how long legs, trunk and arms of each are against the skeleton. bones, skin: for each
 * joint which of the three its bone from its parent, and the body that hangs on it, belong to.
 */
export interface CrowdFacts {
  readonly run: string;
  readonly people: number;
  readonly frames: number;
  readonly every: number;
  readonly group: readonly number[];
  readonly build: readonly (readonly [number, number, number])[];
  readonly bones: readonly number[];
  readonly skin: readonly number[];
  readonly scene: SceneFacts;
  readonly formats: readonly CrowdFormat[];
  readonly notices: readonly string[];
}

/** What a run can be written as. why: what that lacks here. */
export interface CrowdFormat {
  readonly suffix: string;
  readonly name: string;
  readonly why: string | null;
}

/** The people of a run: a motion pack, of the first of them, in which they set out; the first bytes over a crowd's socket. */
export interface CrowdPack {
  readonly kind: "motion";
  readonly name: string;
  readonly fps: number;
  readonly frames: number;
  readonly seconds: number;
  readonly joints: readonly string[];
  readonly parents: readonly number[];
  readonly offsets: readonly (readonly [number, number, number])[];
  readonly tips: TipFacts;
  readonly roles: Readonly<Record<string, number>>;
  readonly body: string;
  readonly height: number;
  readonly notices: readonly string[];
  readonly crowd: CrowdFacts;
}

/**
 * How it went. deepest_cm: how deep a trunk was in another at most, below 0 where there was room; above_2cm: the share of frames.
 *
 * arrival_s, waited_s: means; density: the most people on a square metre, within two metres of somebody.
 */
export interface CrowdReport {
  readonly people: number;
  readonly arrived: number;
  readonly seconds: number;
  readonly arrival_s: number | null;
  readonly deepest_cm: number;
  readonly above_2cm: number;
  readonly near_misses: number;
  readonly waited_s: number;
  readonly waited_most_s: number;
  readonly density: number;
  readonly notices: readonly string[];
}

/** What a crowd's socket tells beside packs. preparing: stage. computed: frames. done: report. refused, problem: error. */
export interface CrowdTold {
  readonly type: "preparing" | "computed" | "done" | "problem" | "refused";
  readonly stage?: string | null;
  readonly frames?: number | null;
  readonly error?: string | null;
  readonly report?: CrowdReport | null;
}

/** What a threshold would keep. */
export interface CurveFacts {
  readonly threshold_cm: number;
  readonly transitions: number;
  readonly frames: number;
  readonly components: number;
}

/** How near a polynomial of some degree comes to a clip's root. */
export interface DegreeFit {
  readonly degree: number;
  readonly rms_cm: number;
  readonly max_cm: number;
}

/** How a number is set by hand. optional: it is as usual where it is not said. */
export interface DialModel {
  readonly label: string;
  readonly unit: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly usual: number;
  readonly optional: boolean;
}

/** Make the motion of a scene that says what happens where and when: labels, places, headings, waits, poses, strikes. */
export interface DirectAsked {
  /** The scene: a .toml or .json file. */
  readonly scene: SceneModel;
  /** Make do with the draft, which takes a few hundredths of a second. */
  readonly draft?: boolean;
  /** Walks kept at a time by the last search. */
  readonly width?: number;
  /** Another seed gives another variation; 0 the best there is. */
  readonly seed?: number;
  /** Make only this stretch anew, in seconds; all else stays as it comes without this wish. */
  readonly stretch?: string | null;
  /** Stretch: the seed by which all else was made. */
  readonly of_seed?: number;
  /** Clips that are not used, or transitions, such as walk:30>run:12. */
  readonly without?: readonly string[];
  /** Say more of how it was found: costs, bounds, rates. */
  readonly report?: boolean;
  /** How transitions are blended. */
  readonly blend?: "anticipation" | "linear" | "cubic" | "inertial";
  /** Keep feet that stand from sliding. */
  readonly clean?: boolean;
}

/** A scenario as the tools of the room draw it. notices: what of it they cannot draw, and what became of that. */
export interface DrawingFacts {
  readonly groups: readonly GroupModel[];
  readonly walls: readonly (readonly (readonly [number, number])[])[];
  readonly notices: readonly string[];
}

/** A path as points [x, z], and its length in metres. */
export interface Drawn {
  readonly points: readonly (readonly number[])[];
  readonly length: number;
}

/** All edges of a graph. */
export interface EdgesPack {
  readonly kind: "edges";
  readonly edges: number;
  readonly clips: number;
  readonly fps: number;
}

/** A captured strike. hit: where it hits, in metres. start, frame, end: of its clip; at frame it hits. */
export interface Example {
  readonly clip: string;
  readonly hit: readonly [number, number, number];
  readonly start: number;
  readonly frame: number;
  readonly end: number;
  readonly seconds: number;
}

/** A clip or a result, and the format and name to write it as. */
export interface ExportAsked {
  readonly source: Which;
  readonly format: ".bvh" | ".amc" | ".npz" | ".glb" | ".gltf" | ".usda" | ".usdc" | ".fbx" | ".csv" | ".html" | ".gif" | ".mp4" | ".png";
  readonly name: string;
  readonly options?: Options;
}

/** What was written, and the command and the Python that write it again, relative to the workspace. */
export interface Exported {
  readonly export: FileEntry;
  readonly sidecar: FileEntry;
  readonly command: string;
  readonly python: string;
}

/**
 * A file of the workspace. file: its path relative to the workspace, with slashes; modified: when, in UTC (ISO 8601).
 *
 * Name and file are text for people, of whatever bytes the folder's names are: `Workspace.path` is where the file lies.
 */
export interface FileEntry {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly size: number;
  readonly modified: string;
}

/**
 * How a character's joints follow a body's. leads: whom each follows, −1: its own parent. tied: joints that go with their leader's
 * place, ties: how far off. over: how the node above all joints is turned, w x y z. The array ``turns`` holds how each lies to its leader.
 */
export interface FitPack {
  readonly kind: "fit";
  readonly nodes: readonly number[];
  readonly parents: readonly number[];
  readonly leads: readonly number[];
  readonly tied: readonly number[];
  readonly ties: readonly (readonly [number, number, number])[];
  readonly over: readonly [number, number, number, number];
  readonly size: number;
  readonly notices: readonly string[];
}

/** A turn by so many radians about the vertical through the origin, then a shift by metres over the floor. */
export interface FloorFacts {
  readonly angle: number;
  readonly x: number;
  readonly z: number;
}

/** Find the walk through a graph that follows a path, blend it, clean its feet, and say how well it does. */
export interface FollowAsked {
  /** Not used. */
  readonly seed?: number | null;
  /** line:8, circle:3, eight:3, square:6, wave:12,1.5, drawn:60; points 'x,z x,z …' in metres; or a file: .json, .csv, .svg. */
  readonly path: PathModel;
  /** Keep to this label all the way; several are said walk+happy, walk|run, !run. */
  readonly label?: string | null;
  /** Labels by metres along the path, without holes or overlaps: 0-5:walk,5-12:run,12-:walk. */
  readonly sections?: readonly SectionModel[];
  /** Metres before and after a border of sections in which anything may be played, at most half of a section. */
  readonly zone?: number | null;
  /** Stand still: metres along the path and for how many seconds, 5:2,9:1.5. */
  readonly pause?: readonly PauseModel[];
  /** Keep to a clip as long as it costs no more than that many cm. */
  readonly prefer?: Readonly<Record<string, number>>;
  /** Transitions that are taken only where there is hardly another way on: clip:frame>clip:frame, as results tell them. */
  readonly avoid?: readonly string[];
  /** What nobody may walk through. */
  readonly obstacles?: readonly ObstacleModel[];
  /** Metres that the root keeps from obstacles. */
  readonly clearance?: number;
  /** Clip or label to begin with; CLIP@FRAME for a frame of a clip. */
  readonly start?: string | null;
  /** Degrees the body faces at first: 0 is +Z, 90 to the left, +X. */
  readonly heading_deg?: number | null;
  /** Face along the path, or as a label that is asked for does; or any way. */
  readonly facing?: "along" | "any";
  /** Degrees it is to face at the end. */
  readonly end_heading_deg?: number | null;
  /** Metres a second that are wished for. */
  readonly speed?: number | null;
  /** Seconds that the walk may take. */
  readonly limit?: number | null;
  /** fast, or exact: branch and bound, the best there is within each horizon. */
  readonly search?: "fast" | "exact";
  /** Seconds looked ahead. */
  readonly horizon?: number | null;
  /** Seconds of them that are settled at a time. */
  readonly keep?: number;
  /** Fast: walks kept at a time. */
  readonly width?: number | null;
  /** What transitions cost against deviation; more, and there are fewer. */
  readonly price?: number;
  /** Seconds of untouched motion between transitions, where there is another way on. */
  readonly gap?: number;
  /** How far clips may be bent to keep to the path: 0 not at all, 1 as far as a body bears. */
  readonly bend?: number;
  /** Metres a second that count as progress even where there is less. */
  readonly least?: number;
  /** To which point of the path a frame belongs: by progress along it, or by arc length as in the thesis. */
  readonly measure?: "progress" | "arc";
  /** Bend the result gently onto the path, as far as feet can take it. */
  readonly warp?: boolean;
  /** How transitions are blended. */
  readonly blend?: "anticipation" | "linear" | "cubic" | "inertial";
  /** Keep feet that stand from sliding. */
  readonly clean?: boolean;
}

/** What can be read and written. */
export interface Formats {
  readonly read: readonly string[];
  readonly write: readonly Writable[];
}

/** Compare every moment of every clip with every other, choose where one can go over into another, and save the graph. */
export interface GraphAsked {
  readonly name: string;
  readonly clips: readonly string[];
  /** Frames per second of the graph. */
  readonly fps?: number;
  /** Seconds that are compared and blended. */
  readonly window?: number;
  /** Let the window shorten for clips that are short or run. */
  readonly adapt?: boolean;
  /** The largest distance of a transition, in cm. */
  readonly threshold_cm?: number | null;
  /** How far candidates are looked for, in cm. */
  readonly ceiling_cm?: number;
  /** Per cent of the attainable frames that auto must keep. */
  readonly share?: number;
  /** Add mirrored copies of all clips. */
  readonly mirror?: boolean;
  /** Join groups of clips that meet only far above the threshold. */
  readonly bridges?: boolean;
  /** Points on each bone between its joints. */
  readonly along?: number;
  /** Weight of a body role over that of its mass (left_toe=0.1). */
  readonly weights?: Readonly<Record<string, number>>;
  /** Find labels by how the body moves. */
  readonly annotate?: boolean;
  /** Make labels of words in which the names of clips differ (walk_happy_01: happy). */
  readonly styles?: boolean;
}

/** A clip of a graph. group: the number of its kind of motion in summary.groups. kept: frames that the graph plays, half-open. */
export interface GraphClip {
  readonly name: string;
  readonly frames: number;
  readonly mirrored: boolean;
  readonly group: number | null;
  readonly spans: readonly LabelSpan[];
  readonly kept: readonly (readonly [number, number])[];
}

/**
 * A graph. summary: as `kinegraph inspect --json` tells it. labels: those that a walk can keep to come first.
 *
 * speeds: usual metres a second by label.
 */
export interface GraphDetail {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly summary: Readonly<Record<string, unknown>>;
  readonly fps: number;
  readonly clips: readonly GraphClip[];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly labels: readonly string[];
  readonly speeds: Readonly<Record<string, number>>;
}

/** A file with a motion graph. */
export interface GraphFile {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly size: number;
  readonly modified: string;
  readonly clips: number | null;
  readonly error: string | null;
}

/** Clips of one kind of motion, and the threshold up to which they become each other. */
export interface GraphGroup {
  readonly clips: readonly string[];
  readonly threshold_cm: number;
}

/** Frames of a clip that no way leads on from. needs_cm: the threshold at which they would be kept. */
export interface GraphLoss {
  readonly clip: string;
  readonly frames: number;
  readonly of: number;
  readonly needs_cm: number | null;
}

/** Two groups, counted from 1, that bridges join. */
export interface GraphMeeting {
  readonly groups: readonly [number, number];
  readonly threshold_cm: number;
  readonly bridges: number;
}

/** The figures of a graph: of those that `kinegraph inspect --json` tells, the ones that the page shows. */
export interface GraphSummary {
  readonly clips: number;
  readonly frames: number;
  readonly fps: number;
  readonly threshold_cm: number;
  readonly transitions: number;
  readonly kept_share: number;
  readonly components: number;
  readonly bridges: number;
  readonly attainable: number;
  readonly kept: number;
  readonly cost_cm: CostFacts;
  readonly dropped_seconds: number;
  readonly end_seconds: number;
  readonly dropped_clips: readonly string[];
  readonly groups: readonly GraphGroup[];
  readonly meetings: readonly GraphMeeting[];
  readonly losses: readonly GraphLoss[];
  readonly labels: Readonly<Record<string, LabelFacts>>;
  readonly styles: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  readonly curve: readonly CurveFacts[];
  readonly notices: readonly string[];
}

/** Heights of the ground: row r, column c is at x0 + c·step, z0 + r·step. The array ``ground`` holds them. */
export interface GroundFacts {
  readonly step: number;
  readonly rows: number;
  readonly columns: number;
  readonly x0: number;
  readonly z0: number;
}

/** A ground by name: an example of it, what it is, and its numbers; where the first is 0, it is flat. */
export interface GroundModel {
  readonly name: string;
  readonly text: string;
  readonly help: string;
  readonly numbers: readonly DialModel[];
}

/** A ground for drawing. The array ``heights`` holds it. */
export interface GroundPack {
  readonly step: number;
  readonly rows: number;
  readonly columns: number;
  readonly x0: number;
  readonly z0: number;
  readonly kind: "ground";
}

/** People who go from one box to another. */
export interface GroupModel {
  readonly count: number;
  readonly start: BoxModel;
  readonly goal: BoxModel;
  readonly name?: string;
}

/**
 * What is known of a job. done of total: how far its stage is; eta_s: how long the stage will take yet, where that can be told.
 *
 * revision: greater with every change. Threads and requests tell of a job, each in its own time: of two tellings the greater is the newer.
 */
export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly state: "queued" | "running" | "done" | "failed" | "cancelled" | "interrupted";
  readonly stage: string;
  readonly done: number;
  readonly total: number;
  readonly eta_s: number | null;
  readonly started: string | null;
  readonly ended: string | null;
  readonly message: string | null;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly revision: number;
}

/** News of a job. */
export interface JobEvent {
  readonly type: "job";
  readonly job: Job;
}

/** Put the strike that hits a target between two random walks through a graph. */
export interface JoinAsked {
  /** A graph, as the state lists it */
  readonly graph: string;
  /** Where to strike, in metres from below the ready pose: to the left (negative: right), up, and ahead. */
  readonly target: readonly number[];
  /** Which space of the file; need not be said where it holds one. */
  readonly space?: string | null;
  /** Seconds of the walk before the strike. */
  readonly before?: number;
  /** Seconds of the walk after it. */
  readonly after?: number;
  /** Another seed, other walks. */
  readonly seed?: number;
  /** What a transition to or from the strike may cost, in cm. */
  readonly limit_cm?: number | null;
  /** Walk only through clips that bear this label; several are said walk+happy, walk|run, !run. */
  readonly label?: string | null;
  /** By which part of their length legs may change; 0: not at all. */
  readonly stretch?: number;
  /** How transitions are blended. */
  readonly blend?: "anticipation" | "linear" | "cubic" | "inertial";
  /** Keep feet that stand from sliding. */
  readonly clean?: boolean;
}

/** A scenario to be kept as a file that every command takes. */
export interface KeepAsked {
  readonly name: string;
  readonly scenario: ScenarioModel;
  readonly seed?: number;
}

/** A result that was kept. quality: its figures, null where they are not known. */
export interface KeptResult {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly size: number;
  readonly modified: string;
  readonly title: string;
  readonly room: string;
  readonly seconds: number;
  readonly quality: Readonly<Record<string, unknown>> | null;
}

/** A label from a time on, to another or to the clip's end, in seconds. */
export interface LabelAsked {
  /** Small letters, digits, underscores and hyphens */
  readonly label: string;
  readonly from?: number;
  readonly to?: number | null;
}

/**
 * Seconds of a label: in the clips, in the graph, only guessed, in the part in which a walk can keep to it, and how many that could be;
 * choice points and transitions of that part.
 */
export interface LabelFacts {
  readonly seconds: number;
  readonly kept_seconds: number;
  readonly guessed_seconds: number;
  readonly component_seconds: number;
  readonly attainable_seconds: number | null;
  readonly nodes: number;
  readonly transitions: number;
}

/** A label that some frames of a clip bear. */
export interface LabelSpan {
  readonly label: string;
  readonly first: number;
  readonly last: number;
  readonly origin?: string;
  readonly confidence?: number;
}

/** Labels that whole clips are to have, and labels that people gave and take back; what was found stays. */
export interface LabelsChange {
  readonly clips: readonly string[];
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

/** A clip, and all labels that people gave it before a change and after it. */
export interface LabelsChanged {
  readonly clip: string;
  readonly before: readonly LabelAsked[];
  readonly after: readonly LabelAsked[];
}

/** Clips with all labels that people give them. */
export interface LabelsPut {
  readonly clips: readonly ClipLabels[];
}

/**
 * What somebody who is steered can do. fastest: m/s. labels: all the while; actions: once, and which of them are strikes.
 *
 * ahead: poses that may not be seen yet. notices: what they cannot do, in sentences.
 */
export interface LiveFacts {
  readonly ahead: number;
  readonly fastest: number;
  readonly labels: readonly string[];
  readonly actions: readonly string[];
  readonly notices: readonly string[];
  readonly strikes: readonly string[];
}

/** Somebody to steer, in the pose that they set out in: a motion pack, the first bytes over a live socket. */
export interface LivePack {
  readonly kind: "motion";
  readonly name: string;
  readonly fps: number;
  readonly frames: number;
  readonly seconds: number;
  readonly joints: readonly string[];
  readonly parents: readonly number[];
  readonly offsets: readonly (readonly [number, number, number])[];
  readonly tips: TipFacts;
  readonly roles: Readonly<Record<string, number>>;
  readonly body: string;
  readonly height: number;
  readonly notices: readonly string[];
  readonly live: LiveFacts;
}

/** What a live socket tells beside poses. preparing: stage, done, total. learning: label. taken: result. refused, problem: error. */
export interface LiveTold {
  readonly type: "preparing" | "learning" | "learnt" | "again" | "taken" | "problem" | "refused";
  readonly stage?: string | null;
  readonly done?: number | null;
  readonly total?: number | null;
  readonly label?: string | null;
  readonly result?: string | null;
  readonly error?: string | null;
}

/** The distances of all windows of two clips. a, b: their names. window: in seconds. step: frames between cells. minima: how many. */
export interface MatrixPack {
  readonly kind: "matrix";
  readonly a: string;
  readonly b: string;
  readonly notices: readonly string[];
  readonly fps: number;
  readonly window: number;
  readonly window_frames: number;
  readonly rows: number;
  readonly columns: number;
  readonly least_cm: number;
  readonly most_cm: number;
  readonly step: number;
  readonly minima: number;
}

/** A motion pack. body: the id of the body that fits the skeleton. height: stature in metres. */
export interface MotionFacts {
  readonly kind: "motion";
  readonly name: string;
  readonly fps: number;
  readonly frames: number;
  readonly seconds: number;
  readonly joints: readonly string[];
  readonly parents: readonly number[];
  readonly offsets: readonly (readonly [number, number, number])[];
  readonly tips: TipFacts;
  readonly roles: Readonly<Record<string, number>>;
  readonly body: string;
  readonly height: number;
  readonly notices: readonly string[];
}

/**
 * Poses of a character's own nodes. nodes: the node of its file that each joint is. moving: joints whose translations are told, the
 * others stay where the file has them. size: how large it is to be shown to stand where the motion stood.
 */
export interface MovedPack {
  readonly kind: "moved";
  readonly fps: number;
  readonly frames: number;
  readonly nodes: readonly number[];
  readonly moving: readonly number[];
  readonly size: number;
  readonly notices: readonly string[];
}

/** What a result is to be called. */
export interface NameAsked {
  readonly name: string;
}

/** How far the clip's root strays from its path, with the sway of its steps. */
export interface Near {
  readonly rms_cm: number;
  readonly max_cm: number;
}

/** What nobody may walk through, in metres: a disc by its centre and radius, a box by its lowest corner, width and depth. */
export interface ObstacleModel {
  readonly x: number;
  readonly z: number;
  readonly radius?: number | null;
  readonly width?: number | null;
  readonly depth?: number | null;
}

/** How a motion is to be written; what the format does not take is refused. Null and false: as it is. */
export interface Options {
  readonly fps?: number | null;
  readonly in_place?: boolean;
  readonly t_pose?: boolean;
  readonly units?: string | null;
  readonly up?: "y" | "z" | null;
  readonly character?: string | null;
}

/** A clip's own path as a spline. points: along it, for drawing. apart_cm: how far the spline is from the path itself at most. */
export interface OwnPath {
  readonly degree: number;
  readonly controls: readonly (readonly number[])[];
  readonly length: number;
  readonly points: readonly (readonly number[])[];
  readonly fit: Near;
  readonly apart_cm: number;
  readonly degrees: readonly DegreeFit[];
}

/** One of: a shape such as ``eight:3``; points [x, z], or with heights [x, y, z]; a spline's controls likewise, with its degree. */
export interface PathModel {
  readonly shape?: string | null;
  readonly points?: readonly (readonly number[])[] | null;
  readonly degree?: number | null;
  readonly controls?: readonly (readonly number[])[] | null;
}

/** At so many metres along the path the walker stands for so many seconds. */
export interface PauseModel {
  readonly at: number;
  readonly seconds: number;
}

/**
 * Some frames of everybody, from ``first`` on, counted as they are sent.
 *
 * Arrays: root (frames, people, 3), rotations (frames, people, joints, 4), speed and flags (frames, people): 1 there, 2 waits, 4 arrived.
 */
export interface PeoplePack {
  readonly kind: "people";
  readonly first: number;
  readonly frames: number;
}

/** The workspace. */
export interface Place {
  readonly name: string;
  readonly folder: string;
  readonly writable: boolean;
}

/** A foot part that stands from frame first to last, half-open: where, in metres, and where the foot points: radians from +Z to +X. */
export interface PlantFacts {
  readonly foot: "left" | "right";
  readonly part: "heel" | "ball";
  readonly first: number;
  readonly last: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly heading: number;
}

/** Why a request was not satisfied. status: where it was asked to be told as an answer. */
export interface Problem {
  readonly error: string;
  readonly status?: number | null;
}

/** Make the strike that hits a target, say where it hits, and write it. */
export interface ReachAsked {
  /** Where the wrist (a kick's: the ankle) is to be at the hit, in metres from below the ready pose: to the left, up, ahead. */
  readonly target: readonly number[];
  /** Which space of the file; need not be said where it holds one. */
  readonly space?: string | null;
  /** Blend strikes, bend the nearest onto the target, or splice parts of bodies beyond the region; auto: what suits the strikes. */
  readonly method?: "auto" | "blend" | "nearest" | "partial";
  /** Between which the weights of strikes stay. */
  readonly bounds?: readonly number[] | null;
  /** Hold the feet and take out what is missed, instead of leaving the blend as it is. */
  readonly finished?: boolean;
  /** Strike with the other hand or foot; the target stays where it is. */
  readonly mirror?: boolean;
  /** Frames per second of the motion. */
  readonly fps?: number | null;
}

/** Somebody in the ready pose. */
export interface Ready {
  readonly joints: readonly string[];
  readonly parents: readonly number[];
  readonly positions: readonly (readonly number[])[];
  readonly tips: Tips;
}

/** A shell command, which may be of several lines, and a piece of Python that does the same. */
export interface Recipe {
  readonly command: string;
  readonly python: string;
}

/** A file that was not taken, and why. */
export interface Refused {
  readonly file: string;
  readonly error: string;
}

/** Bend one clip along another path, at its own speed and with feet that stay put (after Gleicher 2001). */
export interface RepathAsked {
  /**
   * line:8, circle:3, eight:3, square:6, wave:12,1.5, drawn:60; points 'x,z x,z …' in metres, with heights 'x,y,z x,y,z …'; or a file: .json
   * (points, or a spline), .csv, .svg.
   */
  readonly path: PathModel;
  /** Take the polynomial of this degree, up to 45, for the clip's own path. */
  readonly degree?: number | null;
  /** Walk as fast as captured, or the whole path in its time, or stay in its place where the path begins. */
  readonly keep?: "speed" | "time" | "place";
  /** What to do where the path is shorter than the clip's own. */
  readonly end?: "stop" | "restart" | "onward";
  /** Bring the clip to the path, or the path to the clip. */
  readonly start?: "path" | "clip";
  /** Repeat the clip's best loop until the path ends, or for so many seconds. */
  readonly cycle?: boolean;
  /** With cycle: how long it is to last. */
  readonly seconds?: number | null;
  /** slope:20%, hill:1,6, waves:0.3,6, ramp:1,2,6, or a height field: .npz, .npy, .csv. */
  readonly ground?: string | null;
  /** Slow down and lean in bends, as people do. */
  readonly natural?: boolean;
  /** By which part of their length legs may change where they do not reach; 0: not at all. */
  readonly stretch?: number;
  /** Hold feet where they stand, instead of leaving them as the path drags them. */
  readonly feet?: boolean;
  /** Frames per second of the result. */
  readonly fps?: number | null;
}

/**
 * A result. short: why it stopped before its end. path: what was to be walked, [x, z] or [x, y, z].
 *
 * marks: frames that are worth a look, each with a word for it. own_path, ground: of a repath only. strike: of a strike only.
 * placement: of a strike between walks, from the floor of the motion to that of the space.
 */
export interface ResultFacts {
  readonly id: string;
  readonly room: "follow" | "walk" | "repath" | "strike" | "live" | "direct" | "join";
  readonly title: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly source: SourceFacts;
  readonly source_digest?: string | null;
  readonly source_digests?: Readonly<Record<string, string>>;
  readonly quality: Readonly<Record<string, unknown>> | null;
  readonly warnings?: readonly string[];
  readonly notices: readonly string[];
  readonly reached: boolean;
  readonly short: string | null;
  readonly path: readonly (readonly number[])[] | null;
  readonly transitions: readonly TransitionFacts[];
  readonly clips: readonly string[];
  readonly labels: readonly string[];
  readonly plants: readonly PlantFacts[];
  readonly marks?: Readonly<Record<string, string>>;
  readonly cpu_s: number;
  readonly own_path?: readonly (readonly number[])[] | null;
  readonly ground?: GroundFacts | null;
  readonly strike?: StrikeFacts | null;
  readonly placement?: FloorFacts | null;
}

/** A result pack: a motion pack with what was made and how. */
export interface ResultPack {
  readonly kind: "motion";
  readonly name: string;
  readonly fps: number;
  readonly frames: number;
  readonly seconds: number;
  readonly joints: readonly string[];
  readonly parents: readonly number[];
  readonly offsets: readonly (readonly [number, number, number])[];
  readonly tips: TipFacts;
  readonly roles: Readonly<Record<string, number>>;
  readonly body: string;
  readonly height: number;
  readonly notices: readonly string[];
  readonly result: ResultFacts;
}

/** Run a scenario, for so many seconds at most. */
export interface RunSaid {
  readonly type: "run";
  readonly scenario: ScenarioModel;
  readonly seconds?: number;
  readonly seed?: number;
}

/** One of: a built-in scenario, by its name and the number of people; one that was kept, by its id; groups, and walls through points. */
export interface ScenarioModel {
  readonly named?: "circle" | "hallway" | "crossing" | "bottleneck" | "square" | "street" | null;
  readonly count?: number | null;
  readonly kept?: string | null;
  readonly groups?: readonly GroupModel[];
  readonly walls?: readonly (readonly (readonly [number, number])[])[];
}

/** From and to seconds a clip is played; to the end of the scene unless told. */
export interface SceneClip {
  readonly name: string;
  readonly from?: number;
  readonly to?: number | null;
  readonly weight?: number | null;
}

/** What there is of a scenario on the floor. walls: through points. ground: none where it is level. */
export interface SceneFacts {
  readonly name: string;
  readonly people: number;
  readonly groups: readonly SceneGroup[];
  readonly walls: readonly (readonly (readonly [number, number])[])[];
  readonly ground: SceneGround | null;
}

/** A scene as a file holds it. file: the file's name, whose ending tells TOML from JSON. */
export interface SceneFile {
  readonly text: string;
  readonly file?: string;
}

/** Ground that is not level: heights in metres, row by row; row r and column c are at z0 + r · step and x0 + c · step. */
export interface SceneGround {
  readonly x0: number;
  readonly z0: number;
  readonly step: number;
  readonly rows: number;
  readonly columns: number;
  readonly heights: readonly number[];
}

/** A group: where it starts and where it goes, as outlines. */
export interface SceneGroup {
  readonly name: string;
  readonly count: number;
  readonly start: readonly (readonly [number, number])[];
  readonly goal: readonly (readonly [number, number])[];
}

/** At a time, within a window, or whenever it suits, the root is at [x, z] in metres; with a heading in degrees, 0 for +z, 90 for +x. */
export interface SceneKey {
  readonly time?: number | null;
  readonly at: readonly [number, number];
  readonly heading?: number | null;
  readonly window?: readonly [number, number] | null;
  readonly hard?: boolean;
  readonly weight?: number | null;
}

/** From and to seconds a label is borne, or not, or may be instead of others; to the end of the scene unless told. */
export interface SceneLabel {
  readonly name: string;
  readonly from?: number;
  readonly to?: number | null;
  readonly not?: boolean;
  readonly may?: boolean;
  readonly weight?: number | null;
}

/** What happens where and when. */
export interface SceneModel {
  readonly seconds: number;
  readonly name?: string | null;
  readonly speed?: number | null;
  readonly clearance?: number | null;
  readonly label?: readonly SceneLabel[];
  readonly key?: readonly SceneKey[];
  readonly wait?: readonly SceneWait[];
  readonly pose?: readonly ScenePose[];
  readonly strike?: readonly SceneStrike[];
  readonly clip?: readonly SceneClip[];
  readonly path?: readonly ScenePath[];
  readonly loop?: boolean;
  readonly ground?: string | null;
  readonly obstacle?: readonly SceneObstacle[];
  readonly without?: SceneWithout | null;
}

/** A disc [x, z, radius], or a box [x, z, width, depth]. */
export interface SceneObstacle {
  readonly disc?: readonly [number, number, number] | null;
  readonly box?: readonly [number, number, number, number] | null;
}

/** From and to seconds somebody goes along a path: a shape such as circle:2, or points [x, z] in metres. */
export interface ScenePath {
  readonly shape?: string | null;
  readonly points?: readonly (readonly [number, number])[] | null;
  readonly from?: number;
  readonly to?: number | null;
  readonly hard?: boolean;
  readonly weight?: number | null;
}

/** A frame of a clip is shown at a time. */
export interface ScenePose {
  readonly clip: string;
  readonly frame: number;
  readonly time: number;
  readonly weight?: number | null;
}

/** At a time a hand or foot hits [x, y, z] in metres, by a space of the graph's own file; by the only one there is unless told. */
export interface SceneStrike {
  readonly time: number;
  readonly target: readonly [number, number, number];
  readonly by?: string | null;
}

/** From and to seconds somebody stands; to the end of the scene unless told. */
export interface SceneWait {
  readonly from?: number;
  readonly to?: number | null;
  readonly weight?: number | null;
}

/** Clips that are not used, and transitions, each as clip:frame>clip:frame. */
export interface SceneWithout {
  readonly clips?: readonly string[];
  readonly transitions?: readonly string[];
}

/** From first to last metres along the path the motion bears a label; a last of null is the path's end. */
export interface SectionModel {
  readonly first: number;
  readonly last?: number | null;
  readonly label: string;
}

/** A path by name: an example of it, and how it is written. */
export interface ShapeModel {
  readonly name: string;
  readonly text: string;
  readonly help: string;
}

/** The id of the file that a result was made from, under its kind. */
export interface SourceFacts {
  readonly graph?: string | null;
  readonly clip?: string | null;
  readonly space?: string | null;
}

/**
 * What a space holds and where it can strike, in metres from below the ready pose: to the left, up, ahead.
 *
 * corners: of the region that the examples span, across and up; low, high: of the box around it; forward: what it calls ahead.
 */
export interface SpaceDetail {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly side: string;
  readonly limb: string;
  readonly fps: number;
  readonly examples: readonly Example[];
  readonly corners: readonly (readonly [number, number])[];
  readonly low: readonly [number, number];
  readonly high: readonly [number, number];
  readonly ahead: readonly [number, number];
  readonly middle: readonly [number, number];
  readonly forward: string;
  readonly ready: Ready;
}

/** A space of strikes in a file. */
export interface SpaceFile {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly size: number;
  readonly modified: string;
  readonly space: string;
  readonly kind: string;
  readonly side: string;
  readonly strikes: number;
}

/** Everything in the workspace. open: the file that the studio was opened with. */
export interface State {
  readonly version: string;
  readonly workspace: Place;
  readonly clips: readonly ClipEntry[];
  readonly graphs: readonly GraphFile[];
  readonly spaces: readonly SpaceFile[];
  readonly sketches: readonly FileEntry[];
  readonly results: readonly KeptResult[];
  readonly exports: readonly FileEntry[];
  readonly characters: readonly FileEntry[];
  readonly height_fields: readonly FileEntry[];
  readonly jobs: readonly Job[];
  readonly shapes: readonly ShapeModel[];
  readonly grounds: readonly GroundModel[];
  readonly blends: readonly string[];
  readonly blend_list: readonly BlendModel[];
  readonly strike_kinds: readonly StrikeKindModel[];
  readonly formats: Formats;
  readonly open: string | null;
}

/** Whether a space blends its strikes or bends the nearest one onto the target, by the errors of both over strikes left out in turn. */
export interface StrikeChoice {
  readonly way: string;
  readonly left_out: number;
  readonly blend: StrikeError;
  readonly nearest: StrikeError;
}

/** How far strikes that were left out are from what is made at their targets, on average: angle of a joint, distance of the end. */
export interface StrikeError {
  readonly angle_deg: number;
  readonly path_cm: number;
}

/**
 * A strike that was made. hit: where it hits, in metres: to the left, up, ahead. way: blend, nearest or partial. finish: what holding
 * the feet took, as a sentence.
 */
export interface StrikeFacts {
  readonly target: readonly number[];
  readonly hit: readonly [number, number, number];
  readonly hit_frame: number;
  readonly miss_cm: number;
  readonly reached: boolean;
  readonly inside: boolean;
  readonly reliability: number;
  readonly way: string;
  readonly choice: StrikeChoice;
  readonly frames: number;
  readonly fps: number;
  readonly seconds: number;
  readonly mirrored: boolean;
  readonly weights: readonly StrikeWeight[];
  readonly finish: string;
  readonly limb: string;
}

/** A kind of strike. plural: what several are called. tip: what strikes, such as a hand. joint: the one that hits, without its side. */
export interface StrikeKindModel {
  readonly name: string;
  readonly help: string;
  readonly plural: string;
  readonly tip: string;
  readonly joint: string;
}

/** How much of a captured strike is in the one that was made. hit: the frame of its clip at which it hits. */
export interface StrikeWeight {
  readonly clip: string;
  readonly hit: number;
  readonly weight: number;
}

/** What became of an upload. */
export interface Taken {
  readonly clips: readonly ClipEntry[];
  readonly refused: readonly Refused[];
}

/** Ends of last bones: the joint that each hangs on, and where. */
export interface TipFacts {
  readonly parents: readonly number[];
  readonly offsets: readonly (readonly [number, number, number])[];
}

/** Ends of last bones. */
export interface Tips {
  readonly parents: readonly number[];
  readonly positions: readonly (readonly number[])[];
}

/** From the one window to the other, with lead seconds of each clip about it. */
export interface TransitionAsked {
  /** A clip, as the state lists it */
  readonly a: string;
  /** A clip, as the state lists it */
  readonly b: string;
  readonly fps?: number;
  readonly window?: number | null;
  readonly i: number;
  readonly j: number;
  readonly blend?: "anticipation" | "linear" | "cubic" | "inertial";
  readonly lead?: number;
}

/** Frames first … first + length − 1 blend from one clip to another. */
export interface TransitionFacts {
  readonly first: number;
  readonly length: number;
  readonly cost_cm: number;
  readonly from: string;
  readonly to: string;
  readonly at?: string | null;
}

/** One transition as it would be played: a motion pack. */
export interface TransitionPack {
  readonly kind: "motion";
  readonly name: string;
  readonly fps: number;
  readonly frames: number;
  readonly seconds: number;
  readonly joints: readonly string[];
  readonly parents: readonly number[];
  readonly offsets: readonly (readonly [number, number, number])[];
  readonly tips: TipFacts;
  readonly roles: Readonly<Record<string, number>>;
  readonly body: string;
  readonly height: number;
  readonly notices: readonly string[];
  readonly transition: BlendFacts;
}

/** What was deleted can be had back by this token. */
export interface Trashed {
  readonly trash: string;
}

/** Frames to keep, half-open, and what the piece is called. */
export interface Trim {
  readonly first: number;
  readonly last: number;
  readonly name?: string | null;
}

/** How far targets are to be trusted: row r, column c is c·step to the left of x0, r·step above y0. */
export interface TrustPack {
  readonly step: number;
  readonly rows: number;
  readonly columns: number;
  readonly kind: "trust";
  readonly x0: number;
  readonly y0: number;
}

/** Metres of radius of the tightest half circles on which people turn about; null where they do on none. */
export interface Turns {
  readonly left_m: number | null;
  readonly right_m: number | null;
}

/** Walk through a graph at random, or through clips and labels in a given order. */
export interface WalkAsked {
  /** A random walk of this length, to the frame. */
  readonly seconds?: number | null;
  /** Random: another seed, another walk. */
  readonly seed?: number;
  /** Random: keep to this label; several are said walk+happy, walk|run, !run. */
  readonly label?: string | null;
  /** Random: only the best share of the transitions that a clip has ahead, such as 0.05. */
  readonly pool?: number | null;
  /** Random: seconds of untouched motion between transitions. */
  readonly gap?: number;
  /** Random: take transitions within a clip like any others. */
  readonly within?: boolean;
  /** Clip or label to begin with; CLIP@FRAME for a frame of a clip. */
  readonly start?: string | null;
  /** How transitions are blended. */
  readonly blend?: "anticipation" | "linear" | "cubic" | "inertial";
  /** Keep feet that stand from sliding. */
  readonly clean?: boolean;
  /** The cheapest walk that visits these clips or labels in order. */
  readonly sequence?: readonly string[] | null;
  /** Sequence: seconds on end in each; 2,0.5,1 gives one for each. */
  readonly stay?: number | readonly number[];
  /** Sequence: let mirrored copies count, which show the other side. */
  readonly either_side?: boolean;
}

/** What is to be written. */
export interface Which {
  readonly kind: "clip" | "result";
  readonly id: string;
}

/**
 * What is wished from now on. velocity: along x and z, m/s. facing: degrees, 0 is +Z, 90 is +X. number: told with poses.
 *
 * at: where on the floor what is struck at stands, x and z in metres; else straight ahead.
 */
export interface WishSaid {
  readonly type: "wish";
  readonly number?: number;
  readonly velocity: readonly [number, number];
  readonly facing?: number | null;
  readonly label?: string;
  readonly action?: string;
  readonly at?: readonly [number, number] | null;
}

/**
 * A suffix that can be written. why: what it lacks here. format, shown: suffixes of one format are one card, at that place.
 *
 * use, help: who reads it, in a few words and in a sentence. takes: options of an export. unit: of length, unless told. textual: the same
 * as another suffix of the format, but as text. many: one file may hold many clips. slow: written by a job. drawn: a picture. needs: what
 * must be installed.
 */
export interface Writable {
  readonly suffix: string;
  readonly name: string;
  readonly available: boolean;
  readonly why: string | null;
  readonly format: string;
  readonly use: string;
  readonly help: string;
  readonly takes: readonly string[];
  readonly unit: string | null;
  readonly textual: boolean;
  readonly many: boolean;
  readonly slow: boolean;
  readonly drawn: boolean;
  readonly needs: string | null;
  readonly shown: number;
}

/** What is set in the room, and what came of it. */
import { computed, signal } from "@preact/signals";
import type { CrowdPack, CrowdReport, CrowdScenario, CrowdScene, Entry } from "../../api/types";
import type { Motion } from "../../motion/motion";
import { History, keepSteps } from "../../state/history";
import { persisted, selection, server } from "../../state/store";
import { EMPTY, isDrawing, lacks, outline, sent, type Drawing } from "./drawing";
import type { Frames } from "./frames";

export type Tool = "look" | "wall" | "door" | "start" | "goal";
export type ColourBy = "group" | "speed" | "waiting";
/** What happens: nothing, the graph is made ready, frames are computed, they are judged, all is there. */
export type Stage = "idle" | "preparing" | "computing" | "judging" | "done";

/** A run as it is shown. */
export interface Run {
  readonly question: string;
  readonly facts: CrowdPack["crowd"];
  readonly motion: Motion;
  readonly frames: Frames;
}

/** Built-in scenarios, and what they are. */
export const NAMED: readonly { readonly value: string; readonly label: string; readonly hint: string }[] = [
  { value: "circle", label: "Circle", hint: "Each goes to the other side." },
  { value: "hallway", label: "Hallway", hint: "Two groups pass through each other." },
  { value: "crossing", label: "Crossing", hint: "Four groups meet where two hallways cross." },
  { value: "bottleneck", label: "Bottleneck", hint: "All leave a room by one door." },
  { value: "square", label: "Square", hint: "People roam about a fountain, each to three places." },
  { value: "street", label: "Street", hint: "Two pavements, and a crossing that some take." },
];
export const DRAWN = "drawn";
const KEPT = "kept:";
/** People whom a page shows at most. */
export const MOST = 4000;

const isNumber = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value);
const oneOf = (...names: string[]) => (value: unknown) => names.includes(value as string);

/** graphs that can be used, and the one that is: the chosen one, else the first */
export const graphs = computed(() => (server.value?.graphs ?? []).filter((graph) => graph.error === null && graph.clips !== 0));
export const graph = computed(() => graphs.value.find((one) => one.id === selection.value.graph) ?? graphs.value[0] ?? null);

export const chosen = persisted("crowd.scenario", "hallway", (value) => typeof value === "string");
export const count = persisted("crowd.count", 40, isNumber);
export const seconds = persisted("crowd.seconds", 30, isNumber);
export const seed = persisted("crowd.seed", 0, isNumber);
export const colourBy = persisted<ColourBy>("crowd.colour", "group", oneOf("group", "speed", "waiting"));
export const density = persisted("crowd.density", false, (value) => typeof value === "boolean");
export const tool = signal<Tool>("look");

/** scenarios that were kept */
export const kept = signal<readonly Entry[]>([]);
const saved = persisted<Drawing>("crowd.drawing", EMPTY, isDrawing);
export const history = new History<Drawing>(saved.value);
keepSteps("crowd.steps", history, (drawing) => (isDrawing(drawing) ? drawing : null));
export const drawing = history.value;
/** the group that a goal is drawn for; null: the first that has none */
export const group = signal<number | null>(null);
/** what is under the hand: a wall or a box from one place to another */
export const stroke = signal<{ readonly tool: Tool; readonly from: readonly [number, number]; readonly to: readonly [number, number] } | null>(null);

/** One more step of the drawing; nothing where it is the same. */
export function draw(next: Drawing): void {
  if (next === drawing.peek()) return;
  history.commit(next);
  saved.value = next;
}

export function undo(): void {
  if (history.undo()) saved.value = drawing.peek();
}

export function redo(): void {
  if (history.redo()) saved.value = drawing.peek();
}

export const isDrawn = computed(() => chosen.value === DRAWN);
/** the value under which a kept scenario is chosen */
export const keptValue = (id: string): string => KEPT + id;
/** the id of the kept scenario that is chosen; null where none is */
export const keptId = computed(() => (chosen.value.startsWith(KEPT) ? chosen.value.slice(KEPT.length) : null));
/** what is to be run; null where something is missing */
export const scenario = computed<CrowdScenario | null>(() => {
  if (isDrawn.value) return lacks(drawing.value) ? null : sent(drawing.value);
  if (keptId.value !== null) return { kept: keptId.value };
  return { named: chosen.value as NonNullable<CrowdScenario["named"]>, count: count.value };
});

/** what a scenario that was not drawn here looks like, before it is run */
export const preview = signal<CrowdScene | null>(null);
export const run = signal<Run | null>(null);
export const stage = signal<Stage>("idle");
/** frames that are there */
export const there = signal(0);
export const problem = signal<string | null>(null);
export const report = signal<CrowdReport | null>(null);
/** who is looked at; null: nobody */
export const person = signal<number | null>(null);
export const isBusy = computed(() => stage.value === "preparing" || stage.value === "computing");

/** What stands on the floor now. */
export const scene = computed<CrowdScene | null>(() => {
  if (run.value) return run.value.facts.scene;
  return isDrawn.value ? sceneOf(drawing.value) : preview.value;
});

function sceneOf(drawn: Drawing): CrowdScene {
  return {
    name: DRAWN,
    people: drawn.groups.reduce((sum, one) => sum + one.count, 0),
    groups: drawn.groups.map((one, index) => ({
      name: one.name || `group ${index + 1}`,
      count: one.count,
      start: outline(one.start),
      goal: one.goal ? outline(one.goal) : [],
    })),
    walls: drawn.walls,
    ground: null,
  };
}

/** What is wished in the room, and what is known of the person who is steered. */
import { computed, signal } from "@preact/signals";
import type { Pack } from "../../api/pack";
import type { LivePack } from "../../api/types";
import { Motion } from "../../motion/motion";
import { persisted, selection, server } from "../../state/store";
import { speedsFor, USUAL, type Floor, type Push } from "./steer";

/** How the person is reached: not at all, being prepared, to be steered, lost for now, refused. */
export type Contact = "none" | "preparing" | "open" | "lost" | "refused";
/** Where the person faces: where it goes, or away from the camera. */
export type Facing = "way" | "camera";

/** What the meter shows. */
export interface Figures {
  /** milliseconds from a wish to the first pose that was stepped by it */
  readonly response: { readonly last: number; readonly p95: number; readonly count: number } | null;
  /** millimetres that a held foot strays, at most, of late */
  readonly slide: number | null;
  /** microseconds of a step, on average */
  readonly cost: number | null;
  /** m/s */
  readonly speed: number;
}

/** A result that was made of what was steered. */
export interface Take {
  readonly id: string;
  readonly title: string;
  readonly seconds: number;
  readonly metres: number;
}

export const NO_FIGURES: Figures = { response: null, slide: null, cost: null, speed: 0 };

/** graphs that can be used */
export const graphs = computed(() => (server.value?.graphs ?? []).filter((graph) => graph.error === null && graph.clips !== 0));
/** the one that is used: the chosen one, else the first */
export const graph = computed(() => graphs.value.find((one) => one.id === selection.value.graph) ?? graphs.value[0] ?? null);
/** its id: what the socket is opened for, however often the server's state is told anew */
export const graphId = computed(() => graph.value?.id ?? null);

export const contact = signal<Contact>("none");
/** how far preparing is */
export const stage = signal<{ readonly name: string; readonly share: number } | null>(null);
/** why there is nobody to steer, or what was not understood */
export const problem = signal<string | null>(null);
/** the label that is being learnt; null while nothing is */
export const learning = signal<string | null>(null);
/** the person: skeleton, labels, speeds */
export const person = signal<{ readonly pack: Pack<LivePack>; readonly motion: Motion } | null>(null);

/** what to be doing all the while; "": anything */
export const label = signal("");
export const facing = persisted<Facing>("live.facing", "way", (value) => value === "way" || value === "camera");
/** whether Shift, or the button in its place, is held */
export const running = signal(false);
/** the action that is asked for or being done; null once it is done */
export const acting = signal<string | null>(null);

/** keys that are held, by where they are */
export const keys = signal<ReadonlySet<string>>(new Set());
/** how the stick on the screen is pushed; null while nobody touches it */
export const touch = signal<Push | null>(null);
/** the place to go to */
export const goal = signal<Floor | null>(null);

/** whether a hand has led anybody anywhere yet: until then it is said how */
export const steered = signal(false);
export const figures = signal<Figures>(NO_FIGURES);
/** the moment at which recording began, in milliseconds; null while nothing is recorded */
export const recording = signal<number | null>(null);
/** whether a result is being made */
export const taking = signal(false);
export const take = signal<Take | null>(null);

export const labels = computed(() => person.value?.pack.facts.live.labels ?? []);
export const actions = computed(() => person.value?.pack.facts.live.actions ?? []);
/** what the person cannot do, in sentences */
export const notices = computed(() => person.value?.pack.facts.live.notices ?? []);
/** which actions strike at something */
export const strikes = computed(() => person.value?.pack.facts.live.strikes ?? []);
export const speeds = computed(() => (person.value ? speedsFor(person.value.pack.facts.live.fastest) : USUAL));

/** What number keys stand for: any label, the labels, the actions. */
export const numbered = computed<readonly { readonly key: string; readonly kind: "label" | "action"; readonly name: string }[]>(() =>
  [
    { kind: "label" as const, name: "" },
    ...labels.value.map((name) => ({ kind: "label" as const, name })),
    ...actions.value.map((name) => ({ kind: "action" as const, name })),
  ]
    .slice(0, 10)
    .map((one, index) => ({ ...one, key: String((index + 1) % 10) })),
);

/** What the page knows: the server's state, what is chosen, how it is shown. */
import { batch, computed, effect, signal } from "@preact/signals";
import { get } from "../api/client";
import { follow } from "../api/events";
import { isAway, isHere, online } from "../api/presence";
import type { Clip, Job, ResultPack, ServerEvent, ServerState } from "../api/types";
import type { Pack } from "../api/pack";
import type { RoomId } from "../rooms/registry";
import { persisted } from "./persist";
import { complain, toast } from "./toasts";

export { persisted } from "./persist";
export { complain, dismiss, toast, toasts } from "./toasts";
export { online, returns } from "../api/presence";

export type Theme = "system" | "light" | "dark";
export type Figure = "mannequin" | "stick";

/** What is chosen, by id; result is that of the server's memory. */
export interface Selection {
  clip: string | null;
  graph: string | null;
  space: string | null;
  result: string | null;
}

/** the server's state; null until it first came */
export const server = signal<ServerState | null>(null);
export const room = persisted<RoomId>("room", "library", (value) => typeof value === "string");
export const selection = persisted<Selection>(
  "selection",
  { clip: null, graph: null, space: null, result: null },
  (value) => typeof value === "object" && value !== null && "clip" in value,
);
export const theme = persisted<Theme>("theme", "system", (value) => ["system", "light", "dark"].includes(value as string));
export const figure = persisted<Figure>("figure", "mannequin", (value) => ["mannequin", "stick"].includes(value as string));
/** drawing without shadows, for software WebGL: null lets the stage find out */
export const plain = persisted<boolean | null>("plain", null, (value) => value === null || typeof value === "boolean");
export const grid = persisted("grid", true, (value) => typeof value === "boolean");
/** the result that is shown, whole, as the server sent it */
export const result = signal<Pack<ResultPack> | null>(null);

const systemDark = signal(false);
/** whether the page is dark now */
export const dark = computed(() => (theme.value === "system" ? systemDark.value : theme.value === "dark"));

export const clips = computed(() => server.value?.clips ?? []);
export const jobs = computed(() => server.value?.jobs ?? []);
/** the chosen clip; null where there is none (any more) */
export const clip = computed<Clip | null>(() => clips.value.find((one) => one.id === selection.value.clip) ?? null);

/** Choose something; the rest of the selection stays. */
export function select(part: Partial<Selection>): void {
  selection.value = { ...selection.value, ...part };
}

/** Go to a room. */
export function goTo(id: RoomId): void {
  room.value = id;
}

/** Choose a clip and show it in the library. */
export function openClip(id: string): void {
  batch(() => {
    select({ clip: id });
    room.value = "library";
  });
}

/** Keep a result pack as what is shown; the rooms draw it. */
export function showResult(pack: Pack<ResultPack>): void {
  batch(() => {
    result.value = pack;
    select({ result: pack.facts.result.id });
  });
}

const OPENED = "kinegraph.opened";
let fetching: Promise<void> | null = null;
let again = false;
/** news of clips that came while the state was on its way, and may be newer than it */
const overtaking = new Map<string, Clip>();

/** Fetch the server's state; calls that come meanwhile are one more fetch after this one. */
export function refresh(): Promise<void> {
  if (fetching) {
    again = true;
    return fetching;
  }
  fetching = (async () => {
    try {
      do {
        again = false;
        overtaking.clear();
        const told = await get<ServerState>("/api/state");
        // news may have overtaken the answer
        const known = new Map(jobs.value.map((job) => [job.id, job]));
        server.value = {
          ...told,
          jobs: told.jobs.map((job) => newer(job, known.get(job.id))),
          clips: told.clips.map((clip) => overtaking.get(clip.id) ?? clip),
        };
      } while (again);
    } finally {
      fetching = null;
    }
  })();
  return fetching;
}

const listeners = new Set<(job: Job) => void>();

/** Be told of every change of a job; returns a function that ends it. */
export function onJob(listener: (job: Job) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const PATIENCE = 2000;

/** Resolves when a job has ended, whatever way. Events tell it; asking now and then tells what was missed. */
export function finished(id: string): Promise<Job> {
  return new Promise((resolve) => {
    const end = onJob((job) => {
      if (job.id !== id || job.state === "queued" || job.state === "running") return;
      clearInterval(asking);
      end();
      resolve(job);
    });
    const asking = setInterval(() => {
      if (!online.value) return;
      get<Job[]>("/api/jobs")
        .then((list) => list.filter((job) => job.id === id).forEach(noteJob))
        .catch(() => {}); // the server is away, which the page says already
    }, PATIENCE);
  });
}

/** The later of two news of a job. */
function newer(job: Job, known: Job | undefined): Job {
  return known && known.revision > job.revision ? known : job;
}

/** Put a job into the list, or its news into the one that is there. */
export function noteJob(job: Job): void {
  const state = server.value;
  if (state) {
    const known = state.jobs.find((other) => other.id === job.id);
    // an answer may come after news that are newer
    if (known && known.revision > job.revision) return;
    const list = known ? state.jobs.map((other) => (other.id === job.id ? job : other)) : [job, ...state.jobs];
    server.value = { ...state, jobs: list };
  }
  for (const listener of [...listeners]) listener(job);
}

/** news of clips that wait to be shown: of thousands that are read one after another, not each is drawn by itself */
const waiting = new Map<string, Clip>();
const TOGETHER = 300;
let first = 0;

function noteClip(changed: Clip): void {
  if (fetching) overtaking.set(changed.id, changed);
  if (!server.value) return;
  waiting.set(changed.id, changed);
  if (waiting.size > 1) return;
  // the first news after a while is shown at once
  const quiet = performance.now() - first > TOGETHER;
  if (quiet) showClips();
  else setTimeout(showClips, TOGETHER);
}

function showClips(): void {
  const state = server.value;
  first = performance.now();
  const news = new Map(waiting);
  waiting.clear();
  if (!state || !news.size) return;
  const clips = state.clips.map((other) => {
    const changed = news.get(other.id);
    news.delete(other.id);
    return changed ?? other;
  });
  server.value = { ...state, clips };
  // those that were not known
  if (news.size) refresh().catch(complain);
}

function hear(event: ServerEvent): void {
  if (event.type === "job") {
    const before = jobs.value.find((job) => job.id === event.job.id)?.state;
    noteJob(event.job);
    if (event.job.state === before) return;
    if (event.job.state === "failed") toast(event.job.message ?? `${event.job.title} failed.`, "error");
    if (event.job.state === "done") toast(event.job.message ?? `${event.job.title}: done.`, "good");
  } else if (event.type === "clip") noteClip(event.clip);
  else refresh().catch(complain);
}

/** Begin: watch the system's theme, fetch the state, follow events. Resolves when the state is here. */
export async function start(): Promise<void> {
  const media = matchMedia("(prefers-color-scheme: dark)");
  systemDark.value = media.matches;
  media.addEventListener("change", () => (systemDark.value = media.matches));
  effect(() => {
    document.documentElement.dataset["theme"] = dark.value ? "dark" : "light";
  });
  follow({
    event: hear,
    connected(open) {
      if (open) isHere();
      else isAway();
      // whatever has changed since the state was asked for, and before this, was told to nobody here
      if (open) refresh().catch(complain);
    },
  });
  // the first answer is enough to begin with, even if another is on its way
  const known = new Promise<void>((resolve) => {
    const end = server.subscribe((state) => {
      if (!state) return;
      resolve();
      queueMicrotask(() => end());
    });
  });
  await Promise.race([refresh(), known]);
  openWhatWasAskedFor();
}

/** The graph that the studio was started on is shown, once for each page that is opened, unless the address names something else. */
function openWhatWasAskedFor(): void {
  const query = new URLSearchParams(location.search);
  const wanted = server.value?.open;
  if (!wanted || location.pathname !== "/") return;
  try {
    if (sessionStorage.getItem(OPENED) === wanted) return;
    sessionStorage.setItem(OPENED, wanted);
  } catch {
    // storage is refused: it is shown after each reload
  }
  if (!server.value?.graphs.some((graph) => graph.id === wanted)) return;
  batch(() => {
    select({ graph: wanted });
    if (!query.has("room")) room.value = "graph";
  });
}

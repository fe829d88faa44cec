/** From the scene to what is shown: the newest question is asked, a draft first, and its answer played. */

import { batch, effect, untracked } from "@preact/signals";
import { get, isAborted, postPack, Problem, sentence } from "../../api/client";
import { Latest } from "../../api/newest";
import type { DirectRequest, GraphDetail, ResultPack, SceneJSON } from "../../api/types";
import { Motion } from "../../motion/motion";
import { playNew, seek, setLength } from "../../state/playback";
import { stage } from "../../state/stage";
import { complain, returns, showResult } from "../../state/store";
import type { Scene } from "./scene";
import { anew, answer, asking, dragging, graph, graphDetail, graphVersion, made, open, placed, question, rate, refused, remember, scene, sceneOf, searching, seed, stretch, stretching, trouble, words, type Answer, wholeOf, type Part, type Question } from "./state";
import { next, textOf, wished, within, type Anew } from "./stretch";

/** Milliseconds in which changes that come together become one question. */
const TOGETHER = 15;
/** Milliseconds in which a draft comes to be seen: the whole search would take the processor from its first picture. */
const SEEN = 90;

/** What is wanted, what was asked for, the same or a draft of it, and for which scene. */
interface Asked {
  readonly wanted: Question;
  readonly sent: Question;
  readonly scene: Scene;
  /** the stretch that is to be made anew by this question; what is shown stays until it is */
  readonly part?: Part;
}

let asked = "";
let fresh = true;
/** the stretch that was asked for last, whatever came of it: the next seed is another one */
let tried: Anew | null = null;

const latest = new Latest<Asked, Answer>(
  async ({ sent, scene: of }, signal) => {
    const pack = await postPack<ResultPack, DirectRequest>(sent.url, sent.body, signal);
    return { question: sent, scene: of, facts: pack.facts.result, pack, motion: Motion.of(pack) };
  },
  {
    answered(found, of) {
      take(found, of);
      refine(of);
    },
    failed(error, of) {
      // a narrow search may find no way where a wide one does; what contradicts itself does so for both
      const status = error instanceof Problem ? error.status : 0;
      if (isAborted(error) || (status === 409 && refine(of))) return;
      if (of.part) {
        // told beside the stretch, as long as that is the chosen one; what is shown still holds
        if (stretch.value && textOf(within(stretch.value, of.scene.seconds)) === of.part.stretch) refused.value = sentence(error);
        return;
      }
      trouble.value = { sentence: sentence(error), status, scene: of.scene };
    },
    busy(now) {
      searching.value = now;
    },
  },
);

/** After a draft, unless something has changed since, the whole search; whether it was asked for. */
function refine({ wanted, sent, scene: of }: Asked): boolean {
  if (sent === wanted || dragging.value || JSON.stringify(wanted) !== JSON.stringify(question.value)) return false;
  latest.ask({ wanted, sent: wanted, scene: of }, { yielding: true, wait: SEEN });
  return true;
}

/** A draft: a narrow search, and feet as the clips have them. Of a stretch there is none: all else would be that of a draft, too. */
function drafted(wanted: Question): Question {
  if (wanted.body.stretch) return wanted;
  return { ...wanted, body: { ...wanted.body, draft: true, clean: false } };
}

function take(found: Answer, { part }: Asked): void {
  batch(() => {
    trouble.value = null;
    answer.value = found;
    showResult(found.pack);
    if (part) {
      made.value = part;
      // it has been answered
      asked = textNow(question.value);
    }
    if (!fresh) return;
    seek(0);
    placed.value += 1;
  });
  if (fresh) playNew();
  fresh = false;
}

/** The next answer is to be played from its beginning. */
export function playNext(): void {
  fresh = true;
}

/** Ask again, though nothing has changed. */
export function askAgain(): void {
  const wanted = question.value;
  if (wanted) latest.ask({ wanted, sent: drafted(wanted), scene: scene.value });
}

const textNow = (wanted: Question | null): string => (wanted ? `${returns.value} ${graphVersion.value} ${JSON.stringify(wanted)}` : "");

/** Whether there is a motion of which a stretch can be made anew: that of the scene as it is, and no draft. */
export function canStretch(): boolean {
  return answer.value !== null && !trouble.value && !searching.value && !stretching.value && answer.value.question.body.draft !== true;
}

/** Make the chosen stretch anew; all else stays. */
export function makeAnew(): void {
  const id = graph.value?.id;
  if (!id || !stretch.value || !canStretch()) return;
  const part = { ...next(within(stretch.value, scene.value.seconds), seed.value, tried ?? anew.value), whole: wholeOf(id) };
  tried = part;
  const wanted = asking(id, part);
  refused.value = null;
  latest.ask({ wanted, sent: wanted, scene: scene.value, part });
}

/** Have the stretch that was made anew as it was. */
export function asItWas(): void {
  made.value = null;
}

/** Ask whenever something changes, for as long as the room is open; returns a function that ends it. */
export function startAsking(): () => void {
  let wasDragging = false;
  const ends = [
    effect(() => {
      const now = dragging.value;
      const released = wasDragging && !now;
      wasDragging = now;
      const wanted = question.value;
      const text = textNow(wanted);
      if (text === asked) {
        // let go where the last draft was asked for: it is refined when it comes, or now
        if (released && wanted && !searching.peek()) untracked(() => refine({ wanted, sent: drafted(wanted), scene: scene.value }));
        return;
      }
      asked = text;
      if (wanted) {
        const ask: Asked = { wanted, sent: drafted(wanted), scene: untracked(() => scene.value) };
        latest.ask(ask, { patient: now, wait: now || released ? 0 : TOGETHER });
      } else {
        latest.cancel();
        batch(() => {
          trouble.value = null;
          answer.value = null;
        });
      }
    }),
    effect(() => {
      if (stage.value) stage.value.calm = searching.value && !dragging.value;
    }),
    effect(() => {
      // the timeline is as long as the scene, whatever has been answered
      const seconds = scene.value.seconds;
      const usable = sceneOf.value && seconds > 0 && Number.isFinite(seconds);
      untracked(() => setLength(usable ? Math.min(seconds, 3600) + 1 / rate.value : 0, rate.value, true));
    }),
    effect(() => {
      const [id] = graphVersion.value.split(" ");
      untracked(() => (id ? void learn(id) : void (graphDetail.value = null)));
    }),
  ];
  return () => {
    for (const end of ends) end();
    latest.cancel();
    if (stage.value) stage.value.calm = false;
    dragging.value = false;
    // an answer that was called off is asked for again on coming back
    asked = "";
  };
}

let learning = "";
/** the scene as it stood when that of the graph began to be waited for: any other since is the user's */
let untouched: Scene = scene.peek();
/** what a link asked for before its graph was known */
let linked: DirectRequest | null = null;

/** Set the room by what a result was asked for. */
export function reopen(request: DirectRequest): void {
  playNext();
  if (graph.value && sceneOf.value === graph.value.id) show(request, true);
  else linked = request;
}

function show(request: DirectRequest, asStep: boolean): void {
  const told = wished(request);
  batch(() => {
    open(request.scene, asStep);
    seed.value = told.seed;
    tried = told.anew;
    made.value = told.anew && { ...told.anew, whole: wholeOf(graph.value!.id) };
  });
}

/** What a graph has, and its scene: the one that was edited last, else one that it can do. What is edited meanwhile stays. */
async function learn(id: string): Promise<void> {
  const isNew = sceneOf.peek() !== id;
  const known = isNew ? remember(id) : null;
  // asked once more, after an error or as its file has changed, the graph is still waited for
  if (isNew && learning !== id) {
    sceneOf.value = "";
    // it is at hand: edits are to be made to it, not to what was there before
    if (known && !linked) open(known, false);
    untouched = scene.peek();
  }
  learning = id;
  try {
    const [said, detail, first] = await Promise.all([
      words.peek().size ? null : get<string[]>("/api/scenes/words"),
      get<GraphDetail>(`/api/graphs/${id}`),
      isNew ? (known ?? get<SceneJSON>(`/api/graphs/${id}/scene`)) : null,
    ]);
    if (learning !== id) return;
    batch(() => {
      graphDetail.value = detail;
      if (said) words.value = new Set(said);
      if (!first || sceneOf.peek() === id) return;
      fresh = true;
      const isEdited = scene.peek() !== untouched;
      if (linked) show(linked, isEdited);
      else if (!isEdited) open(first, false);
      linked = null;
      sceneOf.value = id;
    });
  } catch (error) {
    if (learning === id) complain(error, { label: "Try again", run: () => learn(id) });
  }
}

/** Have the example of the graph again, as a step that can be undone. */
export async function openExample(): Promise<void> {
  const id = graph.value?.id;
  if (!id) return;
  try {
    const found = await get<SceneJSON>(`/api/graphs/${id}/scene`);
    if (graph.value?.id !== id) return;
    playNext();
    open(found, true);
  } catch (error) {
    complain(error);
  }
}

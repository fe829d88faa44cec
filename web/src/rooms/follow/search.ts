/** From what is set to what is shown: the newest question is asked, and its answer played. */

import { batch, computed, effect } from "@preact/signals";
import { get, isAborted, postPack, Problem, sentence } from "../../api/client";
import type { FollowRequest, GraphDetail, ResultPack, Turns } from "../../api/types";
import { Motion } from "../../motion/motion";
import { stage } from "../../state/stage";
import { playNew, seek, setLength, time } from "../../state/playback";
import { complain, returns, showResult } from "../../state/store";
import { Latest } from "../../api/newest";
import type { Question } from "./request";
import { answer, course, dragging, graph, graphDetail, mode, placed, problem, question, searching, shownLength, stroke, turns, type Answer } from "./state";

/** Milliseconds in which settings that change together become one question. */
const TOGETHER = 15;

/** Walks that a draft's search keeps; 300 otherwise. With half of them it takes half the time; with fewer it goes astray too often. */
const DRAFT_WIDTH = 150;
/** Milliseconds in which a draft comes to be seen: the whole search would take the processor from its first picture. */
const SEEN = 90;
/** Metres up to which a whole search takes no longer than a look. */
const SHORT = 6;

/** What is wanted, and what was asked for: the same, or a draft of it. */
interface Asked {
  readonly wanted: Question;
  readonly sent: Question;
}

let asked = "";
let wasInHand = false;
// what is new on the floor is watched from its beginning
let fresh = false;

const latest = new Latest<Asked, Answer>(
  async ({ sent }, signal) => {
    const pack = await postPack<ResultPack, Question["body"]>(sent.url, sent.body, signal);
    return { question: sent, facts: pack.facts.result, pack, motion: Motion.of(pack) };
  },
  {
    answered(made, of) {
      take(made);
      refine(of);
    },
    failed(error, of) {
      // a narrow search may find no way where a wide one does
      if (isAborted(error) || refine(of)) return;
      problem.value = { sentence: sentence(error), status: error instanceof Problem ? error.status : 0 };
    },
    busy(now) {
      searching.value = now;
    },
  },
);

/** After a draft, unless something has changed since, the whole search; whether it was asked for. */
function refine({ wanted, sent }: Asked): boolean {
  // by what they say: settings that come to the same make another question
  if (sent === wanted || inHand() || JSON.stringify(wanted) !== JSON.stringify(question.value)) return false;
  latest.ask({ wanted, sent: wanted }, { yielding: true, wait: SEEN });
  return true;
}

function take(made: Answer): void {
  batch(() => {
    problem.value = null;
    answer.value = made;
    showResult(made.pack);
    setLength(made.motion.seconds, made.motion.fps, true);
    if (fresh) seek(0);
    // a path was drawn where one looks; where chance leads is not known before
    if (fresh && mode.value !== "path") placed.value += 1;
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
  asked = "";
  const wanted = question.value;
  if (wanted) latest.ask({ wanted, sent: drafted(wanted) });
}

/** Ask whenever something changes, for as long as the room is open; returns a function that ends it. */
export function startAsking(): () => void {
  const ends = [
    effect(() => {
      const now = inHand();
      const released = wasInHand && !now;
      const wanted = question.value;
      // a file that was written anew is another graph; a server that comes back holds no result any more
      const text = wanted ? `${now} ${returns.value} ${graphVersion.value} ${JSON.stringify(wanted)}` : "";
      if (text === asked) return;
      wasInHand = now;
      asked = text;
      if (wanted) latest.ask({ wanted, sent: drafted(wanted) }, { patient: now, wait: now || released ? 0 : TOGETHER });
      else {
        latest.cancel();
        batch(() => {
          problem.value = null;
          answer.value = null;
        });
      }
    }),
    effect(() => {
      if (stage.value) stage.value.calm = searching.value && !inHand();
    }),
    effect(() => {
      const [id] = graphVersion.value.split(" ");
      if (id) void learn(id);
      else graphDetail.value = null;
    }),
  ];
  // what was shown when the room was left is shown again, at the time at which the clock stands
  const shown = answer.value;
  if (shown) setLength(shown.motion.seconds, shown.motion.fps, time.value > 0);
  return () => {
    for (const end of ends) end();
    latest.cancel();
    if (stage.value) stage.value.calm = false;
    // a slider that goes with its panel does not tell that it was let go
    dragging.value = false;
    // an answer that was called off is asked for again on coming back
    if (JSON.stringify(answer.value?.question) !== JSON.stringify(question.value)) asked = "";
  };
}

/** Whether a hand is drawing or dragging: its questions come in a stream. */
function inHand(): boolean {
  return stroke.value !== null || dragging.value;
}

/**
 * What is asked first: of a long path a narrower search, whose answer is there while the hand still moves; the question
 * itself where that is short, or where the draft is what is shown.
 */
function drafted(wanted: Question): Question {
  if (!("path" in wanted.body) || wanted.body.search !== "fast" || shownLength.value <= SHORT) return wanted;
  const body: FollowRequest = { ...wanted.body, width: DRAFT_WIDTH };
  const draft: Question = { ...wanted, body };
  return !inHand() && JSON.stringify(draft) === JSON.stringify(answer.value?.question) ? wanted : draft;
}

const graphVersion = computed(() => (graph.value ? `${graph.value.id} ${graph.value.modified} ${graph.value.size}` : ""));
let learning = "";

async function learn(id: string): Promise<void> {
  learning = id;
  turns.value = null;
  try {
    const detail = await get<GraphDetail>(`/api/graphs/${id}`);
    if (learning === id) graphDetail.value = detail;
    // tried out only where somebody is to be told, before anything is drawn
    if (mode.peek() !== "path" || course.peek().drawing.source) return;
    const found = await get<Turns>(`/api/graphs/${id}/turns`);
    if (learning === id) turns.value = found;
  } catch (error) {
    if (learning === id) complain(error, { label: "Try again", run: () => learn(id) });
  }
}

/** From what is set to what is shown: the newest question is asked, and its answer played. */

import { batch, computed, effect } from "@preact/signals";
import { get, isAborted, postPack, Problem, sentence } from "../../api/client";
import { Motion } from "../../motion/motion";
import { play, seek, setLength, time } from "../../state/playback";
import { complain, showResult } from "../../state/store";
import { Latest } from "./latest";
import type { Question } from "./request";
import { answer, dragging, graph, graphDetail, mode, placed, problem, question, searching, stroke, type Answer, type GraphDetail } from "./state";

/** Milliseconds in which settings that change together become one question. */
const TOGETHER = 15;

/** Walks that a search keeps while something is in the hand; 300 otherwise. */
const DRAFT_WIDTH = 80;

let asked = "";
// what is new on the floor is watched from its beginning
let fresh = false;

const latest = new Latest<Question, Answer>(
  async (wanted, signal) => {
    const pack = await postPack(wanted.url, wanted.body, signal);
    return { question: wanted, facts: pack.facts.result, pack, motion: Motion.of(pack) };
  },
  {
    answered: take,
    failed(error) {
      if (isAborted(error)) return;
      problem.value = { sentence: sentence(error), status: error instanceof Problem ? error.status : 0 };
    },
    busy(now) {
      searching.value = now;
    },
  },
);

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
  if (fresh) play();
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
  if (wanted) latest.ask(wanted);
}

/** Ask whenever something changes, for as long as the room is open; returns a function that ends it. */
export function startAsking(): () => void {
  const ends = [
    effect(() => {
      const now = inHand();
      const wanted = question.value && (now ? drafted(question.value) : question.value);
      const text = wanted ? JSON.stringify(wanted) : "";
      if (text === asked) return;
      asked = text;
      if (wanted) latest.ask(wanted, { patient: now, wait: now ? 0 : TOGETHER });
      else {
        latest.cancel();
        batch(() => {
          problem.value = null;
          answer.value = null;
        });
      }
    }),
    effect(() => {
      // a file that was written anew is another graph
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
    // an answer that was called off is asked for again on coming back
    if (answer.value === null || JSON.stringify(answer.value.question) !== asked) asked = "";
  };
}

/** Whether a hand is drawing or dragging: its questions come in a stream. */
function inHand(): boolean {
  return stroke.value !== null || dragging.value;
}

/** The question with a narrower search: its answer comes in half the time, while the hand still moves. */
function drafted(wanted: Question): Question {
  return "path" in wanted.body ? { ...wanted, body: { ...wanted.body, width: DRAFT_WIDTH } } : wanted;
}

const graphVersion = computed(() => (graph.value ? `${graph.value.id} ${graph.value.modified} ${graph.value.size}` : ""));
let learning = "";

async function learn(id: string): Promise<void> {
  learning = id;
  try {
    const detail = await get<GraphDetail>(`/api/graphs/${id}`);
    if (learning === id) graphDetail.value = detail;
  } catch (error) {
    if (learning === id) complain(error, { label: "Try again", run: () => learn(id) });
  }
}

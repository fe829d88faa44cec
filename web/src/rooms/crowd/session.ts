/** From what is asked to the frames that come of it: one socket for each run. */
import { batch, effect, untracked } from "@preact/signals";
import { get, inquire, post, Problem, sentence } from "../../api/client";
import { unpack } from "../../api/pack";
import { isAway, untilBack } from "../../api/presence";
import type { CrowdDrawing, CrowdExport, CrowdKeep, CrowdPack, CrowdRun, CrowdScenario, CrowdScene, CrowdTold, Entry, Job, PeoplePack } from "../../api/types";
import { Motion } from "../../motion/motion";
import { madeOf } from "../../state/motions";
import * as playback from "../../state/playback";
import { complain, finished, noteJob, refresh, toast } from "../../state/store";
import { Frames } from "./frames";
import { chosen, draw, DRAWN, graph, isDrawn, kept, keptValue, person, preview, problem, report, run, scenario, seconds, seed, stage, there, tool } from "./state";

/** Milliseconds between two news of frames: they come faster than anybody sees, and a page that is busy with them hears no hand. */
const TELL = 250;

let socket: WebSocket | null = null;
let telling = 0;
/** runs in succession that were broken off */
let broken = 0;
const MOST_BROKEN = 3;
/** the same for whatever is asked with the same scenario */
const questionNow = (): string => JSON.stringify([graph.value?.id, scenario.value]);

/** Keep what is shown to what is asked, for as long as the room is open; returns a function that ends it. */
export function startAsking(): () => void {
  void listKept();
  const ends = [
    // who walked through another scenario is gone
    effect(() => {
      const question = questionNow();
      untracked(() => {
        if (run.peek() && run.peek()!.question !== question) clear();
        problem.value = null;
      });
    }),
    effect(() => {
      const asked = scenario.value;
      if (isDrawn.value || !asked) preview.value = null;
      else void look(asked);
    }),
  ];
  if (run.peek()) playback.setLength(run.peek()!.frames.seconds, run.peek()!.frames.rate, true);
  return () => {
    for (const end of ends) end();
    if (stage.peek() !== "done") clear();
  };
}

async function look(asked: CrowdScenario): Promise<void> {
  try {
    const found = await inquire<CrowdScene, CrowdScenario>("/api/crowd/scene", asked);
    if (scenario.peek() === asked) preview.value = found;
  } catch (error) {
    if (scenario.peek() !== asked) return;
    preview.value = null;
    problem.value = sentence(error);
  }
}

/** Run what is set. */
export function start(): void {
  broken = 0;
  begun();
}

function begun(): void {
  const [asked, on] = [scenario.peek(), graph.peek()];
  if (!asked || !on) return;
  clear();
  stage.value = "preparing";
  // the hand picks people now
  tool.value = "look";
  problem.value = null;
  const question = questionNow();
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const own = (socket = new WebSocket(`${scheme}//${location.host}/api/crowd?graph=${encodeURIComponent(on.id)}`));
  own.binaryType = "arraybuffer";
  own.onopen = () => own.send(JSON.stringify({ type: "run", scenario: asked, seconds: seconds.peek(), seed: seed.peek() } satisfies CrowdRun));
  own.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (own !== socket) return;
    if (typeof data === "string") told(JSON.parse(data) as CrowdTold);
    else if (!run.peek()) begin(data, question);
    else came(data);
  };
  own.onclose = () => {
    if (own !== socket) return;
    if (stage.peek() === "done" || problem.peek()) {
      socket = null;
      if (stage.peek() !== "done") stage.value = "idle";
    } else void again(own);
  };
}

/** The server has gone in the midst of a run: what has come stays until it is back, and is computed anew then. The same request gives the same crowd. */
async function again(lost: WebSocket): Promise<void> {
  isAway();
  await untilBack();
  if (lost !== socket) return;
  if (++broken < MOST_BROKEN) return begun();
  socket = null;
  stage.value = "idle";
  problem.value = "The connection to the studio's server was lost again and again.";
}

/** Compute no further. */
export function stop(): void {
  if (stage.peek() === "computing" && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "stop" }));
  else clear();
}

/** Take everybody off. */
export function clear(): void {
  const own = socket;
  socket = null;
  own?.close();
  batch(() => {
    run.value = null;
    report.value = null;
    person.value = null;
    there.value = 0;
    stage.value = "idle";
  });
  playback.pause();
  playback.setLength(0, playback.fps.value);
}

function begin(data: ArrayBuffer, question: string): void {
  const pack = unpack<CrowdPack>(data);
  const of = graph.peek()?.id;
  const motion = of ? madeOf(Motion.of(pack), of) : Motion.of(pack);
  const facts = pack.facts.crowd;
  batch(() => {
    run.value = { question, facts, motion, frames: new Frames(facts.people, motion.joints.length, motion.fps / facts.every) };
    stage.value = "computing";
  });
}

function came(data: ArrayBuffer): void {
  run.peek()!.frames.add(unpack<PeoplePack>(data));
  if (there.peek() === 0) tell();
  else telling ||= window.setTimeout(tell, TELL);
}

/** Let the page know of the frames that have come. */
function tell(): void {
  clearTimeout(telling);
  telling = 0;
  const frames = run.peek()?.frames;
  if (!frames || there.peek() === frames.count) return;
  const first = there.peek() === 0;
  batch(() => {
    playback.setLength(frames.seconds, frames.rate, !first);
    there.value = frames.count;
  });
  if (first) playback.playNew();
}

function told(message: CrowdTold): void {
  if (message.type === "refused" || message.type === "problem") problem.value = message.error ?? "";
  else if (message.type === "computed") {
    tell();
    stage.value = "judging";
  } else if (message.type === "done") {
    broken = 0;
    report.value = message.report ?? null;
    stage.value = "done";
    socket?.close();
  }
}

/** Ask which scenarios were kept. */
export async function listKept(): Promise<void> {
  try {
    kept.value = await get<Entry[]>("/api/crowd/scenarios");
  } catch (error) {
    complain(error);
  }
}

/** Keep the scenario, and choose it. */
export async function keep(name: string): Promise<void> {
  const asked = scenario.peek();
  if (!asked) return;
  try {
    const entry = await post<Entry, CrowdKeep>("/api/crowd/scenarios", { name, scenario: asked, seed: seed.peek() });
    await listKept();
    toast(`Saved as ${entry.file}.`, "good", isDrawn.peek() ? undefined : { label: "Choose it", run: () => void (chosen.value = keptValue(entry.id)) });
  } catch (error) {
    complain(error);
  }
}

/** Take the scenario that is chosen into the drawing, to be changed there. */
export async function edit(): Promise<void> {
  const asked = scenario.peek();
  if (!asked) return;
  try {
    const { groups, walls, notices } = await inquire<CrowdDrawing, CrowdScenario>("/api/crowd/drawing", asked);
    batch(() => {
      draw({ groups: groups.map(({ name, count, start, goal }) => ({ name, count, start, goal })), walls });
      chosen.value = DRAWN;
    });
    for (const notice of notices) toast(`${notice[0]!.toUpperCase()}${notice.slice(1)}.`);
  } catch (error) {
    complain(error);
  }
}

/** Write the run; the export, once it is there, or null where it failed. */
export async function write(name: string, format: string): Promise<Entry | null> {
  const now = run.peek();
  if (!now) return null;
  try {
    const job = await post<Job, CrowdExport>(`/api/crowd/${now.facts.run}/export`, { name, format });
    noteJob(job);
    const ended = await finished(job.id);
    if (ended.state !== "done") return null;
    await refresh();
    return (ended.result as { export: Entry } | null)?.export ?? null;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) {
      toast("The studio was started again since, so everybody is computed once more. Export them when that is done.");
      start();
    } else complain(error);
    return null;
  }
}

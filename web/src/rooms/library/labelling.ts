/** Labels that people give to clips: to one, or to many at once. Every change can be taken back, also after a reload. */
import { computed } from "@preact/signals";
import { get, patch, post, put } from "../../api/client";
import type { Clip, ClipChange, ClipDetail, ClipLabels, LabelSpan, LabelsChange, LabelsChanged, LabelsPut, TimedLabel } from "../../api/types";
import { persisted } from "../../state/persist";
import { complain, dismiss, refresh, toast } from "../../state/store";
import { detail, loadDetail } from "./model";

type Span = Omit<LabelSpan, "origin" | "confidence">;

/** What people said of some clips before and after a change, and what the change was, in words. */
interface Step {
  readonly words: string;
  readonly before: ClipLabels[];
  readonly after: ClipLabels[];
}

const MOST_STEPS = 100;
const isSteps = (value: unknown): boolean => Array.isArray(value) && value.every((step) => typeof step === "object" && step !== null && "before" in step);
const past = persisted<readonly Step[]>("library.undo", [], isSteps, "tab");
const future = persisted<readonly Step[]>("library.redo", [], isSteps, "tab");

export const canUndo = computed(() => past.value.length > 0);
export const canRedo = computed(() => future.value.length > 0);

/** Labels that people gave; the others were found or come from the name. */
export function given(spans: readonly LabelSpan[]): LabelSpan[] {
  return spans.filter((span) => span.origin === "file");
}

/** Labels of people's in seconds, as the server keeps them; one to the clip's end has no end. */
export function timed(spans: readonly Span[], frames: number, fps: number): TimedLabel[] {
  return spans.map(({ label, first, last }) => ({ label, from: first / fps, to: last >= frames ? null : last / fps }));
}

/** Say all labels of a clip, in frames. What was found where nothing was said before stays beside them. */
export async function saveLabels(one: ClipDetail, spans: readonly Span[], words = "Labels changed"): Promise<void> {
  const info = one.info;
  if (!info) return;
  const own = (of: readonly Span[]): ClipLabels[] => [{ clip: one.id, labels: timed(of, info.frames, info.fps) }];
  try {
    await patch<Clip, ClipChange>(`/api/clips/${one.id}`, { labels: timed(spans, info.frames, info.fps), keep_found: true });
    const now = await get<ClipDetail>(`/api/clips/${one.id}`);
    if (detail.value?.id === one.id) detail.value = now;
    step({ words, before: own(given(one.spans)), after: own(given(now.spans)) });
    await refresh();
  } catch (error) {
    complain(error);
  }
}

/** Give a label to all of some clips, or take it back where people gave it. */
export async function labelMany(clips: readonly Clip[], change: { add?: string; remove?: string }): Promise<void> {
  const word = change.add ?? change.remove ?? "";
  try {
    const request: LabelsChange = { clips: clips.map((clip) => clip.id), add: change.add ? [change.add] : [], remove: change.remove ? [change.remove] : [] };
    const changed = await post<LabelsChanged[], LabelsChange>("/api/labels", request);
    if (!changed.length) {
      return void toast(change.add ? `All of them are labelled ${word} already.` : `Nobody gave the label ${word} to these: it was found by how the body moves, or comes from the name.`);
    }
    const count = changed.length === 1 ? "1 clip" : `${changed.length} clips`;
    const words = change.add ? `${count}: ${word} added` : `${count}: ${word} taken back`;
    step({ words, before: changed.map(({ clip, before }) => ({ clip, labels: before })), after: changed.map(({ clip, after }) => ({ clip, labels: after })) });
    await fresh();
    offered = toast(`${words}.`, "good", { label: "Undo", run: undo });
  } catch (error) {
    complain(error);
  }
}

// the toast that offers to take the last change back
let offered = 0;

function step(made: Step): void {
  past.value = [...past.value, made].slice(-MOST_STEPS);
  future.value = [];
}

// what is asked for while a step is under way comes after it, so that no press is lost
let turn: Promise<void> = Promise.resolve();
const inTurn = (work: () => Promise<void>) => (): Promise<void> => (turn = turn.then(work));

/** Take the last change of labels back. */
export const undo = inTurn(async () => {
  const last = past.value.at(-1);
  if (!last || !(await say(last.before))) return;
  past.value = past.value.slice(0, -1);
  future.value = [...future.value, last];
  dismiss(offered);
  toast(`Undone: ${last.words}.`);
});

/** Make it again. */
export const redo = inTurn(async () => {
  const last = future.value.at(-1);
  if (!last || !(await say(last.after))) return;
  future.value = future.value.slice(0, -1);
  past.value = [...past.value, last];
});

async function say(clips: ClipLabels[]): Promise<boolean> {
  try {
    await put<void, LabelsPut>("/api/labels", { clips });
    await fresh();
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

async function fresh(): Promise<void> {
  if (detail.value) await loadDetail(detail.value.id);
  await refresh();
}

/** What happens in a result, as lanes: which clip is played, and which labels it bears. */

import type { Pack } from "../api/pack";
import type { ResultPack } from "../api/types";
import { labelColour } from "../ui/label-colour";
import type { Lane, Mark } from "./lanes";

/** Pixels of a lane of spans. */
const TALL = 24;
/** Colours of clips by turns, so that one is told from the next. */
const SHADES = ["--c-walked", "--c-kept-2"];

/** Runs of frames of one value, half open. */
export function runs(values: ArrayLike<number>): { first: number; last: number; value: number }[] {
  const out: { first: number; last: number; value: number }[] = [];
  for (let index = 0; index < values.length; index++) {
    const now = out.at(-1);
    if (now && now.value === values[index]) now.last = index + 1;
    else out.push({ first: index, last: index + 1, value: values[index]! });
  }
  return out;
}

/**
 * What is done, one label a frame: of those that it bears the one that has been borne, and will be, for longest. So a walk with turns in it is
 * one walk; frames that bear nothing have no span.
 */
export function bearing(labelled: ArrayLike<number>, labels: readonly string[]): Mark[] {
  const count = labels.length;
  const frames = count ? Math.floor(labelled.length / count) : 0;
  const best = new Int32Array(frames).fill(-1);
  const longest = new Int32Array(frames);
  for (let label = 0; label < count; label++) {
    const borne = Uint8Array.from({ length: frames }, (_, frame) => (labelled[frame * count + label]! > 0 ? 1 : 0));
    for (const { first, last, value } of runs(borne)) {
      if (!value) continue;
      for (let frame = first; frame < last; frame++) {
        if (last - first <= longest[frame]!) continue;
        longest[frame] = last - first;
        best[frame] = label;
      }
    }
  }
  return runs(best).flatMap(({ first, last, value }) => {
    const text = labels[value];
    return text === undefined ? [] : [{ first, last, text, colour: labelColour(text) }];
  });
}

/** The lanes of a result, or of none yet: they are there before it is, so that the stage keeps its size. */
export function actionLanes(pack: Pack<ResultPack> | null): Lane[] {
  const facts = pack?.facts.result;
  const clip = pack?.arrays["clip"];
  const labelled = pack?.arrays["labelled"];
  const clips = facts && clip ? runs(clip).map(({ first, last, value }, index) => ({ first, last, text: facts.clips[value] ?? "", colour: SHADES[index % 2]! })) : [];
  return [
    { id: "actions.labels", label: "Does", marks: facts && labelled ? bearing(labelled, facts.labels) : [], tall: TALL },
    { id: "actions.clips", label: "Clip", marks: clips, tall: TALL },
  ];
}

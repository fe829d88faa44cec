/** What is shown where there is no graph yet: the way to a first walk. */

import { clips, goTo } from "../../state/store";
import { Button, Empty, Progress } from "../../ui";
import { begin, preparing, step } from "./newcomer";

const STAGES: Record<string, string> = {
  read: "Reading clips",
  prepare: "Preparing clips",
  compare: "Comparing every frame with every frame",
  choose: "Choosing transitions",
  save: "Saving the graph",
};

/** The empty state, and the progress of the first graph. */
export function StartPanel() {
  const job = step.value;
  const count = clips.value.length;
  if (preparing.value) {
    const share = job && job.total > 0 ? job.done / job.total : null;
    const says = job ? (STAGES[job.stage] ?? job.title) : "Beginning";
    return (
      <Empty icon="follow" title="Making your first graph" text={`${says}…`}>
        <Progress label={says} value={share} />
      </Empty>
    );
  }
  return (
    <Empty
      icon="follow"
      title="Draw a line, and somebody walks it"
      text={
        count === 0
          ? "For that, clips must be joined to a motion graph. The built-in samples are ready in some seconds."
          : `For that, your ${count === 1 ? "clip" : `${count} clips`} must be joined to a motion graph.`
      }
    >
      {count > 0 && (
        <Button kind="primary" wide onClick={() => void begin(false)}>
          Build a graph of {count === 1 ? "this clip" : `these ${count} clips`}
        </Button>
      )}
      <Button kind={count > 0 ? "plain" : "primary"} wide onClick={() => void begin(true)}>
        Start with the samples
      </Button>
      <Button kind="quiet" wide onClick={() => goTo(count > 0 ? "graph" : "library")}>
        {count > 0 ? "Choose clips in the Graph room" : "Bring your own clips"}
      </Button>
    </Empty>
  );
}

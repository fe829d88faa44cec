/** The build that runs, or ran last: how far it is, how long it will take, and the way to stop it or to go on. */

import type { JSX } from "preact";
import { jobs } from "../../state/store";
import { Button, Progress } from "../../ui";
import { cancelJob, dismissJob, resumeJob } from "./actions";
import { running } from "./model";
import { timeLeft } from "./words";

const STAGES: Record<string, string> = {
  read: "Reading clips",
  prepare: "Preparing",
  compare: "Comparing every window with every other",
  choose: "Choosing transitions",
  save: "Saving",
};

const UNDER_WAY = new Set(["queued", "running", "interrupted"]);

/** Nothing where no build is under way and none has stopped short. */
export function JobCard(): JSX.Element | null {
  const job = jobs.value.find((one) => one.id === running.value) ?? jobs.value.find((one) => one.kind === "build" && UNDER_WAY.has(one.state));
  if (!job || job.state === "done" || job.state === "cancelled") return null;
  const busy = job.state === "queued" || job.state === "running";
  const words = job.state === "queued" ? "Waiting for another job to end" : (STAGES[job.stage] ?? job.stage);
  return (
    <div class="graph-job" role="status">
      <strong>{job.title}</strong>
      {busy ? (
        <>
          <Progress label={job.title} value={job.total > 0 ? job.done / job.total : null} />
          <span class="graph-note">
            {words}
            {timeLeft(job.eta_s) && `, ${timeLeft(job.eta_s)}`}
          </span>
          <Button small onClick={() => void cancelJob(job.id)}>
            Cancel
          </Button>
        </>
      ) : (
        <>
          <span class="graph-note">{job.message ?? "It was interrupted; what was compared is kept."}</span>
          <Button small onClick={() => void resumeJob(job.id)}>
            {job.state === "failed" ? "Try again" : "Go on"}
          </Button>
          <Button small kind="quiet" onClick={() => void dismissJob(job.id)}>
            Dismiss
          </Button>
        </>
      )}
    </div>
  );
}

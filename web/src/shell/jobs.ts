/** Jobs in words. */
import type { Job } from "../api/types";

/** How far a job is, from 0 to 1; null where it cannot be known. */
export function shareOf(job: Job): number | null {
  return job.total > 0 ? job.done / job.total : null;
}

/** Time left of the step that a job is at: "40 s left", "3 min left"; empty where it is unknown, or as good as over. */
export function left(job: Job): string {
  const seconds = job.eta_s;
  if (seconds === null || job.state !== "running") return "";
  if (seconds < 1.5) return "";
  if (seconds < 90) return `${Math.ceil(seconds)} s left`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min left`;
  return `${(seconds / 3600).toFixed(1)} h left`;
}

/** What a job is doing, or has become. */
export function wordOf(job: Job): string {
  switch (job.state) {
    case "queued":
      return "waiting";
    case "running":
      return [job.stage, left(job) && `${left(job)} of this step`].filter(Boolean).join(", ");
    case "done":
      return "done";
    case "failed":
      return "failed";
    case "cancelled":
      return "cancelled";
    case "interrupted":
      return "interrupted";
  }
}

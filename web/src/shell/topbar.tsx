/** The bar above all: where one is, what runs, how it looks. */
import type { JSX } from "preact";
import { del, post } from "../api/client";
import type { Job } from "../api/types";
import { complain, figure, grid, jobs, noteJob, online, plain, refresh, server, theme, type Theme } from "../state/store";
import { drawsPlainly } from "../state/stage";
import { Button, Icon, IconButton, Menu, Progress, Toolbar } from "../ui";
import { CharacterMenu } from "./character";
import { Popover } from "./popover";
import { help } from "./state";
import { shareOf, wordOf } from "./jobs";

const THEMES: Record<Theme, { icon: string; label: string; next: Theme }> = {
  system: { icon: "system", label: "Theme: as the system's", next: "light" },
  light: { icon: "sun", label: "Theme: light", next: "dark" },
  dark: { icon: "moon", label: "Theme: dark", next: "system" },
};

export function TopBar(): JSX.Element {
  const look = THEMES[theme.value];
  const stick = figure.value === "stick";
  return (
    <header class="topbar">
      <div class="brand">
        <img src="/icon.svg" alt="" width={22} height={22} />
        <h1>kinegraph</h1>
      </div>
      <Workspace />
      <div class="spacer" />
      {!online.value && (
        <p class="away" role="status">
          <Icon name="clock" />
          <span>The server is away. What you chose is kept, and goes on when it is back.</span>
        </p>
      )}
      <Jobs />
      <Toolbar class="bar-tools" label="How it looks">
        <IconButton
          icon={stick ? "person" : "mannequin"}
          label={stick ? "Figure: stick" : "Figure: mannequin"}
          shortcut="M"
          onClick={() => (figure.value = stick ? "mannequin" : "stick")}
        />
        <CharacterMenu />
        <IconButton icon={look.icon} label={look.label} onClick={() => (theme.value = look.next)} />
        <Menu
          label="Settings of the stage"
          icon="settings"
          items={[
            { label: "Metre lines", checked: grid.value, run: () => (grid.value = !grid.value) },
            {
              label: "Shadows and fine pixels",
              checked: !drawsPlainly.value,
              hint: "Off where pictures take long, as without a graphics card",
              run: () => (plain.value = !drawsPlainly.value),
            },
          ]}
        />
        <IconButton icon="help" label="Shortcuts" shortcut="?" onClick={() => (help.value = true)} />
      </Toolbar>
    </header>
  );
}

function Workspace(): JSX.Element {
  const workspace = server.value?.workspace;
  return (
    <div class="workspace" title={workspace?.folder}>
      <Icon name="folder" />
      <span>{workspace?.name ?? "…"}</span>
      {workspace && !workspace.writable && <em>read only</em>}
    </div>
  );
}

function Jobs(): JSX.Element | null {
  const list = jobs.value;
  if (!list.length) return null;
  const running = list.find((job) => job.state === "running") ?? list.find((job) => job.state === "queued");
  const stopped = list.some((job) => job.state === "interrupted");
  return (
    <Popover
      label="Jobs"
      button={
        running ? (
          <>
            <span class="job-line">{running.title}</span>
            <Progress value={shareOf(running)} label={running.title} />
            <span class="job-left">{running.state === "queued" ? "waiting" : running.stage}</span>
          </>
        ) : (
          <>
            <Icon name={stopped ? "warning" : "clock"} />
            {stopped ? "A job was interrupted" : "Jobs"}
          </>
        )
      }
    >
      <ul class="jobs">
        {list.map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
      </ul>
    </Popover>
  );
}

function JobRow({ job }: { job: Job }): JSX.Element {
  const act = (path: string) => (): void => void post<Job>(`/api/jobs/${job.id}/${path}`).then(noteJob).catch(complain);
  const active = job.state === "queued" || job.state === "running";
  return (
    <li class={`job ${job.state}`}>
      <div class="job-title">
        <strong>{job.title}</strong>
        <span class="faint">{wordOf(job)}</span>
      </div>
      {job.state === "running" && <Progress value={shareOf(job)} label={job.title} />}
      {job.message && job.state !== "running" && <p>{job.message}</p>}
      {job.state === "interrupted" && !job.message && <p>The server stopped while it ran. What was done is kept.</p>}
      <div class="actions">
        {active && (
          <Button small onClick={act("cancel")}>
            Cancel
          </Button>
        )}
        {(job.state === "interrupted" || job.state === "cancelled" || job.state === "failed") && (
          <Button small onClick={act("resume")}>
            {job.state === "failed" ? "Try again" : "Go on"}
          </Button>
        )}
        {!active && (
          <Button small kind="quiet" onClick={() => void del(`/api/jobs/${job.id}`).then(refresh).catch(complain)}>
            Clear
          </Button>
        )}
      </div>
    </li>
  );
}

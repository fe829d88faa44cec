/** Building a space: kind, clips, name; and how far it is. */

import { post } from "../../api/client";
import type { Job } from "../../api/types";
import { complain } from "../../state/store";
import { Button, capital, Checkbox, Progress, Section, Segmented, TextField } from "../../ui";
import { build, FEWEST, type Kind, kind, name, offered, search, setKind, starting, taken, toggle } from "./build";
import { kinds, plural } from "./model";

/** The form. */
export function Builder({ done }: { done?: () => void }) {
  const count = taken.value.size;
  return (
    <Section title="Build a space" fixed>
      <Segmented
        label="Kind"
        value={kind.value}
        options={kinds.value.map((one) => ({ value: one.name, label: capital(one.plural), hint: one.help }))}
        onChange={(next) => setKind(next as Kind)}
      />
      <TextField label="Name" value={name.value} placeholder={plural(kind.value)} live onChange={(text) => (name.value = text)} />
      <TextField label="Search clips" hideLabel type="search" live value={search.value} placeholder="Search clips" onChange={(text) => (search.value = text)} />
      <ul class="strike-clips" aria-label="Clips">
        {offered.value.map((clip) => (
          <li key={clip.id}>
            <Checkbox label={clip.name} value={taken.value.has(clip.id)} onChange={() => toggle(clip.id)} />
          </li>
        ))}
        {offered.value.length === 0 && <li class="faint">No clip has such a name.</li>}
      </ul>
      <div class="strike-build">
        <span class="faint">{count === 0 ? "Choose clips: each may hold several strikes." : `${count} ${count === 1 ? "clip" : "clips"}; a space takes at least ${FEWEST} strikes.`}</span>
        <Button kind="primary" disabled={count === 0 || starting.value} onClick={() => void build().then(done)}>Build</Button>
      </div>
    </Section>
  );
}

/** How far the build is; it can be called off. */
export function BuildProgress({ job }: { job: Job }) {
  const share = job.total > 0 ? job.done / job.total : null;
  const left = job.eta_s !== null && job.eta_s >= 1 ? `, ${Math.round(job.eta_s)} s left` : "";
  return (
    <div class="strike-progress">
      <Progress value={share} label={job.title} />
      <div>
        <span class="faint">{job.state === "queued" ? "Waiting for its turn" : `${job.title}: ${job.stage}${left}`}</span>
        <Button small onClick={() => void post(`/api/jobs/${job.id}/cancel`).catch(complain)}>Cancel</Button>
      </div>
    </div>
  );
}

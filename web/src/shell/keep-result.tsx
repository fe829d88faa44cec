/** Ways on from a result: keep it in the workspace, give it to somebody, or take it to another program. */

import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { getBlob, post } from "../api/client";
import type { KeptResult, NameRequest } from "../api/types";
import { stage } from "../state/stage";
import { complain, goTo, refresh, server, toast } from "../state/store";
import { Button, fileName } from "../ui";

/** names under which results were kept, by their ids */
const names = signal<ReadonlyMap<string, string>>(new Map());

/** The name under which a result was kept from this page; null where it was not, or is there no more. */
export function keptAs(id: string): string | null {
  const name = names.value.get(id);
  return name !== undefined && server.value?.results.some((one) => one.name === name) ? name : null;
}

/** Keep a result under a name; what the workspace calls it. */
export async function keepAs(id: string, name: string): Promise<KeptResult> {
  const kept = await post<KeptResult, NameRequest>(`/api/results/${id}/keep`, { name });
  await refresh();
  names.value = new Map(names.value).set(id, kept.name);
  toast(`Kept as ${kept.name}.`, "good");
  return kept;
}

/** Save a page that plays the result anywhere, seen as it is seen here. */
export async function share(id: string, title: string): Promise<void> {
  const view = stage.value?.camera.view();
  const numbers = view ? [...view.position, ...view.target].map((value) => value.toFixed(3)).join(",") : "";
  const page = await getBlob(`/api/results/${id}/page?view=${numbers}`);
  const address = URL.createObjectURL(page);
  const link = document.createElement("a");
  link.href = address;
  link.download = `${fileName(title)}.html`;
  link.click();
  URL.revokeObjectURL(address);
  toast(`Saved ${link.download}: one file that plays in any browser, without kinegraph.`, "good");
}

/** Keep, share and export, for the result of that id. keep: what keeping it means in that room. */
export function KeepResult({ id, title, keep = () => keepAs(id, fileName(title)) }: { id: string; title: string; keep?: () => Promise<unknown> }) {
  const [busy, setBusy] = useState(false);
  const kept = keptAs(id);
  const doing = (what: () => Promise<unknown>) => (): void => {
    setBusy(true);
    void what()
      .catch(complain)
      .finally(() => setBusy(false));
  };
  const words = kept ? `Kept as ${kept}` : "Keep this result";
  return (
    <div class="keep-result">
      <Button icon={kept ? "check" : "keep"} disabled={busy || kept !== null} onClick={doing(keep)} label={words} title={kept ? words : "Write it to the workspace"}>
        {kept ? "Kept" : "Keep"}
      </Button>
      <Button icon="share" disabled={busy} title="Save a page that plays this in any browser" onClick={doing(() => share(id, title))}>
        Share
      </Button>
      <Button icon="export" onClick={() => goTo("export")} title="To a file for another program, as Blender">
        Export…
      </Button>
    </div>
  );
}

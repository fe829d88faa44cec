/** Ways on from a result: keep it in the workspace, or take it elsewhere. */

import { useState } from "preact/hooks";
import { post } from "../api/client";
import type { KeptResult, NameRequest } from "../api/types";
import { complain, goTo, refresh, toast } from "../state/store";
import { Button, fileName } from "../ui";

/** Keep and export, for the result of that id. */
export function KeepResult({ id, title }: { id: string; title: string }) {
  const [busy, setBusy] = useState(false);
  const keep = async () => {
    setBusy(true);
    try {
      const kept = await post<KeptResult, NameRequest>(`/api/results/${id}/keep`, { name: fileName(title) });
      await refresh();
      toast(`Kept as ${kept.name}.`, "good");
    } catch (failure) {
      complain(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="keep-result">
      <Button icon="keep" disabled={busy} onClick={() => void keep()} title="Write it to the workspace">Keep</Button>
      <Button icon="export" onClick={() => goTo("export")} title="To a file for another program">Export…</Button>
    </div>
  );
}

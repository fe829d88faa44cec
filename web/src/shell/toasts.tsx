/** Toasts, at the lower edge of the stage. */
import type { JSX } from "preact";
import { complain, dismiss, toasts } from "../state/toasts";
import { Icon, IconButton } from "../ui";

const ICONS = { info: "info", good: "check", error: "warning" };

export function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="region" aria-label="Messages" aria-live="polite">
      {toasts.value.map((toast) => (
        <div key={toast.id} class={`toast ${toast.kind}`} role={toast.kind === "error" ? "alert" : "status"}>
          <Icon name={ICONS[toast.kind]} />
          <p>{toast.text}</p>
          {toast.action && (
            <button
              type="button"
              class="toast-action"
              onClick={async () => {
                dismiss(toast.id);
                try {
                  await toast.action!.run();
                } catch (error) {
                  complain(error);
                }
              }}
            >
              {toast.action.label}
            </button>
          )}
          <IconButton icon="close" label="Dismiss" size={12} onClick={() => dismiss(toast.id)} />
        </div>
      ))}
    </div>
  );
}

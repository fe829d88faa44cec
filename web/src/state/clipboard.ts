/** Texts for other programs. */
import { toast } from "./toasts";

/** Copy a text, and say so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} was copied.`, "good");
  } catch {
    toast(`The browser does not let the page copy: select the text and copy it yourself.`, "error");
  }
}

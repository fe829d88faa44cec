/** Files that are saved under names: of two tabs, none takes away what the other has saved. */
import type { Entry } from "../api/types";
import { persisted } from "./persist";
import { toast } from "./toasts";

/** The files of one kind that this tab has opened or saved, as they were then: whatever else has their names is somebody else's work. */
export class Owned {
  readonly #mine;

  /** kind: what one is called */
  constructor(
    key: string,
    private readonly kind: string,
  ) {
    this.#mine = persisted<Readonly<Record<string, string>>>(key, {}, (value) => typeof value === "object" && value !== null, "tab");
  }

  /** This tab has opened or saved it. */
  own(entry: Entry): void {
    this.#mine.value = { ...this.#mine.value, [entry.name]: entry.modified };
  }

  /** Whether a file may be saved in place of the one that is there, if there is one; where it may not, the page asks, and `save` replaces it. */
  mayReplace(there: Entry | undefined, save: () => Promise<unknown>): boolean {
    if (!there || this.#mine.value[there.name] === there.modified) return true;
    const words = this.#mine.value[there.name] ? `The ${this.kind} ${there.name} was changed elsewhere meanwhile.` : `There is a ${this.kind} called ${there.name} already.`;
    toast(words, "error", { label: "Replace it", run: async () => void (await save()) });
    return false;
  }
}

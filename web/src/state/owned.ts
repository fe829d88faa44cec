/** Files that are saved under names: of two tabs, none takes away what the other has saved. */
import type { Entry } from "../api/types";
import { persisted } from "./persist";

/** What became of saving: true where it was done, false where it failed, which was told; a sentence where it would replace somebody else's work. */
export type Saved = boolean | string;

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

  /** Why the file that is there, if one is, is not to be replaced unasked; null where it may be. */
  another(there: Entry | undefined): string | null {
    const known = there && this.#mine.value[there.name];
    if (!there || known === there.modified) return null;
    return known ? `The ${this.kind} ${there.name} was changed elsewhere meanwhile.` : `There is a ${this.kind} called ${there.name} already.`;
  }
}

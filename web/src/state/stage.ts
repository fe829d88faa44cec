/** The one stage of the page, once it stands. */
import { signal } from "@preact/signals";
import type { Stage } from "../stage/stage";

export const stage = signal<Stage | null>(null);

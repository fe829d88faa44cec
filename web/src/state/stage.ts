/** The one stage of the page, once it stands. */
import { signal } from "@preact/signals";
import type { Stage } from "../stage/stage";

export const stage = signal<Stage | null>(null);
/** whether it draws without shadows now, by the user's wish or by its own */
export const drawsPlainly = signal(false);

/** What of the shell is open. */
import { signal } from "@preact/signals";
import { persisted } from "../state/persist";
import type { View } from "../stage/camera";

/** the list of shortcuts */
export const help = signal(false);
/** the list of kept views */
export const viewsOpen = signal(false);
/** four kept views, and whether the camera follows */
export const keptViews = persisted<(View | null)[]>("views", [null, null, null, null], (value) => Array.isArray(value) && value.length === 4);
export const following = persisted("following", false, (value) => typeof value === "boolean");
/** the width of each room's flat view, as a share */
export const splits = persisted<Record<string, number>>("splits", {}, (value) => typeof value === "object" && value !== null);

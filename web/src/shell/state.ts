/** What of the shell is open. */
import { signal } from "@preact/signals";
import { persisted } from "../state/persist";
import type { View } from "../stage/camera";

const phone = globalThis.matchMedia?.("(max-width: 760px)");
/** whether the page is as narrow as a phone's, where the panel is a sheet below the stage */
export const narrow = signal(phone?.matches ?? false);
phone?.addEventListener("change", () => (narrow.value = phone.matches));
/** the list of shortcuts */
export const help = signal(false);
/** the list of kept views */
export const viewsOpen = signal(false);
/** four kept views */
export const keptViews = persisted<(View | null)[]>("views", [null, null, null, null], (value) => Array.isArray(value) && value.length === 4);
/** whether the camera follows now */
export const followed = signal(false);
/** in which rooms it follows unless told */
const FOLLOWS = new Set(["library", "live"]);
/** in which rooms it is to follow, as far as that was told */
export const followIn = persisted<Record<string, boolean>>("follow", {}, (value) => typeof value === "object" && value !== null);
/** Whether it is to follow in a room. */
export const followsIn = (room: string): boolean => followIn.value[room] ?? FOLLOWS.has(room);
/** the width of each room's flat view, as a share */
export const splits = persisted<Record<string, number>>("splits", {}, (value) => typeof value === "object" && value !== null);
/** how much of a small screen a panel takes: its handle alone, a part, most of it */
export type Sheet = "down" | "half" | "up";
/** what each room's panel takes, as far as that was told */
export const sheets = persisted<Record<string, Sheet>>("sheets", {}, (value) => typeof value === "object" && value !== null);

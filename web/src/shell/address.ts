/** The address bar follows what is shown, and what is shown follows the address: by Back and Forward, a reload, or a link from somebody else. */
import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { getPack, sentence } from "../api/client";
import type { ResultPack } from "../api/types";
import { type Room, type RoomId, rooms } from "../rooms/registry";
import { isStep, type Place, read, type Thing, THINGS, written } from "../state/address";
import { heroFile } from "../state/hero";
import * as playback from "../state/playback";
import { complain, room as roomId, select, selection, server, showResult, toast } from "../state/store";

/** Milliseconds for which the time must rest before it is written. */
const REST = 250;
const WORDS = { clip: "clip", graph: "graph", space: "space of strikes" };

/** the address that leads nowhere; null where it leads somewhere */
export const lost = signal<string | null>(null);
/** a moment to go to, once what has it is there */
let moment: number | null = null;
/** nothing is written while an address is being followed */
const following = signal(0);

const roomOf = (): Room | undefined => rooms.find((one) => one.id === roomId.value);
const listed = (thing: Thing): readonly { id: string; file: string; name: string }[] => {
  const state = server.value;
  if (!state || thing === "result") return [];
  return { clip: state.clips, graph: state.graphs, space: state.spaces }[thing];
};

/** What is shown, without the moment. */
const shown = computed<Place>(() => {
  const told = roomOf()?.address?.() ?? {};
  const files = THINGS.flatMap((thing) => {
    const id = told[thing];
    const file = thing === "result" ? id : listed(thing).find((one) => one.id === id)?.file;
    return file ? [[thing, file]] : [];
  });
  return { room: roomId.value, ...Object.fromEntries(files) };
});

const ids = (): RoomId[] => rooms.map((one) => one.id);
const here = (): Place | null => read(location.pathname, location.search, ids());
/** What stands in the address besides: on whose body, and how it is drawn. */
const others = (): [string, string][] => [
  ...(heroFile.value ? [["character", heroFile.value] as [string, string]] : []),
  ...[...new URLSearchParams(location.search)].filter(([name]) => name === "plain"),
];

/** The character that the address names. */
const named = (): string | null => new URLSearchParams(location.search).get("character");

/** Begin: go where the address says as far as that needs no server. */
export function enter(): void {
  const place = here();
  if (place === null) lost.value = location.pathname;
  else if (place.room) roomId.value = place.room as RoomId;
  if (place?.time !== undefined) moment = place.time;
  heroFile.value = named() ?? heroFile.value;
  addEventListener("popstate", () => void go(here()));
}

/** Once the server's state is here: show what the address names, and let the address follow from now on. */
export async function follow(): Promise<void> {
  await go(here());
  effect(() => {
    const place = shown.value;
    const body = heroFile.value;
    if (following.value || lost.value !== null) return;
    // the moment in the address is of what it names
    untracked(() => {
      const { time, ...before } = here() ?? { room: null };
      if (time === undefined || written(before) !== written(place)) write(place);
      else if (named() !== body) write({ ...place, time });
    });
  });
  let resting: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const still = !playback.playing.value && playback.duration.value > 0;
    const place = shown.value;
    void playback.time.value;
    clearTimeout(resting);
    if (!still || following.value || moment !== null) return;
    resting = setTimeout(() => {
      // another room may have come meanwhile, whose time it is not
      if (shown.peek() === place && lost.peek() === null && playback.duration.peek() > 0) write({ ...place, time: playback.time.peek() });
    }, REST);
  });
  effect(() => {
    void playback.comings.value;
    if (playback.duration.peek() <= 0 || moment === null) return;
    // after whatever plays what has just come
    setTimeout(() => {
      if (moment === null) return;
      playback.pause();
      playback.seek(moment);
      moment = null;
    }, 0);
  });
}

function write(place: Place): void {
  const before = here();
  const text = written(place, others());
  document.title = titleOf(place);
  if (text === location.pathname + location.search) return;
  if (before?.room && isStep(before, place)) history.pushState(null, "", text);
  else history.replaceState(null, "", text);
}

function titleOf(place: Place): string {
  const told = roomOf()?.address?.() ?? {};
  const thing = THINGS.find((one) => place[one] && one !== "result");
  const name = thing && listed(thing).find((one) => one.id === told[thing])?.name;
  return [name, roomOf()?.name, "kinegraph"].filter(Boolean).join(" – ");
}

/** Show what a place names. What is not there any more is told, and the rest is shown. */
async function go(place: Place | null): Promise<void> {
  following.value += 1;
  try {
    if (place === null) return void (lost.value = location.pathname);
    const found: Partial<Record<Thing, string>> = {};
    for (const thing of ["clip", "graph", "space"] as const) {
      const file = place[thing];
      if (!file) continue;
      const entry = listed(thing).find((one) => one.file === file);
      if (entry) found[thing] = entry.id;
      else toast(`There is no ${WORDS[thing]} ${file} in this folder: it may have been renamed or deleted.`, "error");
    }
    const before = shown.peek();
    // what this tab shows already, or has made in that room, need not be fetched; its settings say more of it than the result does
    const held = [selection.value.result, rooms.find((one) => one.id === place.room)?.address?.().result];
    const other = place.result && !held.includes(place.result) ? await fetched(place.result) : null;
    batch(() => {
      lost.value = null;
      moment = place.time ?? null;
      if (Object.keys(found).length) select(found);
      if (other) showResult(other);
      if (place.room) roomId.value = place.room as RoomId;
    });
    if (other) await roomOf()?.open?.(other);
    // what is shown already goes to its moment; whatever else does so when it comes
    if (moment !== null && playback.duration.value > 0 && !other && before.room === place.room && !isStep(before, place)) {
      playback.pause();
      playback.seek(moment);
      moment = null;
    }
  } catch (error) {
    complain(error);
  } finally {
    // what was chosen settles first
    setTimeout(() => (following.value -= 1), 0);
  }
}

async function fetched(id: string) {
  try {
    return await getPack<ResultPack>(`/api/results/${encodeURIComponent(id)}/motion`);
  } catch (error) {
    toast(`The result of this link cannot be shown: ${sentence(error)} Results that were not kept last as long as the studio runs.`, "error");
    return null;
  }
}

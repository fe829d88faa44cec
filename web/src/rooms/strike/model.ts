/** What the strike room holds: the space, the target, and the strike that was made for it. */

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { get, getPack, isAborted, postPack, sentence } from "../../api/client";
import { latest } from "../../api/latest";
import type { GraphDetail, JoinRequest, ResultFacts, ResultPack, SpaceDetail, SpaceFile, StrikeFacts, StrikeKind, StrikeRequest, TrustPack } from "../../api/types";
import { Motion } from "../../motion/motion";
import { floats } from "../../api/pack";
import { complain, persisted, returns, select, selection, server, showResult } from "../../state/store";
import { covered, type Extent, flipped, held, type Reliability, type Spot } from "./plane";

/** A strike that was made. */
export interface Made {
  readonly motion: Motion;
  readonly facts: ResultFacts;
  readonly strike: StrikeFacts;
}

/** Settings that stay from visit to visit. */
export interface Settings extends Required<Pick<StrikeRequest, "method" | "mirror">> {
  /** whether the target has a distance ahead too */
  readonly deep: boolean;
}

/** Whether a strike stands between two walks, and which: seconds of both, a label that they keep to ("" for any), and chance. */
export interface Joining {
  readonly on: boolean;
  readonly before: number;
  readonly after: number;
  readonly label: string;
  readonly seed: number;
}

const JOINING: Joining = { on: false, before: 3, after: 3, label: "walk", seed: 0 };

const SETTINGS: Settings = { method: "auto", mirror: false, deep: false };

export const settings = persisted<Settings>("strike.settings", SETTINGS, (value) => typeof value === "object" && value !== null && "method" in value);
export const joining = persisted<Joining>("strike.joining", JOINING, (value) => typeof value === "object" && value !== null && "on" in value);
/** graphs to walk through, the one that is chosen, or else the first, and its labels */
export const graphs = computed(() => (server.value?.graphs ?? []).filter((one) => one.error === null && one.clips !== 0));
export const graph = computed(() => graphs.value.find((one) => one.id === selection.value.graph) ?? graphs.value[0] ?? null);
const borne = signal<{ readonly graph: string; readonly labels: readonly string[] } | null>(null);
export const labels = computed(() => (borne.value?.graph === graph.value?.id ? (borne.value?.labels ?? []) : []));
/** the chosen space of the chosen file */
const spaceName = persisted<string | null>("strike.space", null);

export const kinds = computed<readonly StrikeKind[]>(() => server.value?.strike_kinds ?? []);
export const spaces = computed<readonly SpaceFile[]>(() => server.value?.spaces ?? []);
/** the chosen space; the first one where none, or one that is gone, was chosen */
export const chosen = computed<SpaceFile | null>(() => {
  const own = spaces.value.filter((each) => each.id === selection.value.space);
  return own.find((each) => each.space === spaceName.value) ?? own[0] ?? spaces.value[0] ?? null;
});
export const detail = signal<SpaceDetail | null>(null);
export const trust = signal<Reliability | null>(null);
export const target = signal<Spot | null>(null);
/** metres ahead, used where `settings.deep` */
export const ahead = signal(0);
export const made = signal<Made | null>(null);
export const problem = signal<string | null>(null);
/** counts the strikes: the stage plays each anew */
export const played = signal(0);
/** whether the target is being dragged */
export const dragging = signal(false);

/** Where the examples hit, as they are seen: with the other limb, left and right exchanged. */
export const hits = computed(() => detail.value?.examples.map(({ hit, clip }) => ({ clip, at: seen(hit) })) ?? []);
export const corners = computed<Spot[]>(() => detail.value?.corners.map(([x, y]) => [sign() * x, y] as const) ?? []);
/** The region as a line through the examples that are its corners, each as far ahead as it hits. */
export const outline = computed<number[][]>(() =>
  corners.value.map(([x, y]) => {
    const away = (at: readonly number[]) => Math.hypot(at[0]! - x, at[1]! - y);
    const nearest = hits.value.reduce((best, { at }) => (away(at) < away(best) ? at : best), hits.value[0]!.at);
    return [x, y, nearest[2]];
  }),
);
export const box = computed<Extent | null>(() => {
  const space = detail.value;
  if (!space) return null;
  const plain = { low: space.low, high: space.high };
  return settings.value.mirror ? flipped(plain) : plain;
});
/** The part of the plane that is shown. */
export const extent = computed<Extent | null>(() => {
  const whole = trust.value && covered(trust.value);
  return whole && settings.value.mirror ? flipped(whole) : whole;
});
/** The bones of the ready pose as they are seen from behind: pairs of places, for orientation. */
export const bones = computed<[Spot, Spot][]>(() => {
  const ready = detail.value?.ready;
  if (!ready) return [];
  const at = (joint: number): Spot => [sign() * ready.positions[joint]![0]!, ready.positions[joint]![1]!];
  return ready.parents.flatMap((parent, joint): [Spot, Spot][] => (parent < 0 ? [] : [[at(parent), at(joint)]]));
});
/** How far ahead the examples hit: least, most and mean. */
export const depths = computed(() => {
  const all = detail.value?.examples.map(({ hit }) => hit[2]) ?? [0];
  return { least: Math.min(...all), most: Math.max(...all), mean: all.reduce((sum, each) => sum + each, 0) / all.length };
});
/** The target in three dimensions, for the stage: where no distance is set, as far ahead as the strike hits. */
export const place = computed<[number, number, number] | null>(() => {
  const spot = target.value;
  if (!spot) return null;
  return [spot[0], spot[1], settings.value.deep ? ahead.value : (made.value?.strike.hit[2] ?? depths.value.mean)];
});
/** The kind of the space's strikes. */
const kind = computed(() => kinds.value.find((one) => one.name === detail.value?.kind) ?? null);
/** What strikes: a hand or a foot. */
export const tip = computed(() => kind.value?.tip ?? "limb");
const side = computed(() => {
  const own = detail.value?.side ?? "";
  return settings.value.mirror ? (own === "left" ? "right" : "left") : own;
});
/** The limb that strikes, in words, and the joint of it that hits, by its role. */
export const limb = computed(() => (detail.value ? `${side.value} ${tip.value}` : ""));
export const joint = computed(() => `${side.value}_${kind.value?.joint}`);

function sign(): number {
  return settings.value.mirror ? -1 : 1;
}

function seen([x, y, z]: readonly [number, number, number]): [number, number, number] {
  return [sign() * x, y, z];
}

const striking = latest(
  async (asked: { url: string; body: StrikeRequest | JoinRequest }, abort: AbortSignal) => ({
    asked,
    pack: await postPack<ResultPack, StrikeRequest | JoinRequest>(asked.url, asked.body, abort),
  }),
  ({ pack }) => {
    const facts = pack.facts.result;
    const strike = facts.strike;
    // there is one in every result of this room
    if (!strike) return;
    batch(() => {
      problem.value = null;
      made.value = { motion: Motion.of(pack), facts, strike };
      played.value += 1;
      showResult(pack);
    });
  },
  (failure) => {
    if (!isAborted(failure)) problem.value = sentence(failure);
  },
);

/** Whether a strike is being made. */
export const busy = striking.busy;

/** What several strikes of a kind are called. */
export function plural(of: string): string {
  return kinds.value.find((kind) => kind.name === of)?.plural ?? "strikes";
}

/** Choose a space. */
export function choose(file: SpaceFile): void {
  batch(() => {
    spaceName.value = file.space;
    select({ space: file.id });
  });
}

/** Aim at a place of the plane, held to what is shown of it. */
export function aim(spot: readonly [number, number]): void {
  if (extent.value) target.value = held(spot, extent.value);
}

/** Aim at the middle of the box about the examples. */
export function aimAtMiddle(): void {
  const edges = box.value;
  if (edges) target.value = held([(edges.low[0] + edges.high[0]) / 2, (edges.low[1] + edges.high[1]) / 2], edges);
}

/** End a drag: the strike is played. */
export function release(): void {
  if (!dragging.value) return;
  batch(() => {
    dragging.value = false;
    played.value += 1;
  });
}

/** Aim at where the nearest strike hits. */
export function aimAtNearest(): void {
  const hit = made.value?.strike.hit;
  if (!hit) return;
  batch(() => {
    target.value = [Math.round(hit[0] * 1000) / 1000, Math.round(hit[1] * 1000) / 1000];
    ahead.value = Math.round(hit[2] * 1000) / 1000;
  });
}

/** With the other hand or foot, or with its own again: a target that was mirrored with the limb stays as far out. */
export function setMirror(mirror: boolean): void {
  batch(() => {
    settings.value = { ...settings.value, mirror };
    const spot = target.value;
    if (spot) target.value = [-spot[0] + 0, spot[1]];
  });
}

/** Between two walks, or alone. Whoever walks up to it strikes with the hand or foot of the space. */
export function setJoined(on: boolean): void {
  batch(() => {
    if (on && settings.value.mirror) setMirror(false);
    joining.value = { ...joining.value, on };
  });
}

/** With a distance ahead, begun at where the strike hits now; or without. */
export function setDeep(deep: boolean): void {
  batch(() => {
    ahead.value = Math.round((made.value?.strike.hit[2] ?? depths.value.mean) * 1000) / 1000;
    settings.value = { ...settings.value, deep };
  });
}

/** Begin to follow what is chosen and set; returns what ends it. */
export function begin(): () => void {
  const ends = [
    effect(() => {
      const file = chosen.value;
      const key = file && `${file.id} ${file.space}`;
      untracked(() => {
        const now = detail.value && `${detail.value.id} ${detail.value.name}`;
        if (key !== now) void open(file);
      });
    }),
    effect(() => {
      const space = detail.value;
      const spot = target.value;
      const { method, mirror, deep } = settings.value;
      const depth = ahead.value;
      // a server that comes back holds no result any more
      void returns.value;
      if (!space || !spot) return;
      const aimed = deep ? [...spot, depth] : [...spot];
      const { on, before, after, label, seed } = joining.value;
      const walked = graph.value;
      // walks take longer than a hand that aims waits
      if (on && walked && !dragging.value) {
        // which labels there are comes first: without the one that is meant it would be another walk
        if (borne.value?.graph !== walked.id) return;
        const body: JoinRequest = { space: space.name, target: aimed, graph: walked.id, before, after, seed, ...(labels.value.includes(label) ? { label } : {}) };
        untracked(() => striking.request({ url: `/api/spaces/${space.id}/join`, body }));
        return;
      }
      const body: StrikeRequest = { space: space.name, target: aimed, method, mirror };
      untracked(() => striking.request({ url: `/api/spaces/${space.id}/reach`, body }));
    }),
    effect(() => {
      const id = joining.value.on ? graph.value?.id : undefined;
      if (!id) return;
      get<GraphDetail>(`/api/graphs/${id}`).then(
        (told) => {
          if (graph.peek()?.id === id) borne.value = { graph: id, labels: told.labels };
        },
        (failure) => isAborted(failure) || complain(failure),
      );
    }),
  ];
  return () => {
    for (const end of ends) end();
    striking.cancel();
  };
}

async function open(file: SpaceFile | null): Promise<void> {
  striking.cancel();
  batch(() => {
    detail.value = null;
    trust.value = null;
    made.value = null;
    target.value = null;
    problem.value = null;
  });
  if (!file) return;
  const query = `?space=${encodeURIComponent(file.space)}`;
  try {
    const [space, grid] = await Promise.all([
      get<SpaceDetail>(`/api/spaces/${file.id}${query}`),
      getPack<TrustPack>(`/api/spaces/${file.id}/trust${query}`),
    ]);
    if (chosen.value?.id !== file.id || chosen.value.space !== file.space) return;
    const { rows, columns, x0, y0, step } = grid.facts;
    batch(() => {
      detail.value = { ...space, id: file.id, name: file.space };
      trust.value = { rows, columns, x0, y0, step, values: floats(grid, "reliability") };
      aimAtMiddle();
      ahead.value = Math.round(depths.value.mean * 1000) / 1000;
    });
  } catch (failure) {
    if (chosen.value?.id === file.id && !isAborted(failure)) problem.value = sentence(failure);
  }
}

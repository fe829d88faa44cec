/** What was set in the room when a result was asked for: the other way round than request.ts. */
import type { FollowRequest, WalkRequest } from "../../api/types";
import type { Following, Making, Mode, Ordering, Wandering } from "./request";
import type { Stretch } from "./sections";

export interface Settings {
  readonly mode: Mode;
  readonly making: Partial<Making>;
  readonly following: Following;
  readonly wandering: Partial<Wandering>;
  readonly ordering: Ordering;
  readonly label: string;
  readonly stretches: readonly Stretch[];
  readonly obstacles: NonNullable<FollowRequest["obstacles"]>;
  readonly pauses: NonNullable<FollowRequest["pause"]>;
}

/** The settings of a request for a path, a random walk or one in order. */
export function settingsOf(request: FollowRequest | WalkRequest): Settings {
  const asked = request as Partial<Omit<FollowRequest, "seed"> & WalkRequest>;
  const making: Partial<Making> = {
    ...(asked.blend === undefined ? {} : { blend: asked.blend }),
    ...(asked.clean === undefined ? {} : { clean: asked.clean }),
  };
  return {
    mode: asked.path ? "path" : asked.sequence?.length ? "sequence" : "random",
    making,
    following: {
      search: asked.search ?? "fast",
      warp: asked.warp ?? true,
      start: asked.start ?? "",
      speed: asked.speed ?? 0,
      unbent: asked.bend === 0,
      facing: asked.facing ?? "along",
      heading: asked.heading_deg ?? undefined,
      endHeading: asked.end_heading_deg ?? undefined,
      limit: asked.limit ?? undefined,
      zone: asked.zone ?? undefined,
      avoid: asked.avoid?.length ? asked.avoid : undefined,
      prefer: asked.prefer ?? {},
    },
    wandering: {
      ...(asked.seconds == null ? {} : { seconds: asked.seconds }),
      ...(asked.seed == null ? {} : { seed: asked.seed }),
      label: asked.label ?? "",
      pool: asked.pool ?? 0,
    },
    ordering: { steps: asked.sequence ?? [], stay: typeof asked.stay === "number" ? asked.stay : 1, eitherSide: asked.either_side ?? false },
    label: asked.label ?? "",
    obstacles: asked.obstacles ?? [],
    pauses: asked.pause ?? [],
    stretches: (asked.sections ?? []).map(({ first, last, label }, index, all) => ({ first, last: index === all.length - 1 ? Infinity : (last ?? Infinity), label })),
  };
}

/** Footprints: the heel and the ball of a foot that stand at the same time are one of them. */

import type { Plant } from "../api/types";

/** Where a foot stood, from frame `first` to `last`, and where its toes pointed in radians. */
export interface Footprint {
  readonly foot: "left" | "right";
  readonly first: number;
  readonly last: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly heading: number;
}

/** One footprint for each time that a foot stands, in the order in which they are made. */
export function footprints(plants: readonly Plant[]): readonly Footprint[] {
  const found: Footprint[] = [];
  for (const foot of ["left", "right"] as const) {
    const own = plants.filter((plant) => plant.foot === foot);
    const heels = own.filter((plant) => plant.part === "heel");
    const used = new Set<Plant>();
    for (const ball of own.filter((plant) => plant.part === "ball")) {
      const heel = heels.find((other) => !used.has(other) && other.first < ball.last && ball.first < other.last);
      if (heel) used.add(heel);
      found.push(heel ? between(heel, ball) : alone(ball));
    }
    for (const heel of heels) if (!used.has(heel)) found.push(alone(heel));
  }
  return found.sort((one, other) => one.first - other.first);
}

function between(heel: Plant, ball: Plant): Footprint {
  return {
    foot: ball.foot,
    first: Math.min(heel.first, ball.first),
    last: Math.max(heel.last, ball.last),
    x: (heel.x + ball.x) / 2,
    y: Math.min(heel.y, ball.y),
    z: (heel.z + ball.z) / 2,
    heading: ball.heading,
  };
}

function alone({ foot, first, last, x, y, z, heading }: Plant): Footprint {
  return { foot, first, last, x, y, z, heading };
}

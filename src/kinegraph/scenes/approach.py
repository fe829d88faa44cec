"""Where to stand for the strikes of a scene: round each target there is a ring of stances, of which one is taken that suits the way in
and on.

Strikes that follow one another quickly are thrown in a chain: from the same stance where all targets are in reach from it, else with a
step between.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion.floor import FloorTransform
from kinegraph.people.stances import Stances
from kinegraph.scenes.scene import Scene, inside

STEP = 0.5
"""How far apart two stances of a chain may be, in metres and in radians that count as in `kinegraph.people.stances.TURN`."""
# directions from which a target may be struck
_ROUND = 72
# metres by which a target may be nearer or farther than the strikes of a space go, to be in reach without a step
_DEPTH = 0.06
# what the square of a radian costs by which somebody turns on the way in, and on the way on; what a metre costs that is too far
# for the time, and what it costs to strike to the side
_TURN_IN, _TURN_ON, _TOO_FAR, _ASIDE = 0.3, 0.1, 2.0, 0.2
# what it costs to come as it was tried before, and radians by which another way to come differs
_AGAIN, _OTHERWISE = 5.0, 0.6
# metres below which nobody has to go anywhere
_THERE = 0.3


@dataclass(frozen=True)
class Spot:
    """A place that somebody comes from or goes to."""

    x: float
    z: float
    heading: float | None
    seconds: float
    """How long it takes from there, or to there."""


@dataclass(frozen=True, eq=False)
class Blow:
    """What is known of a strike before it is known where somebody stands for it."""

    stances: Stances
    ready: float
    """Where the body faces in its ready pose, in the space's frame, in radians."""

    @property
    def middle(self) -> Array:
        """Where the target lies for the stance in the middle, to the left and ahead."""
        middle: Array = self.stances.before[len(self.stances.before) // 2]
        return middle

    def in_reach(self, place: FloorTransform) -> bool:
        """Whether the target is in reach, as it seems, from a stance that is already taken."""
        left, _, ahead = place.inverse().apply(self.stances.target)
        across, far = self.stances.before.T
        return bool(across[0] <= left <= across[-1] and abs(ahead - np.interp(left, across, far)) < _DEPTH)


def stand_for(
    blows: Sequence[Blow],
    between: Sequence[FloorTransform],
    scene: Scene,
    came: Spot | None,
    goes: Spot | None,
    fastest: float,
    avoided: Sequence[float] = (),
) -> tuple[list[FloorTransform], float]:
    """Where the space of each strike of a chain lies, and by how much two stances are apart at most.

    between: how the space of each strike but the first lies on that before it, for somebody who stays where he is. fastest: m/s.
    avoided: headings of the first stance that did not do.
    """
    best: tuple[float, list[FloorTransform], float] | None = None
    first = blows[0]
    across, ahead = first.stances.before.T
    # of a single strike the middle is the surest; a chain takes whatever brings all its targets into reach
    tried = range(len(across)) if len(blows) > 1 else [len(across) // 2]
    for turn in range(_ROUND):
        angle = 2.0 * np.pi * turn / _ROUND
        for column in tried:
            shift = FloorTransform(angle).apply([across[column], 0.0, ahead[column]])
            place = FloorTransform(
                angle, float(first.stances.target[0] - shift[0]), float(first.stances.target[2] - shift[2])
            )
            cost = _suits(place, first.ready, scene, came, None, fastest)
            cost += sum(_AGAIN for one in avoided if abs(math.remainder(angle - one, 2.0 * math.pi)) < _OTHERWISE)
            cost += _ASIDE * abs(float(across[column] - first.middle[0]))
            places, apart = [place], 0.0
            for blow, lies in zip(blows[1:], between, strict=True):
                stays = places[-1] @ lies
                if blow.in_reach(stays):
                    places.append(stays)
                    continue
                stance = blow.stances.nearest(stays)
                cost += 0.5 + stance.apart
                apart = max(apart, stance.apart)
                places.append(stance.place)
            cost += _suits(places[-1], blows[-1].ready, scene, None, goes, fastest)
            cost += 100.0 * max(apart - STEP, 0.0)
            if best is None or cost < best[0]:
                best = cost, places, apart
    assert best is not None
    return best[1], best[2]


def _suits(
    place: FloorTransform, ready: float, scene: Scene, came: Spot | None, goes: Spot | None, fastest: float
) -> float:
    """What it costs to stand at a place: coming from one spot, and going to another."""
    if any(inside(thing, place.x, place.z, scene.clearance) for thing in scene.obstacles):
        return 1e6
    faces = place.angle + ready
    cost = 0.0
    for spot, price, sign in ((came, _TURN_IN, 1.0), (goes, _TURN_ON, -1.0)):
        if spot is None:
            continue
        way = sign * np.array([place.x - spot.x, place.z - spot.z])
        far = float(np.hypot(*way))
        direction = math.atan2(way[0], way[1]) if far > _THERE else spot.heading
        if direction is not None:
            cost += price * math.remainder(direction - faces, 2.0 * math.pi) ** 2
        cost += _TOO_FAR * max(far - fastest * spot.seconds, 0.0)
    return cost

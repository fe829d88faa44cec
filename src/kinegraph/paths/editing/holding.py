"""Holding feet on a path, as long as the legs reach and no knee turns faster than it usually does in the clip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Bools
from kinegraph.feet import knees
from kinegraph.feet.cleanup import held
from kinegraph.feet.legs import LEVEL, Lowering, Reached
from kinegraph.feet.plants import Footing, Plant
from kinegraph.feet.standing import SHORTEST
from kinegraph.feet.targets import Floor
from kinegraph.motion.body import SIDES
from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans

# On hills a body may be lowered further, since downhill the front foot lands deep; and its legs are kept more bent: uphill the hind leg,
# drawn straight at every step, would let the knee snap back when its foot comes off.
_HILLY = Lowering(lowest=0.25, straight=0.97)
# Times that feet are held anew: with plants that the legs could not reach let go; or, so many times, with knees that turned too fast asked
# to turn slower, by so much less than what is missing.
_TRIES = 12
_CALMER = 4
_LESS = 0.97
# Metres by which a leg may fall short of its foot before the foot is let go.
_SHORT = 0.001


@dataclass(frozen=True, eq=False)
class Held:
    """A motion whose feet stand."""

    motion: Motion
    feet: Footing
    """Soles, and the plants that could be held."""
    reached: Reached
    """What the legs had to do."""
    let_go: float
    """The share of the time in which feet should have stood but could not be held."""


def hold(
    body: Motion, feet: Footing, knee_limit: float, *, stretch: float, floor: Floor | None, steps: Motion | None
) -> Held:
    """The body with its feet held, and the plants that could be held.

    knee_limit: rad/s. stretch: the share of their length by which the bones of a leg may change. floor: the ground, None if it is flat.
    steps: the motion whose feet are followed, for a body whose own feet have been moved off their way.
    """
    asked, limit, calmer, before = feet.plants, knee_limit, 0, np.inf
    stance = LEVEL if floor is None else _HILLY
    for attempt in range(_TRIES + 1):
        done, reached = held(body, feet, stretch=stretch, knee_limit=limit, floor=floor, stance=stance, steps=steps)
        speed = knees.speed(done)
        fastest = float(speed.max())
        out = reached.missed > _SHORT
        if attempt == _TRIES or not (out.any() or fastest > knee_limit):
            break
        if not out.any() and calmer < _CALMER and fastest < 1.001 * before:
            # a knee turns about its own length too, which bending alone does not tell
            limit, calmer, before = limit * _LESS * knee_limit / fastest, calmer + 1, fastest
            continue
        # a knee that snaps is let go of from before to after
        out[:-1] |= speed > knee_limit
        out[1:] |= speed > knee_limit
        feet = replace(feet, plants=released(feet.plants, out, body.fps))
        limit, calmer, before = knee_limit, 0, np.inf
    return Held(done, feet, reached, (_time(asked) - _time(feet.plants)) / max(_time(asked), 1))


def released(plants: Sequence[Plant], out: Bools, fps: float) -> tuple[Plant, ...]:
    """Plants without the frames in which their leg, left or right, is ``out (F, 2)`` of reach.

    Of each plant the longest remaining stretch is kept, if it is worth holding.
    """
    kept = []
    for plant in plants:
        here = ~out[plant.first : plant.last, SIDES.index(plant.side)]
        first, last = max(spans(here), key=lambda span: span[1] - span[0], default=(0, 0))
        if here.all():
            kept.append(plant)
        elif last - first >= SHORTEST * fps - 1e-6:
            kept.append(replace(plant, first=plant.first + first, last=plant.first + last))
    return tuple(kept)


def _time(plants: Sequence[Plant]) -> int:
    """Frames for which points stand, added up."""
    return sum(plant.last - plant.first for plant in plants)

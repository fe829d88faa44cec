"""Footprints: where a motion's feet stood, as the soles of shoes seen from above."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.motion.body import SIDES
from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans

# A foot is 0.152 of a person's height (Winter, "Biomechanics and Motor Control of Human Movement"); the shoe is a little longer.
LENGTH = 0.16
# The ankle stands at this share of the shoe's length from the heel.
_ANKLE = 0.25

# Half the outline of a left sole, toes ahead: (to the left, ahead) in lengths of the shoe, from the heel. The outer side is on the left.
_OUTER = ((0.0, 0.0), (0.11, 0.02), (0.16, 0.12), (0.16, 0.3), (0.19, 0.5), (0.23, 0.68), (0.2, 0.84), (0.1, 0.96))
_INNER = (
    (0.0, 1.0),
    (-0.13, 0.98),
    (-0.21, 0.88),
    (-0.22, 0.72),
    (-0.13, 0.5),
    (-0.11, 0.3),
    (-0.15, 0.12),
    (-0.1, 0.02),
)
_OUTLINE: Array = np.array(_OUTER + _INNER)


@dataclass(frozen=True, eq=False)
class Footprint:
    """A foot on the floor in frames ``first`` … ``last``−1."""

    side: str
    """Either "left" or "right"."""
    first: int
    last: int
    place: Array
    """``(2,)``: of the ankle."""
    heading: float
    """In radians."""


def footprints(motion: Motion, contacts: NDArray[np.bool_]) -> list[Footprint]:
    """Where the feet of a motion with known ``contacts (F, 4)`` stood. Heel and ball of one step are one print.

    A skeleton whose feet are not known leaves none. A foot without toes points where the body faces.
    """
    found = []
    for column, side in enumerate(SIDES):
        if not motion.skeleton.has_roles(f"{side}_ankle"):
            continue
        ankle = motion.position(f"{side}_ankle")[:, [0, 2]]
        if motion.skeleton.has_roles(f"{side}_toe"):
            toe = motion.position(f"{side}_toe")[:, [0, 2]] - ankle
        else:
            facing = motion.heading()
            toe = np.stack([np.sin(facing), np.cos(facing)], axis=-1)
        heel, ball = contacts[:, 2 * column], contacts[:, 2 * column + 1]
        for first, last in spans(heel | ball):
            # while both bear the foot lies flat: then it is where its print is
            flat = first + np.flatnonzero((heel & ball)[first:last])
            frames = flat if len(flat) else np.arange(first, last)
            ahead = toe[frames].mean(axis=0)
            found.append(
                Footprint(side, first, last, ankle[frames].mean(axis=0), float(np.arctan2(ahead[0], ahead[1])))
            )
    return sorted(found, key=lambda print_: print_.first)


def outlines(prints: list[Footprint], stature: float) -> Array:
    """The soles ``(n, points, 2)`` of footprints as (x, z) in metres, for a body ``stature`` metres tall."""
    mirrored = np.array([[1.0 if one.side == "left" else -1.0, 1.0] for one in prints]).reshape(-1, 1, 2)
    left, ahead = np.moveaxis(((_OUTLINE - [0.0, _ANKLE]) * (LENGTH * stature)) * mirrored, -1, 0)
    heading = np.array([one.heading for one in prints]).reshape(-1, 1)
    place = np.array([one.place for one in prints]).reshape(-1, 1, 2)
    # +X is to the left of who faces +Z
    turned = np.stack(
        [left * np.cos(heading) + ahead * np.sin(heading), ahead * np.cos(heading) - left * np.sin(heading)], axis=-1
    )
    soles: Array = turned + place
    return soles

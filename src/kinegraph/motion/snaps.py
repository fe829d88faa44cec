"""Snaps: where legs turn faster, or are jerked harder, than they were before somebody changed them.

Whoever bends legs may ask here whether they got worse by it, and where: no knee should turn faster, and no knee or ankle be jerked harder,
than about that moment before, or than is usual in the motion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.motion import filters, rotation
from kinegraph.motion.body import SIDES
from kinegraph.motion.clip import Motion

# Radians per second, and metres per second squared, that are no snap, however quiet the motion is otherwise.
CALM, _GENTLE = 5.0, 30.0
# What is usual: of all frames, the share that is calmer.
_USUAL = 0.999
# Seconds before and after within which legs may be as fast, and be jerked as hard, as they were.
_NEAR = 0.05
# How much of that may be exceeded: what nobody sees of a knee, and what a foot that comes to a stand may be jerked more.
_FASTER, _HARDER = 1.02, 1.4


class Legs(NamedTuple):
    """How fast legs are: left and right."""

    turning: Array
    """``(F, 2)``: how fast the knees turn from the frame before to this one, in rad/s."""
    jerked: Array
    """``(F, 2)``: the greater acceleration of knee and ankle about each frame, in m/s²."""


def legs(motion: Motion) -> Legs:
    """How fast the legs of a motion are."""
    skeleton = motion.skeleton
    knees, ankles = ([skeleton.joint(f"{side}_{part}") for side in SIDES] for part in ("knee", "ankle"))
    return moving(motion.rotations[:, knees], motion.positions[:, [knees, ankles]], motion.fps)


def moving(knees: Array, points: Array, fps: float) -> Legs:
    """The same of knees' local rotations ``(F, 2, 4)`` and of the positions ``(F, 2, 2, 3)`` of knees, and of ankles."""
    turning, jerked = np.zeros((2, len(knees), 2))
    turning[1:] = rotation.angle_between(knees[:-1], knees[1:]) * fps
    if len(knees) > 2:
        jerked[1:-1] = rotation.length(points[2:] - 2.0 * points[1:-1] + points[:-2]).max(axis=1) * fps**2
    return Legs(turning, jerked)


@dataclass(frozen=True, eq=False)
class Bounds:
    """How fast legs may become, frame by frame: ``(F, 2)`` each, in the units of `Legs`."""

    turning: Array
    jerked: Array

    @classmethod
    def of(
        cls, before: Legs, fps: float, knee_limit: float | None = None, faster: float = _FASTER, harder: float = _HARDER
    ) -> Bounds:
        """The bounds for legs that were as fast as ``before``.

        knee_limit: rad/s that are usual, by default those of ``before``. faster, harder: how many times as fast as that knees
        may turn, and legs be jerked as hard.
        """
        near = max(round(_NEAR * fps), 1)
        turning = max(float(np.quantile(before.turning, _USUAL)), CALM) if knee_limit is None else knee_limit
        jerked = max(float(np.quantile(before.jerked, _USUAL)), _GENTLE)
        return cls(
            faster * np.maximum(filters.highest(before.turning, near), turning),
            harder * np.maximum(filters.highest(before.jerked, near), jerked),
        )

    def exceeded(self, after: Legs) -> Bools:
        """Where ``(F, 2)`` legs are worse than they may be."""
        # a knee turns between two frames, and either may be the one that is wrong
        fast = after.turning > self.turning
        fast[:-1] |= fast[1:]
        return fast | (after.jerked > self.jerked)

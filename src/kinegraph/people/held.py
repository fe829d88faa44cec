"""How the feet of many people are held: the state that the foot lock has from frame to frame."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array, Longs

HELD_BY_HEEL, HELD_BY_BALL, LET_GO = 1, 2, -1
"""By which part a foot is held; or that it was let go, and is not held again before it lifts."""


class Feet(NamedTuple):
    """How the feet of N people are held."""

    held: Longs
    """``(N, 2)``: 1 by the heel, 2 by the ball, 0 not at all, −1 let go until it lifts."""
    spot: Array
    """``(N, 2, 2)``: where on the floor. Of a foot that was let go: where its ankle was."""
    shift: Array
    """``(N, 2, 3)``: how far the foot is from where the clip has it."""
    drift: Array
    """``(N, 2, 3)``: m/s at which that changes."""
    twist: Array
    """``(N, 2, 3)``: by how many radians it is turned off where the clip has it, rad/s at which that changes, and the direction held."""
    heel_up: Array
    """``(N, 2, 2)``: by how many radians the heel is raised about the ball, since the foot pivots, and rad/s at which that changes."""
    bend: Array
    """``(N, 2)``: how far the knees were bent at the last frame; below 0 before the first."""
    drop: Array
    """``(N,)``: how far the bodies have come down, in metres."""
    rise: Array
    """``(N, 2)``: how far what is held is above where it rests, in metres."""
    lift: Array
    """``(N, 2)``: how high a foot that was let go is lifted on its way, in metres."""
    rises: Array
    """``(N, 2)``: m/s at which it is lifted."""

    @staticmethod
    def of(count: int) -> Feet:
        """Nobody's feet are held."""
        twist = np.zeros((count, 2, 3))
        twist[..., 2] = np.nan
        held, spot, shift, drift = np.zeros((count, 2), np.int64), *(np.zeros((count, 2, n)) for n in (2, 3, 3))
        rise, lift, rises = np.zeros((3, count, 2))
        heel_up = np.zeros((count, 2, 2))
        return Feet(
            held, spot, shift, drift, twist, heel_up, np.full((count, 2), -1.0), np.zeros(count), rise, lift, rises
        )

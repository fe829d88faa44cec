"""Who goes where: the goals that each person has in turn, when they arrive, and the velocity that they would like."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array, Bools, Longs
from kinegraph.crowds.casting import Cast

# seconds after which who stands within so many metres of a spot, because others stand there, has arrived
_LONG, _CLOSE = 10.0, 2.0


class Walkers:
    """How far the people of a cast have come with their goals."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self._leg = np.zeros(len(cast), np.int64)
        self.arrived: Array = np.full(len(cast), np.nan)
        """``(N,)``: seconds at which each has arrived; NaN who has not."""

    @property
    def goal(self) -> Longs:
        """``(N,)``: the goal that each has now."""
        goal: Longs = self.cast.legs[np.arange(len(self.cast)), self._leg]
        return goal

    @property
    def done(self) -> Bools:
        """``(N,)``: who has arrived."""
        return np.isfinite(self.arrived)

    @property
    def present(self) -> Bools:
        """``(N,)``: who is there. Who leaves is gone when they have arrived."""
        return ~(self.done & self.cast.leaves)

    def liked(self, place: Array, now: float, waited: Array | None = None) -> Array:
        """``(N, 2)``: m/s that people at ``place (N, 2)`` would like to go; nothing who has arrived. Takes those on who reached a goal.

        waited: ``(N,)`` seconds that each has stood. Who has stood for long close to a spot that others have taken is as near as one gets.
        """
        cast = self.cast
        there = cast.reached(self.goal, place)
        if waited is not None:
            spot = cast.size[self.goal] > 0
            there |= spot & (waited > _LONG) & (np.hypot(*(cast.middle[self.goal] - place).T) < _CLOSE)
        for person in np.flatnonzero(there & ~self.done):
            following = self._leg[person] + 1
            if following < cast.legs.shape[1] and cast.legs[person, following] >= 0:
                self._leg[person] = following
            elif cast.loops[person]:
                self._leg[person] = 0
            else:
                self.arrived[person] = now
        liked: Array = cast.toward(self.goal, place) * cast.speed[:, None]
        liked[self.done] = 0.0
        return liked

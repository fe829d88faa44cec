"""Thresholds that set themselves: the smallest that keeps enough of the motion in one component."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools
from kinegraph.graph.making.components import Network, Timeline, cyclic_count
from kinegraph.graph.making.report import CurvePoint
from kinegraph.graph.making.transitions import Transitions

# thresholds of the curve, and how finely a threshold is looked for (metres)
_POINTS = 24
FINEST = 0.0005


class Thresholds:
    """Smallest thresholds of one network: for many goals the same components are asked for, and found once."""

    def __init__(self, timeline: Timeline, transitions: Transitions, ceiling: float):
        self._network = Network.of(timeline, transitions) if len(transitions) else None
        self._ceiling = ceiling
        # packed, an eighth of the size
        self._known: dict[float, NDArray[np.uint8]] = {}
        self._size = len(timeline)

    def smallest(self, goals: Sequence[tuple[Bools, int]]) -> float | None:
        """The smallest threshold, to half a millimetre, whose largest component holds the asked count of each set of frames.

        goals: sets of frames ``(F,)`` with how many of them must be kept. None where even the ceiling does not do.
        """
        if self._network is None or not self._enough(self._ceiling, goals):
            return None
        low, high = 0, int(np.ceil(self._ceiling / FINEST))
        while high - low > 1:
            middle = (low + high) // 2
            if self._enough(middle * FINEST, goals):
                high = middle
            else:
                low = middle
        return min(high * FINEST, self._ceiling)

    def _enough(self, threshold: float, goals: Sequence[tuple[Bools, int]]) -> bool:
        kept = self._largest(threshold)
        return all(np.count_nonzero(kept & frames) >= count for frames, count in goals)

    def _largest(self, threshold: float) -> Bools:
        if threshold not in self._known and self._network is not None:
            self._known[threshold] = np.packbits(self._network.largest(threshold))
        return np.unpackbits(self._known[threshold], count=self._size).astype(bool)


def smallest_threshold(
    timeline: Timeline, transitions: Transitions, goals: Sequence[tuple[Bools, int]], ceiling: float
) -> float | None:
    """As `Thresholds.smallest`, for goals of one time."""
    return Thresholds(timeline, transitions, ceiling).smallest(goals)


def curve(timeline: Timeline, transitions: Transitions, ceiling: float) -> tuple[CurvePoint, ...]:
    """What one threshold for all would give, for thresholds up to the ceiling. transitions: cheapest first."""
    points = []
    network = Network.of(timeline, transitions)
    for threshold in _steps(transitions.cost, ceiling):
        chosen = int(np.searchsorted(transitions.cost, threshold, side="right"))
        labels = network.parts(threshold)
        counts = np.bincount(labels) if len(labels) else np.zeros(1, np.int64)
        frames = int(counts.max()) if counts.max() > 1 else 0
        points.append(CurvePoint(round(float(threshold), 6), chosen, frames, cyclic_count(labels)))
    return tuple(points)


def _steps(cost: Array, ceiling: float) -> Array:
    """Thresholds in even ratios from where there is anything to the ceiling."""
    if not len(cost):
        return np.array([ceiling])
    lowest = max(float(cost[min(len(cost) - 1, len(cost) // 1000)]), ceiling / 100)
    return np.round(np.geomspace(min(lowest, ceiling), ceiling, _POINTS), 6)

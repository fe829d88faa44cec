"""Thresholds that set themselves: the smallest that keeps enough of the motion in one component."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.graph.making.components import Network, Timeline, cyclic_count
from kinegraph.graph.making.report import CurvePoint
from kinegraph.graph.making.transitions import Transitions

# thresholds of the curve, and how finely a threshold is looked for (metres)
_POINTS = 24
FINEST = 0.0005


def smallest_threshold(
    timeline: Timeline, transitions: Transitions, goals: Sequence[tuple[Bools, int]], ceiling: float
) -> float | None:
    """The smallest threshold, to half a millimetre, whose largest component holds the asked count of each set of
    frames.

    goals: sets of frames ``(F,)`` with how many of them must be kept. None where even ``ceiling`` does not do.
    """

    network = Network.of(timeline, transitions)

    def enough(threshold: float) -> bool:
        kept = network.largest(threshold)
        return all(np.count_nonzero(kept & frames) >= count for frames, count in goals)

    if not len(transitions) or not enough(ceiling):
        return None
    low, high = 0, int(np.ceil(ceiling / FINEST))
    while high - low > 1:
        middle = (low + high) // 2
        if enough(middle * FINEST):
            high = middle
        else:
            low = middle
    return min(high * FINEST, ceiling)


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

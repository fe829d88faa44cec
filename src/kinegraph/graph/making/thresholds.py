"""Thresholds that set themselves: the smallest that keeps enough of the motion in one component."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinegraph.arrays import Array, Bools, Longs
from kinegraph.graph.making.components import Network, cyclic_count
from kinegraph.graph.making.report import CurvePoint

# thresholds of the curve, and how finely a threshold is looked for (metres)
_POINTS = 24
FINEST = 0.0005
# frames up to which all components are found anew for each threshold: what is known of others costs more than it saves
_FEW = 2_000


def smallest_threshold(network: Network, goals: Sequence[tuple[Bools, int]], ceiling: float) -> float | None:
    """The smallest threshold, to half a millimetre, whose largest component holds the asked count of each set of frames.

    goals: sets of frames ``(F,)`` with how many of them must be kept. None where even the ceiling does not do, or leaves no circle.
    """
    if 0 < len(network) <= _FEW:
        found = network.least(FINEST, ceiling, goals)
        return None if found is None else min(found * FINEST, ceiling)

    def enough(threshold: float) -> bool:
        kept = network.largest(threshold)
        return all(np.count_nonzero(kept & frames) >= count for frames, count in goals)

    if not network.largest(ceiling).any() or not enough(ceiling):
        return None
    low, high = 0, int(np.ceil(ceiling / FINEST))
    while high - low > 1:
        middle = (low + high) // 2
        if enough(middle * FINEST):
            high = middle
        else:
            low = middle
    return min(high * FINEST, ceiling)


def entrances(network: Network, owner: Longs, wanted: Longs, ceiling: float) -> list[float | None]:
    """For each clip that is wanted `smallest_threshold` that keeps a frame of it. owner ``(F,)``: whose each frame is."""
    found: list[float | None] = [None] * len(wanted)
    clips = int(owner[-1]) + 1 if len(owner) else 0

    def inside(numbers: Longs, threshold: float) -> Longs:
        has = np.bincount(owner[network.largest(threshold)], minlength=clips)
        return numbers[has[wanted[numbers]] > 0]

    steps = int(np.ceil(ceiling / FINEST))
    todo = [(inside(np.arange(len(wanted)), ceiling), 0, steps)]
    while todo:
        numbers, low, high = todo.pop()
        if not len(numbers):
            continue
        if high - low == 1:
            for number in numbers.tolist():
                found[number] = min(high * FINEST, ceiling)
            continue
        middle = (low + high) // 2
        early = inside(numbers, middle * FINEST)
        todo += [(early, low, middle), (np.setdiff1d(numbers, early), middle, high)]
    return found


def curve(network: Network, cost: Array, ceiling: float) -> tuple[CurvePoint, ...]:
    """What one threshold for all would give, for thresholds up to the ceiling. cost: of the transitions, cheapest first."""
    steps = _steps(cost, ceiling)
    points: dict[int, CurvePoint] = {}
    for step in _halving(len(steps)):
        threshold = steps[step]
        chosen = int(np.searchsorted(cost, threshold, side="right"))
        labels = network.parts(threshold)
        counts = np.bincount(labels) if len(labels) else np.zeros(1, np.int64)
        frames = int(counts.max()) if counts.max() > 1 else 0
        points[step] = CurvePoint(round(float(threshold), 6), chosen, frames, cyclic_count(labels))
    return tuple(points[step] for step in sorted(points))


def _halving(count: int) -> list[int]:
    """Numbers below ``count``, each in the middle of what those before it have left: so components cost least to find.

    >>> _halving(7)
    [3, 1, 5, 0, 2, 4, 6]
    """
    found, spans = [], [(0, count)]
    for low, high in spans:
        if low < high:
            middle = (low + high) // 2
            found.append(middle)
            spans += [(low, middle), (middle + 1, high)]
    return found


def _steps(cost: Array, ceiling: float) -> Array:
    """Thresholds in even ratios from where there is anything to the ceiling."""
    if not len(cost):
        return np.array([ceiling])
    lowest = max(float(cost[min(len(cost) - 1, len(cost) // 1000)]), ceiling / 100)
    return np.round(np.geomspace(min(lowest, ceiling), ceiling, _POINTS), 6)

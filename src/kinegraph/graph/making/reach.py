"""How far, and how much of it, is looked at in a large library.

A few minutes of clips are compared up to the ceiling of 20 cm, so that groups that are far apart find their bridges. In hours of them
that would be most of all pairs of moments, and millions of minima that no graph needs: there, everything is compared only as far as
transitions will be wanted, which some clips that stand for all tell (`far_enough`). Clips that find too little there are compared up to
the ceiling with a few that are spread over the library (`coarse`): a bridge needs one good place, not all of them. And of what is
found, each second of motion keeps its best (`Best`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Bools, Ints, Longs
from kinegraph.compiled import njit
from kinegraph.graph.making.means import HERE, Means
from kinegraph.graph.making.sorting import grouped
from kinegraph.similarity.candidates import Candidates, gathered
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.compare import compare_all

# frames from which on a library is large
LARGE = 40_000
# minima that a clip wants for each second: so many transitions a group is given (see `assemble`)
_WANTED = 25
# minima that a second of motion keeps
_MOST = 100
# frames of clips that are compared with all others to see how far is far enough, and of those that stand for all in a coarse search
_QUERIES, _LANDMARKS = 4_000, 12_000
# what is looked at is so far that this part of the motion has what it wants, and a little further; but never beyond (metres)
_PART, _FURTHER, _FARTHEST = 0.7, 1.1, 0.07


def far_enough(clouds: Sequence[Cloud], windows: Ints, fps: float, ceiling: float, means: Means = HERE) -> float:
    """How far clips must be compared, in metres, so that most of them have transitions enough; at most the ceiling.

    windows: of every pair of clips, as `compare_all` takes them.
    """
    lengths = [len(cloud) for cloud in clouds]
    chosen = spread(lengths, np.ones(len(clouds), bool), _QUERIES)
    some = np.zeros_like(windows)
    some[chosen] = windows[chosen]
    some[:, chosen] = windows[:, chosen]
    found = gathered(compare_all(clouds, some, limit=ceiling, **means.options()))
    needs, frames = [], []
    for clip in np.flatnonzero(chosen).tolist():
        costs = np.sort(found.cost[(found.a[found.owner] == clip) | (found.b[found.owner] == clip)])
        wanted = max(1, round(_WANTED * lengths[clip] / fps))
        needs.append(costs[wanted - 1] if len(costs) >= wanted else ceiling)
        frames.append(lengths[clip])
    order = np.argsort(needs)
    share = np.cumsum(np.array(frames)[order]) / sum(frames)
    need = float(np.array(needs)[order][np.searchsorted(share, _PART)])
    return round(min(_FURTHER * need, _FARTHEST, ceiling), 4)


def spread(lengths: Sequence[int], able: Bools, frames: int) -> Bools:
    """``(clips,)``: which of those that are able are taken, evenly over all, so that they have about so many frames."""
    numbers = np.flatnonzero(able)
    total = int(np.asarray(lengths)[numbers].sum())
    step = max(1.0, total / frames)
    taken = np.unique(np.arange(0, len(numbers), step).astype(np.int64))
    chosen = np.zeros(len(lengths), bool)
    chosen[numbers[taken]] = True
    return chosen


def lacking(found: Sequence[Candidates], lengths: Sequence[int], fps: float) -> Bools:
    """``(clips,)``: which clips have fewer minima than they want, in all parts together."""
    have = np.zeros(len(lengths))
    for part in found:
        have += np.bincount(part.a, part.counts, len(lengths)) + np.bincount(part.b, part.counts, len(lengths))
    return np.asarray(have < _WANTED * np.asarray(lengths) / fps)


def coarse(found: Sequence[Candidates], windows: Ints, lengths: Sequence[int], fps: float) -> Ints:
    """The windows of those pairs that are to be compared up to the ceiling: clips that lack minima with some that are spread over all,
    half of them from among those that lack some too.
    """
    lack = lacking(found, lengths, fps)
    marks = spread(lengths, ~lack, _LANDMARKS // 2) | spread(lengths, lack, _LANDMARKS // 2)
    wanted = (lack[:, None] & marks) | (marks[:, None] & lack)
    return np.where(wanted, windows, 0).astype(windows.dtype)


class Best:
    """The best minima of every second of motion: those that are among the best of either of their two seconds."""

    def __init__(self, lengths: Sequence[int], fps: float, most: int = _MOST):
        self._frames = max(1, round(fps))
        counts = -(-np.asarray(lengths, np.int64) // self._frames)
        self._starts: Longs = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        self._most = most
        self._limits: Array = np.full(int(self._starts[-1]), np.inf)

    def of(self, *parts: Candidates) -> list[Candidates]:
        """The best of all parts together; what went before, because it was not the best of some, is not among the best of the whole."""
        places = [self._seconds(part) for part in parts]
        costs = [part.cost for part in parts]
        order, starts = grouped(
            np.concatenate([one for both in zip(*places, strict=True) for one in both]), len(self._limits)
        )
        limits = _ranked(np.concatenate([*costs, *costs])[order], starts, self._most)
        self._limits = np.minimum(self._limits, limits)
        return [
            part.only(part.cost <= np.maximum(self._limits[one], self._limits[two]))
            for part, (one, two) in zip(parts, places, strict=True)
        ]

    def among(self, found: Candidates) -> Candidates:
        """Those that may still be among the best, by what was seen so far."""
        one, two = self._seconds(found)
        return found.only(found.cost <= np.maximum(self._limits[one], self._limits[two]))

    def _seconds(self, found: Candidates) -> tuple[Ints, Ints]:
        """``(M,)``: in which of all seconds each minimum lies, in its one clip and in the other."""
        one: Ints = _seconds(self._starts, found.a, found.offsets, found.first, self._frames)
        two: Ints = _seconds(self._starts, found.b, found.offsets, found.second, self._frames)
        return one, two


@njit(cache=True, nogil=True)
def _seconds(starts: Any, clip: Any, offsets: Any, place: Any, frames: int) -> Any:
    found = np.empty(place.size, np.int32)
    for pair in range(clip.size):
        for n in range(offsets[pair], offsets[pair + 1]):
            found[n] = starts[clip[pair]] + place[n] // frames
    return found


@njit(cache=True, nogil=True)
def _ranked(cost: Any, starts: Any, most: int) -> Any:
    """Of each run of costs the one of that rank; infinite where there are fewer."""
    found = np.full(starts.size - 1, np.inf)
    for n in range(found.size):
        if starts[n + 1] - starts[n] >= most:
            found[n] = np.partition(cost[starts[n] : starts[n + 1]], most - 1)[most - 1]
    return found

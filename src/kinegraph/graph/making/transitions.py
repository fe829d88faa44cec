"""Moves: minima as directed jumps from a frame of one clip to a frame of another, in flat arrays.

Every minimum (s in A, t in B) is two transitions of the same cost: from A's frame s to B's frame t + L, and from B's t to A's
s + L.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.compiled import njit
from kinegraph.crew import Threads, in_order
from kinegraph.similarity.candidates import Candidates

# pieces in which pairs of clips are thinned, and threads that do it
_PIECES, _WORKERS = 16, 2


@dataclass(frozen=True, eq=False)
class Transitions:
    """M transitions that a graph could have, in flat arrays."""

    source_clip: Longs
    """``(M,)``: the number of the clip that is left."""
    source: Longs
    """``(M,)``: its first frame that is blended."""
    target_clip: Longs
    """``(M,)``: the number of the clip that follows."""
    target: Longs
    """``(M,)``: its first frame after the blend."""
    length: Longs
    """``(M,)``: frames of the blend."""
    cost: Array
    """``(M,)``: distance in metres."""

    def __len__(self) -> int:
        return len(self.cost)

    @property
    def places(self) -> tuple[Longs, Longs, Longs, Longs, Longs]:
        """All but what they cost."""
        return self.source_clip, self.source, self.target_clip, self.target, self.length

    def __getitem__(self, chosen: Any) -> Transitions:
        return Transitions(**{f.name: getattr(self, f.name)[chosen] for f in fields(self)})


def joined(*parts: Transitions) -> Transitions:
    """Moves one after another."""
    return Transitions(
        **{f.name: np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Transitions)}
    )


def transitions_from(candidates: Candidates, lengths: Sequence[int], *, same: int = 2) -> Transitions:
    """All transitions of the minima between clips of so many frames, thinned, dearest last.

    same: minima of a pair of clips that lie no further apart than so many frames in both do the same; the best stays.
    Moves that would arrive behind the last frame of a clip are left out: nothing could follow.
    """
    keep = np.ones(len(candidates), bool)
    with Threads(_WORKERS) as crew:
        columns = candidates.first, candidates.second, candidates.cost, candidates.offsets
        pairs = np.linspace(0, len(candidates.a), _PIECES + 1).astype(np.int64)
        for _ in in_order(crew, lambda some: _thin(*columns, same, *some, keep), pairwise(pairs.tolist())):
            pass
    kept = np.flatnonzero(keep)
    kept = kept[np.argsort(candidates.cost[kept], kind="stable")]
    pair = candidates.owner[kept]
    a, b, length = (column[pair].astype(np.int64) for column in (candidates.a, candidates.b, candidates.window))
    s, t, cost = (
        candidates.first[kept].astype(np.int64),
        candidates.second[kept].astype(np.int64),
        candidates.cost[kept],
    )
    ends = np.asarray(lengths, np.int64)
    starts = np.concatenate([[0], np.cumsum(ends)])
    # both ways of a minimum stand beside each other; of equal cost, the order is that of places
    way = _both(starts[a] + s, starts[b] + t, length, (t + length < ends[b], s + length < ends[a]), cost)
    n, there = way >> 1, (way & 1) == 0
    a, b, s, t, length = a[n], b[n], s[n], t[n], length[n]
    return Transitions(
        np.where(there, a, b),
        np.where(there, s, t),
        np.where(there, b, a),
        np.where(there, t, s) + length,
        length,
        cost[n],
    )


@njit(cache=True)
def _both(first: Any, second: Any, length: Any, able: Any, cost: Any) -> Any:
    """Of minima, cheapest first, the ways that arrive somewhere: twice the minimum's number there, and one more for the way back."""
    ways, place = np.empty((2, 2 * first.size), np.int64)
    size = max(first.max(), second.max()) + length.max() + 1 if first.size else 1
    count = begun = 0
    for n in range(first.size):
        if able[0][n]:
            ways[count], place[count] = 2 * n, first[n] * size + second[n] + length[n]
            count += 1
        if able[1][n]:
            ways[count], place[count] = 2 * n + 1, second[n] * size + first[n] + length[n]
            count += 1
        if n + 1 == first.size or cost[n + 1] > cost[n]:
            if count - begun == 2 and place[begun] > place[begun + 1]:
                ways[begun], ways[begun + 1] = ways[begun + 1], ways[begun]
            elif count - begun > 2:
                order = np.argsort(place[begun:count], kind="mergesort")
                ways[begun:count] = ways[begun:count][order]
            begun = count
    return ways[:count].copy()


@njit(cache=True, nogil=True)
def _thin(first: Any, second: Any, cost: Any, starts: Any, same: int, some: int, others: int, keep: Any) -> None:
    """Of some pairs, up to others, put out of ``keep (M,)`` the minima that have a better one of their pair within reach; they come in
    order of place, which settles ties.
    """
    for pair in range(some, others):
        start, end = starts[pair], starts[pair + 1]
        if end - start < 2:
            continue
        order = start + np.argsort(cost[start:end], kind="mergesort")
        for i in range(order.size):
            n = order[i]
            for j in range(i):
                m = order[j]
                if keep[m] and abs(first[m] - first[n]) <= same and abs(second[m] - second[n]) <= same:
                    keep[n] = False
                    break

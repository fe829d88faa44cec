"""Moves: minima as directed jumps from a frame of one clip to a frame of another, in flat arrays.

Every minimum (s in A, t in B) is two transitions of the same cost: from A's frame s to B's frame t + L, and from B's t to A's
s + L.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numba import njit

from kinegraph.arrays import Array, Longs
from kinegraph.similarity.candidates import Candidates


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
    number = candidates.owner
    # cheapest first within a pair, so that thinning keeps the best; minima come in order of place, which settles ties
    order = np.lexsort((candidates.cost, number))
    kept = order[_thin(candidates.first[order], candidates.second[order], candidates.offsets, same)]
    number = number[kept]
    a, b, length = (column[number].astype(np.int64) for column in (candidates.a, candidates.b, candidates.window))
    s, t, cost = (
        candidates.first[kept].astype(np.int64),
        candidates.second[kept].astype(np.int64),
        candidates.cost[kept],
    )
    both = Transitions(
        np.concatenate([a, b]),
        np.concatenate([s, t]),
        np.concatenate([b, a]),
        np.concatenate([t + length, s + length]),
        np.concatenate([length, length]),
        np.concatenate([cost, cost]),
    )
    both = both[both.target < np.asarray(lengths, np.int64)[both.target_clip]]
    # by place as one number, then by cost: two sorts instead of five
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    place = (starts[both.source_clip] + both.source) * starts[-1] + starts[both.target_clip] + both.target
    order = np.argsort(place, kind="stable")
    return both[order[np.argsort(both.cost[order], kind="stable")]]


@njit(cache=True)
def _thin(first: Any, second: Any, starts: Any, same: int) -> Any:
    """Which of the minima, cheapest first in every pair, have no better one within reach."""
    keep = np.ones(first.size, np.bool_)
    for pair in range(starts.size - 1):
        for n in range(starts[pair], starts[pair + 1]):
            for m in range(starts[pair], n):
                if keep[m] and abs(first[m] - first[n]) <= same and abs(second[m] - second[n]) <= same:
                    keep[n] = False
                    break
    return keep

"""Moves: minima as directed jumps from a frame of one clip to a frame of another, in flat arrays.

Every minimum (s in A, t in B) is two transitions of the same cost: from A's frame s to B's frame t + L, and from B's t to A's
s + L.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numba import njit

from kinegraph.arrays import Array, Longs
from kinegraph.similarity.minima import Minima


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


def transitions_from(
    candidates: Mapping[tuple[int, int], Minima], lengths: Sequence[int], *, same: int = 2
) -> Transitions:
    """All transitions of the minima between clips ``(a, b)`` of so many frames, thinned, dearest last.

    same: minima of a pair of clips that lie no further apart than so many frames in both do the same; the best stays.
    Moves that would arrive behind the last frame of a clip are left out: nothing could follow.
    """
    pairs = sorted(pair for pair, minima in candidates.items() if len(minima))
    found = [candidates[pair] for pair in pairs]
    counts = [len(minima) for minima in found]
    clips = np.repeat(np.array(pairs, np.int64).reshape(-1, 2), counts, axis=0)
    first = np.concatenate([np.empty(0, np.int64), *(minima.first for minima in found)]).astype(np.int64)
    second = np.concatenate([np.empty(0, np.int64), *(minima.second for minima in found)]).astype(np.int64)
    cost = np.concatenate([np.empty(0), *(minima.cost for minima in found)])
    window = np.repeat(np.array([minima.window for minima in found], np.int64), counts)
    number = np.repeat(np.arange(len(found)), counts)
    # cheapest first within a pair, so that thinning keeps the best; minima come in order of place, which settles ties
    order = np.lexsort((cost, number))
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    kept = order[_thin(first[order], second[order], starts, same)]
    a, b, s, t, length, cost = clips[kept, 0], clips[kept, 1], first[kept], second[kept], window[kept], cost[kept]
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

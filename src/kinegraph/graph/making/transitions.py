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

from kinegraph.arrays import Array, Ints
from kinegraph.compiled import njit
from kinegraph.crew import Threads, in_order
from kinegraph.similarity.candidates import Candidates

# pieces in which pairs of clips are thinned, and threads that do it
_PIECES, _WORKERS = 16, 2


@dataclass(frozen=True, eq=False)
class Transitions:
    """M transitions that a graph could have, in flat arrays."""

    source_clip: Ints
    """``(M,)``: the number of the clip that is left."""
    source: Ints
    """``(M,)``: its first frame that is blended."""
    target_clip: Ints
    """``(M,)``: the number of the clip that follows."""
    target: Ints
    """``(M,)``: its first frame after the blend."""
    length: Ints
    """``(M,)``: frames of the blend."""
    cost: Array
    """``(M,)``: distance in metres."""

    def __len__(self) -> int:
        return len(self.cost)

    @property
    def places(self) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """All but what they cost."""
        return self.source_clip, self.source, self.target_clip, self.target, self.length

    @property
    def leaving(self) -> tuple[Ints, Ints]:
        """Clip and frame that are left."""
        return self.source_clip, self.source

    @property
    def arriving(self) -> tuple[Ints, Ints]:
        """Clip and frame that follow."""
        return self.target_clip, self.target

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
    kept = kept[np.argsort(candidates.cost[kept])]  # what costs the same is put in order below
    ends = np.asarray(lengths, np.int64)
    return Transitions(
        *_both(
            kept, candidates.owner, candidates.a, candidates.b, candidates.window, candidates.first, candidates.second, candidates.cost,
            np.concatenate([[0], np.cumsum(ends)]),
        )
    )  # fmt: skip


@njit(cache=True, nogil=True)
def _both(kept: Any, owner: Any, a: Any, b: Any, window: Any, first: Any, second: Any, cost: Any, starts: Any) -> Any:
    """Of minima that are ``kept``, cheapest first, the ways that arrive somewhere, in columns of `Transitions`. Both ways of a minimum
    stand beside each other; of equal cost, the order is that of places.
    """
    # which minimum, twice, and one more for the way back
    ways, place = np.empty((2, 2 * kept.size), np.int64)
    frames = starts[-1]
    count = begun = 0
    for n in range(kept.size):
        m = kept[n]
        one, two, length = a[owner[m]], b[owner[m]], window[owner[m]]
        s, t = starts[one] + first[m], starts[two] + second[m]
        if t + length < starts[two + 1]:
            ways[count], place[count] = 2 * m, s * frames + t + length
            count += 1
        if s + length < starts[one + 1]:
            ways[count], place[count] = 2 * m + 1, t * frames + s + length
            count += 1
        if n + 1 == kept.size or cost[kept[n + 1]] > cost[m]:
            if count - begun == 2 and place[begun] > place[begun + 1]:
                ways[begun], ways[begun + 1] = ways[begun + 1], ways[begun]
            elif count - begun > 2:
                order = np.argsort(place[begun:count], kind="mergesort")
                ways[begun:count] = ways[begun:count][order]
            begun = count
    source_clip, source = np.empty(count, np.int32), np.empty(count, np.int32)
    target_clip, target = np.empty(count, np.int32), np.empty(count, np.int32)
    lengths, costs = np.empty(count, np.int32), np.empty(count)
    for n in range(count):
        m = ways[n] >> 1
        one, two, s, t = a[owner[m]], b[owner[m]], first[m], second[m]
        if ways[n] & 1:
            one, two, s, t = two, one, t, s
        length = window[owner[m]]
        source_clip[n], source[n] = one, s
        target_clip[n], target[n] = two, t + length
        lengths[n], costs[n] = length, cost[m]
    return source_clip, source, target_clip, target, lengths, costs


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

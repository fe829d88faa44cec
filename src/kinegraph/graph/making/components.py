"""Strongly connected components of frames: where motion can go on for ever.

Nodes are frames of all clips, one after another; a frame leads to the next of its clip, and transitions lead elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools, Longs
from kinegraph.graph.making.transitions import Transitions


@dataclass(frozen=True, eq=False)
class Timeline:
    """The frames of all clips in one row."""

    lengths: tuple[int, ...]
    """Frames of every clip."""
    sound: Bools
    """``(F,)``: False where the capture lost a joint."""

    @classmethod
    def of(cls, lengths: Sequence[int], sound: Sequence[Bools] | None = None) -> Timeline:
        """The timeline of clips of so many frames, all of them sound unless told."""
        whole = np.ones(sum(lengths), bool) if sound is None else np.concatenate([np.empty(0, bool), *sound])
        return cls(tuple(int(length) for length in lengths), whole)

    def __len__(self) -> int:
        return sum(self.lengths)

    @cached_property
    def starts(self) -> Longs:
        """``(clips + 1,)``: the row's frame at which each clip begins."""
        return np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)

    @cached_property
    def clip(self) -> Longs:
        """``(F,)``: to which clip a frame belongs."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @cached_property
    def chain(self) -> Longs:
        """Frames that have a next one in their clip."""
        return np.flatnonzero(np.append(self.clip[1:] == self.clip[:-1], False)) if len(self) else np.empty(0, np.int64)

    def ends(self, transitions: Transitions) -> tuple[Longs, Longs]:
        """Source and target frames of transitions, in the row."""
        return self.starts[transitions.source_clip] + transitions.source, self.starts[
            transitions.target_clip
        ] + transitions.target


@dataclass(frozen=True, eq=False)
class Network:
    """The frames and the ways out of each, in compressed rows: made once, it finds the components of one threshold after another."""

    first: Longs
    """``(F + 1,)``: where the ways out of each frame begin."""
    heads: NDArray[np.int32]
    """``(W,)``: the frame to which each way leads."""
    cost: Array
    """``(W,)``: in metres; the way to the next frame of the clip costs nothing."""

    @classmethod
    def of(cls, timeline: Timeline, transitions: Transitions, allowed: Bools | None = None) -> Network:
        """The network of a timeline's frames; ``allowed (F,)`` confines the motion to some of them."""
        source, target = timeline.ends(transitions)
        cost, chain = transitions.cost, timeline.chain
        if allowed is not None:
            inside = allowed[source] & allowed[target]
            source, target, cost = source[inside], target[inside], cost[inside]
            chain = chain[allowed[chain] & allowed[chain + 1]]
        size = len(timeline)
        own = np.zeros(size, np.int64)
        own[chain] = 1
        # each way once, the cheapest: SciPy's search never ends where one is given twice
        way = source * size + target
        if np.any(way[1:] <= way[:-1]):
            order = np.lexsort((cost, way))
            order = order[np.concatenate([[True], np.diff(way[order]) > 0])]
            source, target, cost = source[order], target[order], cost[order]
        if np.any(again := (target == source + 1) & (own[source] == 1)):
            source, target, cost = source[~again], target[~again], cost[~again]
        out = np.bincount(source, minlength=size)
        first = np.concatenate([[0], np.cumsum(own + out)])
        heads, price = np.empty(first[-1], np.int32), np.zeros(first[-1])
        # the next frame comes first in its row, then the transitions in their order
        heads[first[chain]] = chain + 1
        place = np.arange(len(source)) + np.cumsum(own)[source]
        heads[place], price[place] = target, cost
        return cls(first, heads, price)

    def parts(self, threshold: float = np.inf) -> NDArray[np.int32]:
        """``(F,)``: the number of the strongly connected component of each frame, by ways that cost no more than ``threshold``."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        first, heads = self.first, self.heads
        if threshold < np.inf:
            open_ = self.cost <= threshold
            heads = heads[open_]
            first = np.concatenate([[0], np.cumsum(open_)])[first]
        size = len(first) - 1
        # the type that the search works in, and no sorting that it does not need
        graph = csr_array((np.ones(len(heads)), heads, first.astype(np.int32)), shape=(size, size))
        graph.has_sorted_indices = graph.has_canonical_format = True
        labels: NDArray[np.int32] = connected_components(graph, directed=True, connection="strong")[1]
        return labels

    def largest(self, threshold: float = np.inf) -> Bools:
        """``(F,)``: which frames lie in the largest component; none if there is no cycle. Of equal ones, that with the earliest frame."""
        labels = self.parts(threshold)
        if not len(labels):
            return np.zeros(0, bool)
        counts = np.bincount(labels)
        if counts.max() < 2:
            return np.zeros(len(labels), bool)
        biggest = np.flatnonzero(counts[labels] == counts.max())[0]
        return np.asarray(labels == labels[biggest])


def parts(timeline: Timeline, transitions: Transitions, allowed: Bools | None = None) -> NDArray[np.int32]:
    """As `Network.parts`, of all transitions."""
    return Network.of(timeline, transitions, allowed).parts()


def largest(timeline: Timeline, transitions: Transitions, allowed: Bools | None = None) -> Bools:
    """As `Network.largest`, of all transitions."""
    return Network.of(timeline, transitions, allowed).largest()


def cyclic_count(labels: NDArray[np.int32]) -> int:
    """How many components hold a cycle."""
    return int(np.count_nonzero(np.bincount(labels) > 1)) if len(labels) else 0

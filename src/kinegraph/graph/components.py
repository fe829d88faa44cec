"""Strongly connected components of frames: where motion can go on for ever.

Nodes are frames of all clips, one after another; a frame leads to the next of its clip, and moves lead elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kinegraph.graph.moves import Bools, Longs, Moves


@dataclass(frozen=True, eq=False)
class Timeline:
    """The frames of all clips in one row. lengths: frames of every clip. sound: ``(F,)``, False where the capture lost a joint."""

    lengths: tuple[int, ...]
    sound: Bools

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

    def ends(self, moves: Moves) -> tuple[Longs, Longs]:
        """Source and target frames of moves, in the row."""
        return self.starts[moves.source_clip] + moves.source, self.starts[moves.target_clip] + moves.target


def parts(timeline: Timeline, moves: Moves, allowed: Bools | None = None) -> NDArray[np.int32]:
    """``(F,)``: the number of the strongly connected component of each frame; ``allowed`` ``(F,)`` confines the motion to some frames."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    source, target = timeline.ends(moves)
    tails, heads = np.concatenate([timeline.chain, source]), np.concatenate([timeline.chain + 1, target])
    if allowed is not None:
        inside = allowed[tails] & allowed[heads]
        tails, heads = tails[inside], heads[inside]
    size = len(timeline)
    graph = csr_array((np.ones(len(tails), np.int8), (tails, heads)), shape=(size, size))
    labels: NDArray[np.int32] = connected_components(graph, directed=True, connection="strong")[1]
    return labels


def largest(timeline: Timeline, moves: Moves, allowed: Bools | None = None) -> Bools:
    """``(F,)``: which frames lie in the largest component; none if there is no cycle. Of equal ones, that with the earliest frame."""
    labels = parts(timeline, moves, allowed)
    if not len(labels):
        return np.zeros(0, bool)
    counts = np.bincount(labels)
    if counts.max() < 2:
        return np.zeros(len(labels), bool)
    biggest = np.flatnonzero(counts[labels] == counts.max())[0]
    return np.asarray(labels == labels[biggest])


def cyclic_count(labels: NDArray[np.int32]) -> int:
    """How many components hold a cycle."""
    return int(np.count_nonzero(np.bincount(labels) > 1)) if len(labels) else 0

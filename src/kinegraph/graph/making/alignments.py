"""How the transitions of a graph are laid. Those that an earlier graph of the same clips has are looked up there.

An alignment is a function of two clips and of the windows in them, and so the same in whatever graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools, Ints, Longs
from kinegraph.graph.making.transitions import Transitions
from kinegraph.graph.model import Clip, EdgeKind, MotionGraph
from kinegraph.similarity import exact
from kinegraph.similarity.clouds import Cloud

# no blend has so many frames
_LONGEST = 1 << 16


@dataclass(frozen=True, eq=False)
class Alignments:
    """Of clips with their clouds."""

    clouds: Sequence[Cloud]
    clips: Sequence[Clip]
    old: MotionGraph | None = None
    """A graph of some of these very clips."""
    most: float = np.inf
    """Frames of clouds that are held at a time, about."""

    def of(self, taken: Transitions, cores: Ints | Longs) -> Array:
        """``(4, M)``: distance in metres, turn, x and z of transitions, by windows of ``cores (M,)`` frames in their middle."""
        found, known = self._known(taken)
        rest = np.flatnonzero(~known)
        some, length = taken[rest], cores[rest]
        grow = (some.length - length) // 2
        begin = some.target - some.length + grow
        found[:, rest] = exact.alignments(
            self.clouds, some.source_clip, some.source + grow, some.target_clip, begin, length, most=self.most
        )
        return found

    def _known(self, taken: Transitions) -> tuple[Array, Bools]:
        """What the old graph knows of them, and of which it does."""
        found, known = np.zeros((4, len(taken))), np.zeros(len(taken), bool)
        if self.old is None:
            return found, known
        edges, number = self.old.edges, {clip.name: n for n, clip in enumerate(self.clips)}
        there = np.array([number.get(clip.name, -1) for clip in self.old.clips])
        starts: Longs = np.concatenate([[0], np.cumsum([len(clip) for clip in self.clips])]).astype(np.int64)
        ends = [there[self.old.node_clip[nodes]] for nodes in (edges.source, edges.target)]
        kept = np.flatnonzero((edges.kind != EdgeKind.ORIGINAL) & (ends[0] >= 0) & (ends[1] >= 0))
        # a transition is told by where it leaves and where it arrives, and by how long it is
        leaves, arrives = (
            starts[clip[kept]] + self.old.node_frame[nodes[kept]]
            for clip, nodes in zip(ends, (edges.source, edges.target), strict=True)
        )
        own = _key(leaves, arrives, edges.length[kept], starts[-1])
        order = np.argsort(own)
        own, kept = own[order], kept[order]
        leaves, arrives = (starts[clip] + frame for clip, frame in (taken.leaving, taken.arriving))
        asked = _key(leaves, arrives, taken.length, starts[-1])
        if not len(own):
            return found, known
        # in order, so that neighbours are looked for beside each other
        turn = np.argsort(asked)
        place = np.empty(len(asked), np.int64)
        place[turn] = np.minimum(np.searchsorted(own, asked[turn]), len(own) - 1)
        known = own[place] == asked
        edge = kept[place[known]]
        found[:, known] = [edges.cost[edge], edges.angle[edge], edges.x[edge], edges.z[edge]]
        return found, known


def _key(leaves: Longs, arrives: Longs, length: Ints | Longs, frames: int) -> Longs:
    """``(M,)``: one number for each transition, of clips with so many frames together."""
    return (leaves * frames + arrives) * _LONGEST + length

"""`Walk`: a way through a motion graph, laid on the floor. What every search gives and what every blend turns into motion."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kinegraph.arrays import Array, Ints, frozen_array
from kinegraph.errors import GraphError
from kinegraph.frozen import Frozen
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.editing.bends import moments


@dataclass(frozen=True, eq=False)
class Walk(Frozen):
    """A way through a motion graph: edges of which each begins where the one before it ends."""

    graph: MotionGraph
    edges: Ints
    """``(n,)``: numbers of the graph's edges."""
    start: FloorTransform
    """Where the clip of the first edge's source lies on the floor."""
    frames: int
    """How many are played. Only the last edge may be cut short."""
    turns: Array | None = None
    """``(frames,)``: radians by which each frame turns all that comes after it; None for a walk that is not bent."""
    pace: Array | None = None
    """``(frames,)``: how fast each frame is played, 1 as captured; None for a walk that is never slower or faster."""
    moments_seen: Array | None = None
    """``(N,)``: `moments` of a walk that somebody steered; None where they follow from its pace."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "edges", frozen_array(self.edges, np.int32))
        if self.moments_seen is not None:
            object.__setattr__(self, "moments_seen", frozen_array(self.moments_seen))
        for name in ("turns", "pace"):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, frozen_array(given))
                if np.shape(given) != (self.frames,):
                    raise GraphError(
                        f"a walk of {self.frames} frames has as many for its {name}, got {np.shape(given)}"
                    )
        own = self.graph.edges
        if not len(self.edges):
            raise GraphError("a walk needs at least one edge")
        if self.edges.min() < 0 or self.edges.max() >= len(own):
            raise GraphError("a walk holds an edge that its graph has not")
        apart = np.flatnonzero(own.target[self.edges[:-1]] != own.source[self.edges[1:]])
        if len(apart):
            raise GraphError(f"edge {apart[0] + 1} of the walk does not begin where the one before it ends")
        whole = int(own.length[self.edges].sum())
        if not whole - int(own.length[self.edges[-1]]) < self.frames <= whole:
            raise GraphError(f"a walk of {len(self.edges)} edges that last {whole} frames cannot play {self.frames}")

    def __len__(self) -> int:
        return len(self.edges)

    def __repr__(self) -> str:
        return f"Walk({len(self)} edges, {self.frames} frames, {self.transitions} transitions)"

    @property
    def seconds(self) -> float:
        """How long it plays."""
        return len(self.moments) / self.graph.fps

    @cached_property
    def moments(self) -> Array:
        """``(N,)``: which of its frames, or what lies between them, is seen at each frame of the motion that it plays."""
        if self.moments_seen is not None:
            return self.moments_seen
        return np.arange(float(self.frames)) if self.pace is None else moments(self.pace)

    @property
    def transitions(self) -> int:
        """How many of its edges are blends."""
        return int(np.count_nonzero(self.graph.edges.kind[self.edges]))

    @cached_property
    def begins(self) -> Ints:
        """``(n + 1,)``: the frame of the walk at which each edge begins, and at which all end."""
        lengths = self.graph.edges.length[self.edges]
        begins = np.minimum(np.concatenate([[0], np.cumsum(lengths)]), self.frames)
        frozen: Ints = frozen_array(begins, np.int32)
        return frozen

    @cached_property
    def placements(self) -> tuple[FloorTransform, ...]:
        """For each edge, where the clip of its source would lie on the floor if the walk were not bent.

        A transition's target clip lies where the next edge's does.
        """
        place, placed = self.start, []
        for edge in self.edges.tolist():
            placed.append(place)
            if self.graph.edges.kind[edge]:
                place = place @ self.graph.edges.alignment(edge)
        return tuple(placed)

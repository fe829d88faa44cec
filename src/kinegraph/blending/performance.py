"""`Performance`: the motion of a walk, and of every frame where it came from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools, Ints, frozen_array
from kinegraph.graph.walk import Walk
from kinegraph.motion.clip import Motion


@dataclass(frozen=True)
class PlayedTransition:
    """Frames ``first`` … ``first + length − 1`` blend two motions: ``edge`` of the graph, ``cost`` in metres.

    A walk may cut its last one short.
    """

    first: int
    length: int
    edge: int
    cost: float


@dataclass(frozen=True, eq=False)
class Performance:
    """A walk of F frames as motion.

    contacts: ``(F, 4)``, left heel, left ball, right heel, right ball, as they were in the clip that weighs more. clip, frame:
    ``(F,)``, which frame of which clip of the graph is played; in a transition of the one that weighs more. other_clip, other_frame:
    ``(F,)``, the one that weighs less, −1 outside transitions. weight: ``(F,)`` α of the incoming motion on the root, 0 outside
    transitions: the incoming one is ``clip`` where it is 0.5 or more, and ``other_clip`` below. edge: ``(F,)`` of the graph. blend:
    the name of the one that mixed the transitions.
    """

    motion: Motion
    contacts: Bools
    clip: Ints
    frame: Ints
    other_clip: Ints
    other_frame: Ints
    weight: Array
    edge: Ints
    walk: Walk
    blend: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "contacts", frozen_array(self.contacts, np.bool_))
        for name in ("clip", "frame", "other_clip", "other_frame", "edge"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), np.int32))
        object.__setattr__(self, "weight", frozen_array(self.weight))

    def __len__(self) -> int:
        return len(self.motion)

    def __repr__(self) -> str:
        return f"Performance({len(self)} frames at {self.motion.fps:g}/s, {len(self.transitions)} transitions, {self.blend})"

    @property
    def blended(self) -> Bools:
        """``(F,)``: which frames lie in a transition."""
        return np.asarray(self.other_clip >= 0)

    @cached_property
    def transitions(self) -> tuple[PlayedTransition, ...]:
        """The transitions in order of time."""
        edges, begins = self.walk.graph.edges, self.walk.begins
        return tuple(
            PlayedTransition(int(begins[n]), int(begins[n + 1] - begins[n]), edge, float(edges.cost[edge]))
            for n, edge in enumerate(self.walk.edges.tolist())
            if edges.kind[edge]
        )

    def labels(self) -> dict[str, Bools]:
        """Label → the frames ``(F,)`` that bear it, for the labels of the clips that are played.

        A frame of a transition bears a label only where the frames of both clips do.
        """
        graph = self.walk.graph
        used = np.union1d(self.clip, self.other_clip[self.blended]).tolist()
        names = sorted({span.label for number in used for span in graph.clips[number].spans})
        starts = np.zeros(len(graph.clips), np.intp)
        starts[used] = np.cumsum([0, *(len(graph.clips[number]) for number in used)])[:-1]
        borne = {name: np.concatenate([graph.clips[number].labelled(name) for number in used]) for name in names}
        own = starts[self.clip] + self.frame
        other = np.where(self.blended, starts[self.other_clip] + self.other_frame, own)
        return {name: _both(held, own, other) for name, held in borne.items()}


def _both(held: Bools, own: NDArray[np.intp], other: NDArray[np.intp]) -> Bools:
    return np.asarray(held[own] & held[other])

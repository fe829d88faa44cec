"""`Performance`: the motion of a walk, and of every frame where it came from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools, Ints, frozen_array
from kinegraph.frozen import Frozen
from kinegraph.graph.expressions import Expression, is_expression
from kinegraph.graph.walk import Walk
from kinegraph.motion.clip import Motion


@dataclass(frozen=True)
class PlayedTransition:
    """A transition of a walk, as it is played."""

    first: int
    """Its first frame."""
    length: int
    """How many frames it has; a walk may cut its last one short."""
    edge: int
    """Its number in the graph."""
    cost: float
    """In metres."""


@dataclass(frozen=True, eq=False)
class Performance(Frozen):
    """A walk of F frames as motion.

    In a transition two clips are played: the *main* one weighs more, the *other* one less.
    """

    motion: Motion
    unbent: Motion
    """The same as the clips have it, without the turns of the walk."""
    contacts: Bools
    """``(F, 4)``: when left heel, left ball, right heel and right ball stand in the main clip."""
    clip: Ints
    """``(F,)``: number of the main clip in the graph."""
    frame: Ints
    """``(F,)``: its frame that is played."""
    other_clip: Ints
    """``(F,)``: number of the other clip; −1 outside transitions."""
    other_frame: Ints
    """``(F,)``: its frame that is played; −1 outside transitions."""
    weight: Array
    """``(F,)``: α of the incoming motion on the root, 0 outside transitions. The incoming clip is the main one from 0.5 on."""
    edge: Ints
    """``(F,)``: number of the edge that is played."""
    walk: Walk
    blend: str
    """Name of the blend that mixed the transitions."""

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
        edges = self.walk.graph.edges
        begins = np.searchsorted(self.walk.moments, self.walk.begins - 0.5)
        return tuple(
            PlayedTransition(int(begins[n]), int(begins[n + 1] - begins[n]), edge, float(edges.cost[edge]))
            for n, edge in enumerate(self.walk.edges.tolist())
            if edges.kind[edge]
        )

    def timed(self) -> Performance:
        """The same at the pace of its walk. Of two frames between which a moment lies, the nearer one tells where it came from."""
        walk = self.walk
        if walk.pace is None and walk.moments_seen is None:
            return self
        near = np.rint(walk.moments).astype(np.intp)
        taken = {
            name: getattr(self, name)[near] for name in ("clip", "frame", "other_clip", "other_frame", "edge", "weight")
        }
        motion, unbent = (one.sample(walk.moments / one.fps) for one in (self.motion, self.unbent))
        return replace(self, motion=motion, unbent=unbent, contacts=self.contacts[near], **taken)

    def labels(self, asked: Iterable[str] = ()) -> dict[str, Bools]:
        """Label → the frames ``(F,)`` that bear it, for the labels of the clips that are played; and the same for what is
        ``asked`` of several labels, by its text.

        A frame of a transition bears a label only where the frames of both clips do, and is as asked only where both are.
        """
        graph = self.walk.graph
        used = np.union1d(self.clip, self.other_clip[self.blended]).tolist()
        names = sorted({span.label for number in used for span in graph.clips[number].spans})
        starts = np.zeros(len(graph.clips), np.intp)
        starts[used] = np.cumsum([0, *(len(graph.clips[number]) for number in used)])[:-1]
        borne = {name: np.concatenate([graph.clips[number].labelled(name) for number in used]) for name in names}
        nowhere = np.zeros(sum(len(graph.clips[number]) for number in used), np.bool_)
        several = {text: Expression.of(text) for text in asked if text not in borne and is_expression(text)}
        borne |= {text: one.frames(lambda name: borne.get(name, nowhere)) for text, one in several.items()}
        own = starts[self.clip] + self.frame
        other = np.where(self.blended, starts[self.other_clip] + self.other_frame, own)
        return {name: _both(held, own, other) for name, held in borne.items()}


def _both(held: Bools, own: NDArray[np.intp], other: NDArray[np.intp]) -> Bools:
    return np.asarray(held[own] & held[other])

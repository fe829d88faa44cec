"""What a motion graph is: clips, choice points, and the stretches of motion between them, in flat arrays.

Half-open frames throughout. A node ``(clip, frame)`` means: about to play that frame. An original edge from ``(A, f)``
to ``(A, g)`` plays frames f … g−1. A transition of length L from ``(A, s)`` to ``(B, t + L)`` plays L frames that blend
A's s … s+L−1 into B's t … t+L−1 and then goes on with B's frame t+L. (Dirican's i is s, his j is t+L−1.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools, Ints, frozen_array
from kinegraph.errors import GraphError
from kinegraph.frozen import Frozen
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.motion.skeleton import Skeleton

if TYPE_CHECKING:
    from kinegraph.graph.making.record import Record


class EdgeKind(IntEnum):
    """What an edge plays."""

    ORIGINAL = 0  # captured motion, as it was
    TRANSITION = 1  # a blend from one place to a similar one
    BRIDGE = 2  # a longer blend between groups of clips that are not alike


MIRRORED = "_mirrored"
"""What the name of a mirrored copy ends with."""
GUESS = 0.75
"""Confidence below which a label is only a guess."""


@dataclass(frozen=True)
class LabelSpan:
    """A label that some frames of a clip bear."""

    label: str
    first: int
    """The first of the frames."""
    last: int
    """The frame past the last of them."""
    origin: str = "auto"
    """Who says so: ``name`` (the clip's), ``style`` (a word in which the clips' names differ), ``file`` or ``auto``."""
    confidence: float = 1.0
    """How sure that is, from 0.5 to 1: below `GUESS` it is shown as a guess. What people say is sure."""


@dataclass(frozen=True)
class ClipSource:
    """Where a clip came from."""

    file: str
    """The file's name, without its folder; empty where there was none."""
    sha256: str
    """Of what the file holds."""
    fps: float
    """Frames per second, before the graph's rate was given to it."""
    frames: int
    """How many it had then."""
    mirrored: bool = False
    """Whether this is the mirrored copy."""
    retargeted: bool = False
    """Whether it was captured on another skeleton."""
    licence: str = ""
    """Under which it may be used, where its folder says so."""
    credit: str = ""
    """Who captured it, or where it is from, where its folder says so."""


@dataclass(frozen=True, eq=False)
class Clip(Frozen):
    """A clip as the graph holds it: on the graph's skeleton, at the graph's rate, numbers rounded to float32."""

    motion: Motion
    window: int
    """Frames that are compared and blended at a time."""
    contacts: Bools
    """``(F, 4)``: when left heel, left ball, right heel and right ball stand."""
    spans: tuple[LabelSpan, ...]
    """Its labels."""
    source: ClipSource
    sound: Bools
    """``(F,)``: False where the capture lost a joint. No transition leads through such a frame."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "contacts", frozen_array(self.contacts, np.bool_))
        object.__setattr__(self, "sound", frozen_array(self.sound, np.bool_))

    def __len__(self) -> int:
        return len(self.motion)

    @property
    def name(self) -> str:
        """The clip's name, unique in its graph."""
        return self.motion.name

    def labelled(self, label: str) -> Bools:
        """``(F,)``: which frames bear ``label``."""
        mask = np.zeros(len(self), bool)
        for span in self.spans:
            if span.label == label:
                mask[span.first : span.last] = True
        return mask


def label_frames(clips: Sequence[Clip]) -> dict[str, Bools]:
    """Label → the frames ``(F,)`` that bear it, over all clips laid in a row; in order of their names."""
    labels = sorted({span.label for clip in clips for span in clip.spans})
    starts = np.concatenate([[0], np.cumsum([len(clip) for clip in clips])]).astype(np.int64).tolist()
    frames = {label: np.zeros(starts[-1], bool) for label in labels}
    for clip, start in zip(clips, starts[:-1], strict=True):
        for span in clip.spans:
            frames[span.label][start + span.first : min(start + span.last, start + len(clip))] = True
    return frames


@dataclass(frozen=True, eq=False)
class Edges(Frozen):
    """E edges in flat arrays, ordered by source, so that a node's edges lie together."""

    source: Ints
    """``(E,)``: the node that an edge leaves."""
    target: Ints
    """``(E,)``: the node at which it arrives."""
    kind: NDArray[np.uint8]
    """``(E,)``: an `EdgeKind` each."""
    length: Ints
    """``(E,)``: frames that are played."""
    cost: Array
    """``(E,)``: distance of the two motions in metres; 0 for original motion."""
    angle: Array
    """``(E,)``: turn in radians of the floor transform that lays the target's clip on the source's; 0 for original motion."""
    x: Array
    """``(E,)``: its shift along x in metres."""
    z: Array
    """``(E,)``: its shift along z in metres."""

    def __post_init__(self) -> None:
        for name in ("source", "target", "length"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), np.int32))
        object.__setattr__(self, "kind", frozen_array(self.kind, np.uint8))
        for name in ("cost", "angle", "x", "z"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))

    def __len__(self) -> int:
        return len(self.source)

    def alignment(self, edge: int) -> FloorTransform:
        """The transform that lays the motion of the edge's target clip on that of its source clip."""
        return FloorTransform(float(self.angle[edge]), float(self.x[edge]), float(self.z[edge]))


@dataclass(frozen=True, eq=False)
class Component(Frozen):
    """The part of a graph in which a walk can keep to a label for ever."""

    nodes: Ints
    """``(n,)``: numbers of its nodes, ascending."""
    edges: Ints
    """``(e,)``: numbers of its edges, ascending."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", frozen_array(self.nodes, np.int32))
        object.__setattr__(self, "edges", frozen_array(self.edges, np.int32))


@dataclass(frozen=True, eq=False)
class MotionGraph(Frozen):
    """A pruned motion graph: from every node every other can be reached, so motion never ends."""

    clips: tuple[Clip, ...]
    """In the order of their names."""
    node_clip: Ints
    """``(N,)``: the number of each node's clip. Nodes are ordered by clip and frame."""
    node_frame: Ints
    """``(N,)``: each node's frame of its clip."""
    edges: Edges
    labels: Mapping[str, Component]
    """Label → the part of the graph in which a walk can keep to it."""
    making: Record | None = field(default=None, repr=False)
    """How the graph was made, where it was built from clips; see `record`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "node_clip", frozen_array(self.node_clip, np.int32))
        object.__setattr__(self, "node_frame", frozen_array(self.node_frame, np.int32))
        object.__setattr__(self, "labels", MappingProxyType(dict(self.labels)))

    def __repr__(self) -> str:
        return f"MotionGraph({len(self.clips)} clips, {len(self)} nodes, {len(self.edges)} edges)"

    def __len__(self) -> int:
        return len(self.node_clip)

    @property
    def record(self) -> Record:
        """How the graph was made, or a `GraphError` where nobody knows."""
        if self.making is None:
            raise GraphError(
                "this graph was put together without a record of how it was made: it can be walked, but not saved, added to or chosen "
                "anew; build it from its clips, or load it from its file"
            )
        return self.making

    @property
    def skeleton(self) -> Skeleton:
        """The one skeleton of all clips."""
        return self.clips[0].motion.skeleton

    @property
    def fps(self) -> float:
        """Frames per second of all clips."""
        return self.clips[0].motion.fps

    @cached_property
    def first(self) -> Ints:
        """``(N + 1,)``: edges ``first[n]`` … ``first[n + 1]``−1 leave node n (compressed sparse rows)."""
        first: Ints = frozen_array(np.searchsorted(self.edges.source, np.arange(len(self) + 1)), np.int32)
        return first

    @cached_property
    def clip_index(self) -> Mapping[str, int]:
        """Clip name → its place in ``clips``."""
        return MappingProxyType({clip.name: index for index, clip in enumerate(self.clips)})

    def clip(self, name: str) -> Clip:
        """The clip of that name, or a `GraphError` that says which there are."""
        if name not in self.clip_index:
            raise GraphError(f"no clip {name!r} in this graph; it has {', '.join(self.clip_index)}")
        return self.clips[self.clip_index[name]]

    def out(self, node: int) -> range:
        """The edges that leave a node."""
        return range(int(self.first[node]), int(self.first[node + 1]))

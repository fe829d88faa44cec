"""A walk played: original edges as they were captured, transitions mixed by a blend, all laid on the floor.

Dirican 2014, 4.2.3. All frames of a walk are gathered and placed at once, and transitions of one length are mixed together: a walk of
thousands of edges costs little more than one of a few.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools, Indices
from kinegraph.blending import named
from kinegraph.blending.performance import Performance
from kinegraph.blending.stretch import Blend, Stretch
from kinegraph.graph.model import Clip, MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.moving import bent

# frames that are mixed at a time: enough to keep NumPy busy, few enough to stay in the processor's cache
_BATCH = 1024
# frames that tell how a clip holds itself on the whole
_LOOKS = 100


def play(walk: Walk, blend: Blend | str = named.USUAL) -> Performance:
    """The motion of a walk, its transitions mixed by a blend or by the blend of that name with its defaults.

    Heights are the clips' own. A transition that the walk cuts short is mixed over its whole length, then cut.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    >>> kg.blending.play(kg.walks.wander(graph, 5, seed=1), "inertial")
    Performance(150 frames at 30/s, 3 transitions, inertial)
    """
    mixing = named.blend(blend) if isinstance(blend, str) else blend
    graph, edges = walk.graph, walk.graph.edges
    numbers = walk.edges
    source, target, length = edges.source[numbers], edges.target[numbers], edges.length[numbers].astype(np.intp)
    is_blend = edges.kind[numbers] > 0
    begins = np.cumsum(length) - length
    leaving = _Ways(graph.node_clip[source], graph.node_frame[source])
    coming = _Ways(graph.node_clip[target], graph.node_frame[target] - length)
    pool = _Pool.of(graph, np.union1d(leaving.clip, coming.clip[is_blend]))
    outgoing_places, incoming_places = _floors(walk)

    # every frame as if it were of the outgoing clip; transitions are then written over it
    order = np.repeat(np.arange(len(numbers)), length)
    passed = np.arange(len(order)) - begins[order]
    clip, frame = leaving.clip[order], leaving.frame[order] + passed
    root, rotations = pool.placed(pool.first[clip] + frame, outgoing_places[order])
    weight = np.zeros(len(order))
    for some in _alike(np.flatnonzero(is_blend), length):
        frames = int(length[some[0]])
        between = (begins[some][:, None] + np.arange(frames)).ravel()
        mixed = mixing.mix(
            pool.stretch(leaving, some, frames, outgoing_places), pool.stretch(coming, some, frames, incoming_places)
        )
        root[between] = mixed[0].reshape(-1, 3)
        rotations[between] = mixed[1].reshape(-1, *rotations.shape[1:])
        weight[between] = np.tile(mixing.weights(graph.skeleton, frames)[:, 0], len(some))

    blending = is_blend[order]
    clip_in, frame_in = coming.clip[order], coming.frame[order] + passed
    ahead = blending & (weight >= 0.5)
    heavy_clip, heavy_frame = np.where(ahead, clip_in, clip), np.where(ahead, frame_in, frame)
    light_clip, light_frame = np.where(ahead, clip, clip_in), np.where(ahead, frame, frame_in)
    cut = slice(0, walk.frames)
    straight = Motion(graph.skeleton, root[cut], rotations[cut], graph.fps, name="walk")
    return Performance(
        motion=straight if walk.turns is None else bent(straight, walk.turns),
        unbent=straight,
        contacts=pool.contacts[pool.first[heavy_clip] + heavy_frame][cut],
        clip=heavy_clip[cut],
        frame=heavy_frame[cut],
        other_clip=np.where(blending, light_clip, -1)[cut],
        other_frame=np.where(blending, light_frame, -1)[cut],
        weight=weight[cut],
        edge=numbers[order][cut],
        walk=walk,
        blend=mixing.name,
    ).timed()


def mixed(graph: MotionGraph, edges: Indices, blend: Blend | str = named.USUAL) -> Iterator[Mixed]:
    """The transitions ``edges (n,)`` of a graph, mixed as `play` mixes them, in lots of one length.

    The clip that each leaves lies as it was captured.
    """
    mixing = named.blend(blend) if isinstance(blend, str) else blend
    own = graph.edges
    source, target, length = own.source[edges], own.target[edges], own.length[edges].astype(np.intp)
    leaving = _Ways(graph.node_clip[source], graph.node_frame[source])
    coming = _Ways(graph.node_clip[target], graph.node_frame[target] - length)
    pool = _Pool.of(graph, np.union1d(leaving.clip, coming.clip))
    laid = np.stack([own.angle[edges], own.x[edges], own.z[edges]], axis=-1)
    for some in _alike(np.arange(len(edges)), length):
        frames = int(length[some[0]])
        root, rotations = mixing.mix(
            pool.stretch(leaving, some, frames, np.zeros_like(laid)), pool.stretch(coming, some, frames, laid)
        )
        ahead = mixing.weights(graph.skeleton, frames)[:, 0] >= 0.5
        passed = np.arange(frames)
        old, new = (
            pool.contacts[pool.first[ways.clip[some]][:, None] + ways.frame[some][:, None] + passed]
            for ways in (leaving, coming)
        )
        yield Mixed(edges[some], root, rotations, np.where(ahead[:, None], new, old))


@dataclass(frozen=True, eq=False)
class Mixed:
    """Transitions of one length, mixed."""

    edges: Indices
    """``(m,)``: their numbers in the graph."""
    root: Array
    """``(m, L, 3)``"""
    rotations: Array
    """``(m, L, J, 4)``"""
    contacts: Bools
    """``(m, L, 4)``: of the clip that weighs more."""


@dataclass(frozen=True, eq=False)
class _Ways:
    """For each edge of a walk, a clip and the place in it at which the edge begins."""

    clip: NDArray[np.int32]
    """``(n,)``"""
    frame: NDArray[np.signedinteger[Any]]
    """``(n,)``: the clip's frame at the edge's first."""


@dataclass(frozen=True, eq=False)
class _Pool:
    """The frames of several clips one after another."""

    graph: MotionGraph
    first: Indices
    """By a clip's number in the graph: where its frame 0 stands."""
    frames: Indices
    """By a clip's number in the graph: how many it has."""
    root: Array
    rotations: Array
    contacts: Bools
    sound: Bools
    usual: Array
    """By a clip's number in the graph: how it holds its joints on the whole ``(n, J, 4)``."""

    @staticmethod
    def of(graph: MotionGraph, numbers: NDArray[np.int32]) -> _Pool:
        """The pool of the clips of those ``numbers (n,)``."""
        clips = [graph.clips[number] for number in numbers.tolist()]
        first, frames = np.zeros((2, len(graph.clips)), np.intp)
        frames[numbers] = [len(clip) for clip in clips]
        first[numbers] = np.cumsum(frames[numbers]) - frames[numbers]
        usual = rotation.identity(len(graph.clips), len(graph.skeleton))
        usual[numbers] = [_usual(clip) for clip in clips]
        return _Pool(
            graph,
            first,
            frames,
            np.concatenate([clip.motion.root for clip in clips]),
            np.concatenate([clip.motion.rotations for clip in clips]),
            np.concatenate([clip.contacts for clip in clips]),
            np.concatenate([clip.sound for clip in clips]),
            usual,
        )

    def placed(self, at: Indices, floor: Array) -> tuple[Array, Array]:
        """Root ``(..., 3)`` and rotations ``(..., J, 4)`` of frames ``at (...)``, laid on the floor by angle, x and z ``(..., 3)``."""
        root, rotations = self.root[at], self.rotations[at]
        turn = rotation.about_y(floor[..., 0])
        root = rotation.rotate(turn, root)
        root[..., 0] += floor[..., 1]
        root[..., 2] += floor[..., 2]
        rotations[..., 0, :] = rotation.multiply(turn, rotations[..., 0, :])
        return root, rotations

    def stretch(self, ways: _Ways, some: Indices, length: int, floors: Array) -> Stretch:
        """``some (m,)`` of the edges, all of one length, as a stretch of m transitions with a frame before and one after.

        Where the clip has no such frame, or the capture lost a joint there, the motion beside it goes on straight.
        """
        clip = ways.clip[some][:, None]
        frame = ways.frame[some][:, None] + np.arange(-1, length + 1)
        held = np.clip(frame, 0, self.frames[clip] - 1)
        at = self.first[clip] + held
        root, rotations = self.placed(at, floors[some][:, None])
        missing = (frame != held) | ~self.sound[at]
        # a transition of a single frame tells no velocity
        second = min(2, length)
        for end, beside, further in ((0, 1, second), (-1, -2, -1 - second)):
            lost = missing[:, end]
            root[lost, end] = 2.0 * root[lost, beside] - root[lost, further]
            rotations[lost, end] = _beyond(rotations[lost, beside], rotations[lost, further])
        return Stretch(self.graph.skeleton, root, rotations, self.graph.fps, self.usual[ways.clip[some]])


# a clip's usual pose is asked for whenever the clip is played
_USUAL: WeakKeyDictionary[Clip, Array] = WeakKeyDictionary()


def _usual(clip: Clip) -> Array:
    """The mean rotation ``(J, 4)`` of each joint, from at most `_LOOKS` of the clip's sound frames."""
    known = _USUAL.get(clip)
    if known is None:
        sound = np.flatnonzero(clip.sound)
        looked = sound[:: max(1, len(sound) // _LOOKS)] if len(sound) else np.arange(len(clip))
        known = _USUAL[clip] = rotation.mean(clip.motion.rotations[looked])
    return known


def _beyond(edge: Array, before: Array) -> Array:
    """The rotations ``(..., 4)`` that follow ``edge`` if the turn from ``before`` to it goes on."""
    return rotation.multiply(edge, rotation.multiply(rotation.inverse(before), edge))


def _floors(walk: Walk) -> tuple[Array, Array]:
    """Angle, x and z ``(n, 3)`` of the placement of each edge's outgoing clip and of its incoming one."""
    places = walk.placements
    last = int(walk.edges[-1])
    after = places[-1] @ walk.graph.edges.alignment(last) if walk.graph.edges.kind[last] else places[-1]
    floors = np.array([_row(place) for place in (*places, after)])
    return floors[:-1], floors[1:]


def _row(place: FloorTransform) -> tuple[float, float, float]:
    return place.angle, place.x, place.z


def _alike(blends: Indices, length: Indices) -> Iterator[Indices]:
    """The edges ``blends`` in lots of one length, small enough to be mixed at once."""
    for frames in np.unique(length[blends]).tolist():
        same = blends[length[blends] == frames]
        lots = -(-len(same) * frames // _BATCH)
        yield from np.array_split(same, lots)

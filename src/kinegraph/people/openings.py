"""How people get into a strike and out of it again: what every place of a graph costs to strike from, and to go on at afterwards.

A strike begins and ends in a ready pose that hardly depends on its target. So what a transition costs is worked out once for a graph and a
space, with a strike at the middle of the region; how the clips lie on one another is worked out anew for the strike that is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from kinegraph.arrays import Array, Bools, Indices
from kinegraph.errors import GraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.similarity.clouds import cloud, cloud_matrix, mass_weights
from kinegraph.similarity.exact import alignments
from kinegraph.strikes.joining.clip import rested
from kinegraph.strikes.space import Reach, Space

BLEND = 0.6
"""Seconds of a transition into a strike or out of it, at least: both feet step in it, one after the other."""
DEAREST = 0.3
"""Metres that motions may be apart for a transition between them. From a walk to a stand it takes 0.2, from a run twice as much."""
# Of the return, how much is left untouched after the hit; and seconds, at least.
_UNTOUCHED, _UNTOUCHED_SECONDS = 0.5, 0.25


@dataclass(frozen=True, eq=False)
class Openings:
    """What it costs to get from a graph of T frames and N nodes into the strikes of a space, and back."""

    frames: int
    """Of a transition."""
    into: Array
    """``(T, 4)``: cost in metres from each frame of the clips, infinite where none can begin, and the angle, x and z that lay the space's
    frame on the clip."""
    out: Array
    """``(N, 4)``: the same to each node; angle, x and z lay its clip on the space's frame."""
    heading: float
    """Where the ready pose faces in the space's frame, in radians."""


def leaves(reach: Reach, frames: int) -> int:
    """The frame of a strike at which a transition of so many frames out of it begins."""
    fps, back = reach.motion.fps, len(reach.motion) - 1 - reach.hit_frame
    untouched = max(round(_UNTOUCHED_SECONDS * fps), round(_UNTOUCHED * back))
    return max(reach.hit_frame + 1 + untouched, len(reach.motion) - frames)


@lru_cache(maxsize=8)
def openings(graph: MotionGraph, space: Space) -> Openings:
    """The openings of a graph for a space; remembered for the next call.

    A `GraphError` where the space is of another body, or nobody in the graph ever stands nearly as one does before these strikes.
    """
    if graph.skeleton != space.examples.skeleton:
        raise GraphError(
            f"the space {space.name!r} is of another body than the graph: its skeleton has {len(space.examples.skeleton)} joints, and the "
            f"graph's {len(graph.skeleton)}, or their bones differ; build both from takes of one performer"
        )
    corners = space.region.corners.mean(axis=0)
    reach = space.reach(corners, fps=graph.fps)
    frames = round(BLEND * graph.fps)
    strike = rested(reach.motion, frames)
    first, last = 0, frames + leaves(reach, frames)
    skeleton = graph.skeleton
    matrix = cloud_matrix(skeleton, mass_weights(skeleton))
    clouds = [cloud(clip.motion, matrix, clip.sound) for clip in graph.clips]
    clouds.append(cloud(strike, matrix, np.ones(len(strike), np.bool_)))
    lengths = np.array([len(clip) for clip in graph.clips])
    starts = np.cumsum(lengths) - lengths
    whole = np.concatenate([_whole(clip.sound, frames) for clip in graph.clips])
    number = np.repeat(np.arange(len(lengths)), lengths)

    def cost(rows: Indices, strike_first: int, *, to_strike: bool) -> Array:
        found = np.full((len(rows), 4), np.inf)
        at = np.where(rows >= 0, rows, 0)
        able = (rows >= 0) & whole[at]
        own = number[at[able]], at[able] - starts[number[at[able]]]
        other = np.full(len(own[0]), len(lengths)), np.full(len(own[0]), strike_first)
        a, b = (own, other) if to_strike else (other, own)
        found[able] = np.stack(alignments(clouds, a[0], a[1], b[0], b[1], np.full(len(own[0]), frames)), axis=-1)
        return found

    into = cost(np.arange(len(whole)), first, to_strike=True)
    # a transition that arrives at a node has blended the frames before it
    before = np.where(graph.node_frame >= frames, starts[graph.node_clip] + graph.node_frame - frames, -1)
    out = cost(before, last, to_strike=False)
    for way, costs in (("into", into), ("out of", out)):
        best = float(costs[:, 0].min())
        if best > DEAREST:
            why = (
                f"the nearest is {100 * best:.0f} cm away"
                if np.isfinite(best)
                else f"no clip lasts {frames} frames from one of its nodes on"
            )
            raise GraphError(
                f"there is no way {way} {space.name!r} in this graph: nobody in its clips stands as one does for these strikes, {why}"
            )
    ahead = reach.motion[:1].facing()[0]
    return Openings(frames, into, out, float(np.arctan2(ahead[0], ahead[2])))


def laid(still: Motion, moved: Motion) -> tuple[float, FloorTransform]:
    """How far apart two motions of as many frames are, in metres, and the transform that lays the second on the first."""
    matrix = cloud_matrix(still.skeleton, mass_weights(still.skeleton))
    clouds = [cloud(motion, matrix, np.ones(len(motion), np.bool_)) for motion in (still, moved)]
    one = (np.array([value]) for value in (0, 0, 1, 0, len(still)))
    cost, angle, x, z = (float(value[0]) for value in alignments(clouds, *one))
    return cost, FloorTransform(angle, x, z)


def _whole(sound: Bools, frames: int) -> Bools:
    """``(F,)``: from which frames on a clip has so many that lost no joint."""
    whole = np.zeros(len(sound), np.bool_)
    if len(sound) >= frames:
        whole[: len(sound) - frames + 1] = np.lib.stride_tricks.sliding_window_view(sound, frames).all(axis=1)
    return whole

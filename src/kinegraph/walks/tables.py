"""What a search reads of a graph, in flat arrays: floor tracks of clips and of blends, prices, alignments. Made once a
graph.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Longs
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.clip import pose_together
from kinegraph.paths.moving import track_of
from kinegraph.paths.smoothing import smoothed
from kinegraph.walks.blended import fill_blends, steer_rows

# Seconds: the root's sway within a stride makes its path up to 3 % longer than the way gone, so it is smoothed by a
# Gaussian of this width.
SWAY = 0.15


# Seconds of mere carrying on that are looked at when walks are ranked, and how many looks a second.
AHEAD, _LOOKS = 0.5, 10.0


# Seconds after which a clip that is bent should be on the path.
STEERED = 0.35
# Metres that a clip must get in that time to be bent: who hardly moves turns on the spot, and feet would be dragged round.
_STANDS = 0.085
# What a bend adds at most: rad/s by which a walker turns about, and m/s² that pull a body outwards. Below so many m/s it
# is bent no tighter.
_SPIN, _PULL, _SLOW = 3.2, 4.0, 0.6
# columns of what a frame needs to be steered: where the body is without the sway of its strides, where it will be in a
# while, how many metres it gets until then, radians a metre by which it may be bent, and where it faces
STEADY_X, STEADY_Z, AHEAD_X, AHEAD_Z, REACH, MOST, FACING_X, FACING_Z = range(8)


class Tables(NamedTuple):
    """A graph as the compiled searches take it: N nodes, E edges, T frames of all clips in a row, then B of all blends."""

    track: Array
    """``(T + B, 3)``: x and z of the smoothed root, and metres since the frame before. A clip lies as it was captured, a blend as its
    source clip does.
    """
    steer: Array
    """``(T + B, 8)``: what a frame needs to be steered; see the columns above."""
    look: Array
    """``(N, K, 3)``: the track at the next K looks ahead from each node, straight on beyond the end of a clip."""
    heading: Array
    """``(T,)``: where the body faces."""
    row: Longs
    """``(N,)``: a node's frame in the row."""
    end: Longs
    """``(N,)``: the frame past the last of its clip."""
    clip: Longs
    """``(N,)``: its clip."""
    first: Longs
    """``(N + 1,)``: where its edges begin."""
    target: Longs
    """``(E,)``: the node at which an edge arrives."""
    length: Longs
    """``(E,)``: frames that it plays."""
    begin: Longs
    """``(E,)``: where these lie in ``track``."""
    blended: NDArray[np.bool_]
    """``(E,)``: whether it is a transition."""
    cost: Array
    """``(E,)``: in metres, 0 for original motion."""
    turn: Array
    """``(E, 4)``: cosine, sine, x and z of the transform that lays the target's clip on the source's."""


def smooth_track(points: Array, fps: float) -> Array:
    """Floor points ``(F, 2)`` without the sway of a stride. Ends are extended by a half turn about them, so that a
    straight line stays one.
    """
    return smoothed(points, SWAY * fps)


def _steps(points: Array) -> Array:
    """How far ``(F,)`` each of points ``(F, 2)`` lies from the one before; nothing for the first."""
    return np.concatenate([np.zeros(min(len(points), 1)), np.linalg.norm(np.diff(points, axis=0), axis=-1)])


def look_stride(fps: float) -> int:
    """Frames from one look ahead to the next."""
    return max(1, round(fps / _LOOKS))


def _looks(track: Array, row: Longs, end: Longs, fps: float) -> Array:
    """Where the smoothed root is at the looks ahead ``(N, K, 3)`` from frames ``row (N,)`` of clips that end at ``end
    (N,)``.
    """
    stride = look_stride(fps)
    ahead = row[:, None] + stride * np.arange(1, max(1, round(AHEAD * fps) // stride) + 1) - 1
    at = np.minimum(ahead, end[:, None] - 1)
    # a clip of a single frame has no direction
    before = np.where(track[at, 2] > 0, at - 1, at)
    looks: Array = track[at].copy()
    looks[..., :2] += (ahead - at)[..., None] * (track[at, :2] - track[before, :2])
    looks[..., 2] *= stride
    return looks


@lru_cache(maxsize=4)
def tables(graph: MotionGraph) -> Tables:
    """The tables of a graph; kept for the graphs used last."""
    edges = graph.edges
    pose_together([clip.motion for clip in graph.clips])
    starts = np.concatenate([[0], np.cumsum([len(clip) for clip in graph.clips])]).astype(np.int64)
    row = starts[graph.node_clip] + graph.node_frame
    blended = edges.kind != 0
    turn = np.stack([np.cos(edges.angle), np.sin(edges.angle), edges.x, edges.z], axis=-1)
    lengths = np.where(blended, edges.length, 0).astype(np.int64)
    blends = np.concatenate([[0], np.cumsum(lengths)])
    begin = np.where(blended, starts[-1] + blends[:-1], row[edges.source]).astype(np.int64)
    headings = np.concatenate([clip.motion.heading() for clip in graph.clips])
    track, going = np.empty((starts[-1] + blends[-1], 3)), np.empty((starts[-1] + blends[-1], 7))
    far = spell(graph.fps)
    for clip, start in zip(graph.clips, starts.tolist(), strict=False):
        points, steady = smooth_track(clip.motion.root[:, [0, 2]], graph.fps), track_of(clip.motion)
        own = slice(start, start + len(clip))
        track[own] = np.column_stack([points, _steps(points)])
        ahead = onward(steady, far)
        going[own, :2], going[own, 2:4], going[own, 6] = steady, ahead[:, :2], ahead[:, 2]
    going[: starts[-1], 4:6] = np.stack([np.sin(headings), np.cos(headings)], axis=-1)
    fill_blends(track, going, row, edges.source, edges.target, edges.length, blended, begin, turn)
    return Tables(
        steer=steer_rows(going, STEERED, _SLOW, _SPIN, _PULL, _STANDS),
        track=track,
        look=_looks(track, row, starts[graph.node_clip + 1], graph.fps),
        heading=headings,
        row=row,
        end=starts[graph.node_clip + 1],
        clip=graph.node_clip.astype(np.int64),
        first=graph.first.astype(np.int64),
        target=edges.target.astype(np.int64),
        length=edges.length.astype(np.int64),
        begin=begin,
        blended=blended,
        cost=np.asarray(edges.cost),
        turn=turn,
    )


def spell(fps: float) -> int:
    """Frames after which a clip that is bent should be on the path: `STEERED` in whole frames.

    >>> spell(30.0), spell(120.0)
    (10, 42)
    """
    return max(1, round(STEERED * fps))


def onward(points: Array, far: int) -> Array:
    """Where a walker at points ``(F, 2)`` will be ``far`` frames later, and how many metres further ``(F, 3)``.

    Beyond the last point it goes on with the speed and in the bend of its last frames.
    """
    frames = len(points)
    if frames < 2:
        return np.column_stack([points, np.zeros(frames)])
    steps = np.diff(points, axis=0)
    some = steps[-min(far, frames - 1) :]
    heading = np.unwrap(np.arctan2(some[:, 0], some[:, 1]))
    rate = (heading[-1] - heading[0]) / max(len(some) - 1, 1)
    pace = float(np.linalg.norm(some, axis=1).mean())
    angles = heading[-1] + rate * np.arange(1, far + 1)
    beyond = np.stack([np.sin(angles), np.cos(angles)], axis=-1) * pace
    every = np.concatenate([steps, beyond])
    gone = np.concatenate([[0.0], np.linalg.norm(every, axis=1).cumsum()])
    place = points[0] + np.concatenate([np.zeros((1, 2)), every.cumsum(axis=0)])
    last = np.arange(frames) + far
    return np.column_stack([place[last], gone[last] - gone[:frames]])

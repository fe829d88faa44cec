"""The metric of the Manchester dissertation of 2019 (4.3 to 4.6), which is not ours.

A cloud holds points of every bone; the root's place on the floor is left out and its turn is kept: nothing is aligned. Two poses differ by
the sum of the *fourth* powers of their points' distances, two moments by the sum over the 81 frames around them. A vertex is a clip, and
each local minimum of two clips' distances makes two edges, one a direction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from kinegraph.arrays import Array, Bools, Longs
from kinegraph.experiments.clips import Clips
from kinegraph.formats import asf
from kinegraph.formats.registry import load
from kinegraph.motion import rotation

SIX = (
    "run_stop_16_08",
    "walk_16_15",
    "duck_slow_127_31",
    "sneak_17_03",
    "jump_up_down_49_03",
    "jump_one_leg_49_03",
)
"""The clips of its second and third experiment, all of them played on the skeleton of subject 16."""
SCALE = 0.056444
"""Its metres per unit: 0.0254 / 0.45, cut short. Costs grow with the fourth power: one digit more, and the largest would be 20744.14."""
REACH = 40
"""Frames before and after a moment that belong to its window."""
TIE = 1e-5
"""The share by which costs differ that may be a tie in its float32, after all the sums: both of them are minima then."""

_POINTS_PER_UNIT = 3
_COPIES = 4  # of every point in its clouds


def six(clips: Clips) -> list[Array]:
    """The clouds of its six clips."""
    return [bone_points(clips.file("labeled", f"{name}.amc"), clips.asf("16")) for name in SIX]


def own(clips: Clips, *names: str) -> list[Array]:
    """The clouds of clips on the skeleton of their own subject."""
    subjects = [name.partition("_")[0] for name in names]
    return [
        bone_points(clips.file("acclaim", subject, f"{name}.amc"), clips.asf(subject))
        for subject, name in zip(subjects, names, strict=True)
    ]


def bone_points(clip: Path, skeleton: Path) -> Array:
    """The cloud ``(F, P, 3)`` of every pose, over the origin of the floor.

    Each bone carries ``int(3 · length)`` points, from its near end on, the far end left out.
    """
    motion = load(clip, skeleton=skeleton, units=SCALE, trim_tpose=False)
    near = motion.positions - motion.root[:, None] * [1.0, 0.0, 1.0]
    pieces = []
    for joint, bone in enumerate(asf.read(skeleton).bones[1:], start=1):
        count = int(_POINTS_PER_UNIT * bone.length)
        along = rotation.rotate(motion.orientations[:, joint], bone.end * SCALE)
        fractions = np.arange(count)[:, None] / max(count, 1)
        pieces.append(near[:, joint, None] + along[:, None] * fractions)
    return np.concatenate(pieces, axis=1)


def costs(a: Array, b: Array) -> Array:
    """Distances of all moments of two clouds whose windows lie within both: entry (i, j) is of frames i + 40 and j + 40."""
    return _COPIES * window_sums(pose_distances(a, b), 2 * REACH + 1)


def pose_distances(a: Array, b: Array) -> Array:
    """Sums of ``|a − b|⁴`` over the points of clouds ``(n_a, P, 3)`` and ``(n_b, P, 3)``, for every pair of frames ``(n_a, n_b)``.

    With α = |a|² and β = |b|², ``|a − b|⁴ = (α + β − 2 a·b)² = α² + β² + 2αβ + 4 (a·b)² − 4 α (a·b) − 4 β (a·b)``, and
    ``(a·b)² = (a aᵀ) : (b bᵀ)``: every term is a function of a times a function of b, so the whole is a matrix product.

    >>> a, b = np.zeros((1, 1, 3)), np.array([[[0.0, 2.0, 0.0]]])
    >>> pose_distances(a, b).tolist()
    [[16.0]]
    """
    alpha, beta = (np.square(cloud).sum(axis=-1, keepdims=True) for cloud in (a, b))
    left = np.concatenate([2 * alpha, 4 * _squares(a), -4 * alpha * a, -4 * a], axis=-1)
    right = np.concatenate([beta, _squares(b, 2.0), b, beta * b], axis=-1)
    mixed: Array = left.reshape(len(a), -1) @ right.reshape(len(b), -1).T
    total: Array = mixed + np.square(alpha).sum(axis=(1, 2))[:, None] + np.square(beta).sum(axis=(1, 2))
    return total


def _squares(points: Array, twice: float = 1.0) -> Array:
    """The six different products ``(…, 6)`` of the coordinates of points ``(…, 3)``, the mixed ones, which occur twice, times ``twice``."""
    x, y, z = np.moveaxis(points, -1, 0)
    products: Array = np.stack([x * x, y * y, z * z, twice * x * y, twice * y * z, twice * z * x], axis=-1)
    return products


def window_sums(poses: Array, length: int) -> Array:
    """Sums of ``length`` neighbours along the diagonals of ``poses (n_a, n_b)``: ``(n_a − length + 1, n_b − length + 1)``."""
    n_a, n_b = poses.shape
    summed = np.zeros((n_a + 1, n_b + 1))
    for row in range(n_a):
        np.add(summed[row, :-1], poses[row], out=summed[row + 1, 1:])
    sums: Array = summed[length:, length:] - summed[:-length, :-length]
    return sums


def local_minima(found: Array, tie: float = 0.0) -> Bools:
    """Which entries have eight neighbours, none of them smaller by more than the share ``tie``."""
    least = np.zeros(found.shape, bool)
    inner = found[1:-1, 1:-1]
    rows, columns = inner.shape
    neighbours = np.full(inner.shape, np.inf)
    for down in range(3):
        for right in range(3):
            np.minimum(neighbours, found[down : down + rows, right : right + columns], out=neighbours)
    least[1:-1, 1:-1] = inner * (1 - tie) <= neighbours
    return least


@dataclass(frozen=True, eq=False)
class TheirGraph:
    """Its graph: edges in flat arrays, ``(E,)`` each, both directions of every minimum one after the other."""

    clips: int
    source: Longs
    target: Longs
    leaves: Longs
    """Frames at which edges leave, at the middle of the window."""
    arrives: Longs
    """Frames at which they arrive."""
    cost: Array

    @property
    def degrees(self) -> Longs:
        """``(clips,)``: edges that leave each vertex."""
        return np.bincount(self.source, minlength=self.clips)


Matrices = Mapping[tuple[int, int], Array]
"""`costs` of every two clips, by their numbers, the smaller one first."""


def matrices_of(clouds: Sequence[Array]) -> Matrices:
    """The distances of all moments of every two different clips."""
    return {(a, b): costs(clouds[a], clouds[b]) for a, b in combinations(range(len(clouds)), 2)}


def graph_of(matrices: Matrices) -> TheirGraph:
    """Every local minimum of two different clips, in both directions."""
    return _joined([_edges(pair, found, local_minima(found)) for pair, found in matrices.items()])


def with_a_tie(matrices: Matrices, graph: TheirGraph) -> list[TheirGraph]:
    """The graph with one more minimum each: those entries that a neighbour is below by less than rounding."""
    whole = (graph.source, graph.target, graph.leaves, graph.arrives, graph.cost)
    more = []
    for pair, found in matrices.items():
        for place in np.argwhere(local_minima(found, TIE) & ~local_minima(found)):
            only = np.zeros(found.shape, bool)
            only[tuple(place)] = True
            more.append(_joined([whole, _edges(pair, found, only)]))
    return more


Columns = tuple[Longs, Longs, Longs, Longs, Array]


def _edges(pair: tuple[int, int], found: Array, chosen: Bools) -> Columns:
    """Edges at chosen entries from the first clip to the second, then those back."""
    first, second = np.argwhere(chosen).T
    cost = found[first, second]
    there, back = (np.full(len(cost), clip) for clip in pair)
    leaves = np.concatenate([first, second]) + REACH
    arrives = np.concatenate([second, first]) + REACH
    return np.concatenate([there, back]), np.concatenate([back, there]), leaves, arrives, np.tile(cost, 2)


def _joined(parts: Sequence[Columns]) -> TheirGraph:
    source, target, leaves, arrives, cost = (np.concatenate(column) for column in zip(*parts, strict=True))
    return TheirGraph(int(source.max()) + 1, source, target, leaves, arrives, cost)

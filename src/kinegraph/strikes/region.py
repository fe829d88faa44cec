"""Where a space can strike: the convex region of its examples, the box around it, and samples of what blends reach.

In the plane of across and height, the region is the convex hull of the examples' hits, and the box is its bounding box
(Chen 2007, section 3.2). In three dimensions, the hits lie on a sheet, as far out as the limb reaches. The inside of their
hull would be behind that sheet, where no stretched limb hits; so there the samples themselves are the region.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools, frozen_array
from kinegraph.errors import FewStrikesError, SpaceError
from kinegraph.strikes.solve import BEYOND, Bounds, HitPose

# Weights of the samples are multiples of this (the paper's interval); about so many samples are drawn.
_INTERVAL = 0.2
_SAMPLES = 1000
# Metres: a region thinner than this is a line, and what lies within this of the edge lies inside.
_THIN = 0.005
_EDGE = 1e-9


@dataclass(frozen=True, eq=False)
class Region:
    """The convex hull of the hits, across and up, and the box around it."""

    corners: Array
    """``(C, 2)``, in order around it."""
    low: Array
    """``(2,)``: one corner of the box."""
    high: Array
    """``(2,)``: the opposite corner."""

    def __post_init__(self) -> None:
        for name in ("corners", "low", "high"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))

    def inside(self, targets: Array) -> Bools:
        """Whether targets ``(..., 2)`` lie in the region, ``(...)``."""
        start, along = self.corners, np.roll(self.corners, -1, axis=0) - self.corners
        gap = np.asarray(targets)[..., None, :] - start
        left = along[:, 0] * gap[..., 1] - along[:, 1] * gap[..., 0]
        inside: Bools = np.all(left >= -_EDGE, axis=-1)
        return inside

    def in_box(self, targets: Array) -> Bools:
        """Whether targets ``(..., 2)`` lie in the box around the region, ``(...)``."""
        inside: Bools = np.all((targets >= self.low - _EDGE) & (targets <= self.high + _EDGE), axis=-1)
        return inside

    def span(self, axis: int, value: float) -> tuple[float, float]:
        """The smallest and largest value of the other coordinate in the region where coordinate ``axis`` has ``value``, or is
        nearest to it.
        """
        value = float(np.clip(value, self.low[axis], self.high[axis]))
        a, b = self.corners, np.roll(self.corners, -1, axis=0)
        rise = b[:, axis] - a[:, axis]
        crossing = (np.minimum(a[:, axis], b[:, axis]) <= value) & (value <= np.maximum(a[:, axis], b[:, axis]))
        flat = np.abs(rise) < 1e-12
        share = np.where(flat, 0.0, (value - a[:, axis]) / np.where(flat, 1.0, rise))
        at = a[:, 1 - axis] + np.clip(share, 0.0, 1.0) * (b - a)[:, 1 - axis]
        ends = np.concatenate([at[crossing], b[crossing & flat, 1 - axis]])
        return float(ends.min()), float(ends.max())


def region(hits: Array) -> Region:
    """The region of hits ``(N, 3)``; a `FewStrikesError` if they all lie on one line."""
    flat = hits[:, :2]
    spread = np.linalg.svd(flat - flat.mean(axis=0), compute_uv=False) if len(flat) > 2 else np.zeros(2)
    if spread[-1] < _THIN:
        raise FewStrikesError(
            f"{len(flat)} strikes that all hit along one line, seen from the front, leave no region between them: add strikes at "
            "other heights or to other sides"
        )
    from scipy.spatial import ConvexHull, QhullError

    try:
        corners = flat[ConvexHull(flat).vertices]
    except QhullError as error:  # not seen once the spread is known, but Qhull has its own mind
        raise SpaceError(f"no region can be made of these hits: {str(error).splitlines()[0]}") from error
    return Region(corners, flat.min(axis=0), flat.max(axis=0))


@dataclass(frozen=True, eq=False)
class Samples:
    """What blends reach: weights ``(S, N)`` and where they hit ``(S, 3)``; the examples themselves come first."""

    weights: Array
    hits: Array

    def __post_init__(self) -> None:
        for name in ("weights", "hits"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))

    def nearest(self, target: Array, count: int = 1) -> NDArray[np.intp]:
        """Indices ``(count,)`` of the samples that hit nearest to ``target``, ``(2,)`` or ``(3,)``."""
        apart = np.linalg.norm(self.hits[:, : len(target)] - target, axis=1)
        return np.argsort(apart, kind="stable")[:count]

    def guess(self, target: Array, count: int = 8) -> Array:
        """Weights ``(N,)`` for a target from its nearest samples, in which near ones count more (the paper's way)."""
        found = self.nearest(target, count)
        apart = np.linalg.norm(self.hits[found, : len(target)] - target, axis=1)
        share = 1.0 / np.maximum(apart, 1e-6) ** 2
        weights: Array = (share / share.sum()) @ self.weights[found]
        return weights


def samples(pose: HitPose, hits: Array, bounds: Bounds = BEYOND, seed: int = 0) -> Samples:
    """About a thousand blends of neighbouring examples, with weights that are multiples of 0.2 within ``bounds``.

    Neighbours are the corners of the triangles between the hits. If there are few triangles, other triples of examples are
    added; if there are many, each contributes only some of its blends, chosen at random, to make a thousand in all.
    """
    count = len(hits)
    grid = np.round(np.arange(round(bounds[0] / _INTERVAL), round(bounds[1] / _INTERVAL) + 1) * _INTERVAL, 9)
    mixes = np.array(
        [(a, b, 1 - a - b) for a, b in product(grid, grid) if grid[0] - 1e-9 <= 1 - a - b <= grid[-1] + 1e-9]
    )
    from scipy.spatial import Delaunay

    triples = {tuple(sorted(triple)) for triple in Delaunay(hits[:, :2]).simplices.tolist()}
    rng = np.random.default_rng(seed)
    while len(triples) * len(mixes) < _SAMPLES and len(triples) < count * (count - 1) * (count - 2) // 6:
        triples.add(tuple(sorted(rng.choice(count, 3, replace=False).tolist())))
    corners = np.array(sorted(triples))
    chosen = rng.permutation(len(corners) * len(mixes))[:_SAMPLES]
    weights = np.zeros((len(chosen), count))
    np.put_along_axis(weights, corners[chosen // len(mixes)], mixes[chosen % len(mixes)], axis=1)
    every = np.unique(np.round(np.concatenate([np.eye(count), weights]), 9), axis=0)
    # the examples first, then the rest in an order that does not depend on how they were found
    pure = every.max(axis=1) == 1.0
    pure &= np.count_nonzero(every, axis=1) == 1
    every = np.concatenate([np.eye(count), every[~pure]])
    return Samples(every, pose.at(every))

"""`Path`: a curve on the floor, as a polyline with its arc length. A frozen value over arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinegraph.errors import MotionError
from kinegraph.motion.floor import FloorTransform
from kinegraph.motion.rotation import Array
from kinegraph.motion.skeleton import frozen_array
from kinegraph.paths import search
from kinegraph.paths.smoothing import smoothed

# Metres. Points closer together than the first are one point; nobody walks the second in one go; beyond the third, positions lose the
# precision that feet need.
_SAME_POINT = 1e-9
LONGEST = 10_000.0
_FARTHEST = 1e6

# Metres before and after a place over which its direction is taken: half the spacing of the finest usual polylines, so that the
# direction of a dense curve changes steadily instead of from segment to segment, and a corner stays one.
_TANGENT_REACH = 0.01
# Metres before and after a place over which the change of direction is taken as curvature.
_CURVATURE_REACH = 0.1

# Metres: a smoothed path is sampled at least as finely as this.
_SMOOTHING_STEP = 0.02
# A path has no more points than this: some hundred metres at a millimetre, or the longest path at 2 mm.
_MOST_POINTS = 5_000_000


@dataclass(frozen=True, eq=False)
class Path:
    """A curve on the floor through ``points (N, 2)``, each (x, z) in metres, straight from one to the next.

    Repeated points are dropped. A path may cross itself; a closed one simply ends where it began. Places on it are named by their arc
    length s in metres from its beginning.

    >>> path = Path([[0, 0], [0, 3], [4, 3]])
    >>> path.length, path.at([1.0, 5.0, 99.0]).tolist()
    (7.0, [[0.0, 1.0], [2.0, 3.0], [4.0, 3.0]])
    """

    points: Array

    def __post_init__(self) -> None:
        try:
            points = np.asarray(self.points, dtype=np.float64)
        except (TypeError, ValueError):
            raise MotionError("the points of a path must be pairs of numbers x, z") from None
        if points.ndim != 2 or points.shape[1] != 2:
            raise MotionError(f"the points of a path must be (N, 2), pairs of x and z; got {points.shape}")
        if not np.isfinite(points).all():
            place = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
            raise MotionError(f"point {place + 1} of the path is not finite: {points[place].tolist()}")
        if len(points) < 2:
            raise MotionError(f"a path needs at least two points, got {len(points)}")
        if len(points) > _MOST_POINTS:
            raise MotionError(f"a path of {len(points):,} points: at most {_MOST_POINTS:,} are taken")
        if np.abs(points).max() > _FARTHEST:
            raise MotionError(f"a point of the path lies beyond {_FARTHEST / 1000:,.0f} km: paths are in metres")
        points = _distinct(points)
        if len(points) < 2:
            raise MotionError("the path has no length: all its points are the same")
        length = float(np.hypot(*np.diff(points, axis=0).T).sum())
        if length > LONGEST * (1 + 1e-9):
            raise MotionError(
                f"the path is {length / 1000:,.2f} km long, and at most {LONGEST / 1000:g} km are taken: paths are in metres"
            )
        object.__setattr__(self, "points", frozen_array(points))

    def __reduce__(self) -> tuple[Any, ...]:
        # pickled by its points, without what was computed from them
        return Path, (self.points,)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return f"Path({self.length:.4g} m, {len(self)} points)"

    # -- along it -----------------------------------------------------------------------------------------------------

    @cached_property
    def lengths(self) -> Array:
        """Arc length ``(N,)`` in metres at each point, from 0."""
        steps = np.hypot(*np.diff(self.points, axis=0).T)
        lengths: Array = frozen_array(np.concatenate([[0.0], np.cumsum(steps)]))
        return lengths

    @property
    def length(self) -> float:
        """Arc length of the whole path in metres."""
        return float(self.lengths[-1])

    def at(self, s: ArrayLike) -> Array:
        """Points ``(..., 2)`` at arc lengths ``s (...)``; held beyond the ends."""
        s = np.asarray(s, dtype=np.float64)
        return np.stack([np.interp(s, self.lengths, self.points[:, axis]) for axis in (0, 1)], axis=-1)

    def tangent(self, s: ArrayLike) -> Array:
        """Unit vectors ``(..., 2)`` along the path at arc lengths ``s (...)``; held beyond the ends.

        The chord over a centimetre to both sides: a dense polyline turns steadily, and a corner is rounded by no more than that.
        """
        s = np.clip(np.asarray(s, dtype=np.float64), 0.0, self.length)
        reach = min(_TANGENT_REACH, self.length / 4)
        chord = self.at(s + reach) - self.at(s - reach)
        # where the path doubles back on itself the chord vanishes: there the segment has the say
        segment = np.clip(np.searchsorted(self.lengths, s, side="right") - 1, 0, len(self) - 2)
        along = self.points[segment + 1] - self.points[segment]
        vanished = np.hypot(chord[..., 0], chord[..., 1]) < 1e-3 * reach
        chord = np.where(vanished[..., None], along, chord)
        unit: Array = chord / np.hypot(chord[..., 0], chord[..., 1])[..., None]
        return unit

    def heading(self, s: ArrayLike) -> Array:
        """Angle ``(...)`` of the tangent in radians, within ±π: 0 is +Z, positive towards +X."""
        tangent = self.tangent(s)
        heading: Array = np.arctan2(tangent[..., 0], tangent[..., 1])
        return heading

    def curvature(self, s: ArrayLike) -> Array:
        """Radians per metre ``(...)`` by which the heading changes, over 10 cm to both sides: positive turns left, towards +X."""
        s = np.asarray(s, dtype=np.float64)
        # a tangent at the very end looks to one side only, and stands for a place further in
        margin = min(_TANGENT_REACH, self.length / 8)
        reach = min(_CURVATURE_REACH, self.length / 4)
        before = np.clip(s - reach, margin, self.length - margin)
        after = np.clip(s + reach, margin, self.length - margin)
        # beyond the ends both would be the same place
        before, after = np.minimum(before, self.length - margin - reach), np.maximum(after, margin + reach)
        turn = self.heading(after) - self.heading(before)
        curvature: Array = (np.mod(turn + np.pi, 2 * np.pi) - np.pi) / (after - before)
        return curvature

    # -- to it --------------------------------------------------------------------------------------------------------

    @cached_property
    def _segments(self) -> search.Segments:
        return search.Segments(self.points, self.lengths)

    def nearest(self, points: ArrayLike) -> tuple[Array, Array]:
        """Distance ``(...)`` of points ``(..., 2)`` from the path, and the arc length ``(...)`` at which it is nearest.

        Exact against every segment; of places equally near the first along the path (to rounding).
        """
        points = _checked(points)
        distance, s = search.nearest(self._segments, points.reshape(-1, 2))
        return distance.reshape(points.shape[:-1]), s.reshape(points.shape[:-1])

    def track(
        self, points: ArrayLike, start: float = 0.0, *, ahead: float = search.AHEAD, behind: float = search.BEHIND
    ) -> tuple[Array, Array]:
        """Follow a walker at ``points (F, 2)`` along the path: its distance ``(F,)`` and progress s ``(F,)``, which never falls.

        The nearest place is sought from ``behind`` metres before to ``ahead`` metres past the last one (further, where the walker
        took a longer step), beginning at ``start``: so a path that crosses itself is not left for its other branch, and a walker
        who cuts a corner is taken across it. Distance is to the nearest place in that window; progress is the furthest reached.
        """
        points = _checked(points)
        if points.ndim != 2:
            raise MotionError(f"a walker's track must be (F, 2), got {points.shape}")
        return search.track(self._segments, points, start, ahead, behind)

    # -- other paths made from it ---------------------------------------------------------------------------------------

    def resampled(self, step: float) -> Path:
        """The path through points evenly spaced along it, about ``step`` metres apart, ends included. Corners are cut by it."""
        return Path(self.at(np.linspace(0.0, self.length, _pieces(self.length, step) + 1)))

    def smoothed(self, sigma: float) -> Path:
        """The path under a Gaussian of ``sigma`` metres of arc length. Its ends and straight lines stay where they are."""
        if not 0 <= sigma < np.inf:
            raise MotionError(f"a path is smoothed over a length of 0 or more metres, got {sigma:g}")
        if sigma == 0:
            return self
        step = min(_SMOOTHING_STEP, sigma / 5)
        pieces = _pieces(self.length, step)
        even = self.at(np.linspace(0.0, self.length, pieces + 1))
        return Path(smoothed(even, sigma / (self.length / pieces)))

    def place(self, transform: FloorTransform) -> Path:
        """Moved as a whole along the floor."""
        flat = np.stack([self.points[:, 0], np.zeros(len(self)), self.points[:, 1]], axis=-1)
        return Path(transform.apply(flat)[:, [0, 2]])

    def reversed(self) -> Path:
        """The same curve from its end to its beginning."""
        return Path(self.points[::-1])


def _distinct(points: Array) -> Array:
    """``points`` without those that repeat the one before."""
    moved = np.hypot(*np.diff(points, axis=0).T) > _SAME_POINT
    keep: NDArray[np.bool_] = np.concatenate([[True], moved])
    return points[keep]


def _checked(points: ArrayLike) -> Array:
    """Points ``(..., 2)`` on the floor, or a refusal."""
    points = np.asarray(points, dtype=np.float64)
    if points.ndim == 0 or points.shape[-1] != 2:
        raise MotionError(f"points on the floor must be (..., 2), got {points.shape}")
    if not np.isfinite(points).all():
        raise MotionError("a point on the floor is not finite")
    return points


def _pieces(length: float, step: float) -> int:
    """How many even pieces of about ``step`` metres make ``length``."""
    if not (np.isfinite(step) and step > 0):
        raise MotionError(f"a path is resampled by a step above 0 metres, got {step:g}")
    if length / step > _MOST_POINTS - 1:
        raise MotionError(
            f"a step of {step:g} m would make more than {_MOST_POINTS:,} points of this path of {length:.4g} m"
        )
    return max(1, round(length / step))

"""`Path`: a curve on the floor, as a polyline with its arc length. A frozen value over arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinegraph.arrays import Array, frozen_array
from kinegraph.errors import MotionError
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths import search
from kinegraph.paths.curve import Curve, is_closed
from kinegraph.paths.offset import beside, step_for
from kinegraph.paths.smoothing import smoothed

# Metres. Points closer together than the first are one point; nobody walks the second in one go; beyond the third, positions lose the
# precision that feet need.
SAME_POINT = 1e-9
LONGEST = 10_000.0
FARTHEST = 1e6

# Metres before and after a place over which its direction is taken: half the spacing of the finest usual polylines, so that the
# direction of a dense curve changes steadily instead of from segment to segment, and a corner stays one.
_TANGENT_REACH = 0.01
# Tangent of the angle up to which a parabola may differ from the chord at an end: more is a corner, not a bend.
_GENTLE = 0.1
# Metres before and after a place over which the change of direction is taken as curvature.
_CURVATURE_REACH = 0.1

# Metres: a smoothed path is sampled at least as finely as this.
_SMOOTHING_STEP = 0.02
# A path has no more points than this: some hundred metres at a millimetre, or the longest path at 2 mm.
_MOST_POINTS = 5_000_000


@dataclass(frozen=True, eq=False)
class Path:
    """A curve on the floor through points, straight from one to the next.

    Repeated points are dropped. A path may cross itself; a closed one simply ends where it began. Places on it are given by their arc
    length s, in metres along the floor from its beginning; heights do not count for it.

    >>> path = Path([[0, 0], [0, 3], [4, 3]])
    >>> path.length, path.at([1.0, 5.0, 99.0]).tolist()
    (7.0, [[0.0, 1.0], [2.0, 3.0], [4.0, 3.0]])
    >>> Path([[0, 0], [0, 3], [4, 3]], heights=[0, 0, 1]).height([3.0, 5.0]).tolist()
    [0.0, 0.5]
    """

    points: Array
    """``(N, 2)``: (x, z) in metres."""
    heights: Array | None = None
    """``(N,)``: in metres."""
    name: str = ""
    """What people call it: the text or the file that it was read from."""

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
        if np.abs(points).max() > FARTHEST:
            raise MotionError(f"a point of the path lies beyond {FARTHEST / 1000:,.0f} km: paths are in metres")
        heights = None if self.heights is None else _checked_heights(self.heights, points)
        keep = _distinct(points)
        points = points[keep]
        if len(points) < 2:
            raise MotionError("the path has no length: all its points are the same")
        length = float(np.hypot(*np.diff(points, axis=0).T).sum())
        if length > LONGEST * (1 + 1e-9):
            raise MotionError(
                f"the path is {length / 1000:,.2f} km long, and at most {LONGEST / 1000:g} km are taken: paths are in metres"
            )
        object.__setattr__(self, "points", frozen_array(points))
        if heights is not None:
            object.__setattr__(self, "heights", frozen_array(heights[keep]))

    def __reduce__(self) -> tuple[Any, ...]:
        # pickled by its points, without what was computed from them
        return Path, (self.points, self.heights, self.name)

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
        """Points ``(..., 2)`` at arc lengths ``s (...)``; constant beyond the ends."""
        s = np.asarray(s, dtype=np.float64)
        return np.stack([np.interp(s, self.lengths, self.points[:, axis]) for axis in (0, 1)], axis=-1)

    def tangent(self, s: ArrayLike) -> Array:
        """Unit vectors ``(..., 2)`` along the path at arc lengths ``s (...)``; constant beyond the ends.

        These are chords over a centimetre on both sides: so a dense polyline turns steadily, right up to its ends, and a corner is rounded
        by no more than that.
        """
        s = np.clip(np.asarray(s, dtype=np.float64), 0.0, self.length)
        reach = min(_TANGENT_REACH, self.length / 4)
        chord = self._onward_at_ends(s, reach, self.at(s + reach) - self.at(s - reach))
        # where the path doubles back on itself the chord vanishes: there the segment has the say
        segment = np.clip(np.searchsorted(self.lengths, s, side="right") - 1, 0, len(self) - 2)
        along = self.points[segment + 1] - self.points[segment]
        vanished = np.hypot(chord[..., 0], chord[..., 1]) < 1e-3 * reach
        chord = np.where(vanished[..., None], along, chord)
        unit: Array = chord / np.hypot(chord[..., 0], chord[..., 1])[..., None]
        return unit

    def _onward_at_ends(self, s: Array, reach: float, chord: Array) -> Array:
        """The ``chord (..., 2)``, where an end cuts it short: the direction of a parabola through the path there, if it bends gently.

        The chord would be that of a place further in.
        """
        for end, away in ((0.0, s), (self.length, self.length - s)):
            if not np.any(away < reach):
                continue
            inward = reach if end == 0 else -reach
            first, second, third = self.at([end, end + inward, end + 2 * inward])
            share = np.minimum(away / reach, 1.0)[..., None]
            parabola = (first * (share - 1.5) + second * (2 - 2 * share) + third * (share - 0.5)) * np.sign(inward)
            cross = chord[..., 0] * parabola[..., 1] - chord[..., 1] * parabola[..., 0]
            gentle = np.abs(cross) < _GENTLE * np.einsum("...i,...i->...", chord, parabola)
            chord = np.where((gentle & (away < reach))[..., None], parabola, chord)
        return chord

    def heading(self, s: ArrayLike) -> Array:
        """Angle ``(...)`` of the tangent in radians, within ±π: 0 is +Z, positive towards +X."""
        tangent = self.tangent(s)
        heading: Array = np.arctan2(tangent[..., 0], tangent[..., 1])
        return heading

    def curvature(self, s: ArrayLike) -> Array:
        """Radians per metre ``(...)`` by which the heading changes, over 10 cm on both sides: positive turns left, towards +X."""
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

    def height(self, s: ArrayLike) -> Array:
        """Altitude ``(...)`` in metres at arc lengths ``s (...)``: 0 without heights; constant beyond the ends."""
        if self.heights is None:
            return np.zeros(np.shape(s))
        return np.asarray(np.interp(np.asarray(s, dtype=np.float64), self.lengths, self.heights))

    def slope(self, s: ArrayLike) -> Array:
        """Rise ``(...)`` in metres per metre along the floor, over a centimetre on both sides, as for `tangent`."""
        s = np.clip(np.asarray(s, dtype=np.float64), 0.0, self.length)
        reach = min(_TANGENT_REACH, self.length / 4)
        before, after = np.maximum(s - reach, 0.0), np.minimum(s + reach, self.length)
        slope: Array = (self.height(after) - self.height(before)) / (after - before)
        return slope

    @cached_property
    def closed(self) -> bool:
        """Whether it ends where it begins (within 1 cm), heading the same way (within 20 degrees)."""
        return is_closed(self)

    # -- to it --------------------------------------------------------------------------------------------------------

    @cached_property
    def _segments(self) -> search.Segments:
        return search.Segments(self.points, self.lengths)

    def nearest(self, points: ArrayLike) -> tuple[Array, Array]:
        """Distance ``(...)`` of points ``(..., 2)`` from the path, and the arc length ``(...)`` at which it is nearest.

        Every segment counts exactly. If several places are equally near (to rounding), it is the first along the path.
        """
        points = search.checked(points)
        distance, s = search.nearest(self._segments, points.reshape(-1, 2))
        return distance.reshape(points.shape[:-1]), s.reshape(points.shape[:-1])

    def track(
        self, points: ArrayLike, start: float = 0.0, *, ahead: float = search.AHEAD, behind: float = search.BEHIND
    ) -> tuple[Array, Array]:
        """Follow a walker at ``points (F, 2)`` along the path: its distance ``(F,)`` and progress s ``(F,)``, which never falls.

        Of all ways along the path that never turn back, it is the one that the walker is nearest to all in all: so a path that crosses
        or retraces itself is not left for its other pass, and a walker who cuts a corner is taken across it. It begins from ``behind``
        metres before to ``ahead`` metres after ``start``. Distance is to the nearest place within some 30 cm of the walker's own.
        """
        points = search.checked(points)
        if points.ndim != 2:
            raise MotionError(f"a walker's track must be (F, 2), got {points.shape}")
        return search.track(self._segments, points, start, ahead, behind)

    # -- other paths made from it ---------------------------------------------------------------------------------------

    def resampled(self, step: float) -> Path:
        """The path through points evenly spaced along it, about ``step`` metres apart, ends included. This cuts corners."""
        s = np.linspace(0.0, self.length, pieces(self.length, step) + 1)
        return Path(self.at(s), None if self.heights is None else self.height(s))

    def smoothed(self, sigma: float) -> Path:
        """The path, with its heights, smoothed by a Gaussian of ``sigma`` metres along it. Ends and straight lines stay where they are."""
        if not 0 <= sigma < np.inf:
            raise MotionError(f"a path is smoothed over a length of 0 or more metres, got {sigma:g}")
        if sigma == 0:
            return self
        count = pieces(self.length, min(_SMOOTHING_STEP, sigma / 5))
        s = np.linspace(0.0, self.length, count + 1)
        samples = sigma / (self.length / count)
        heights = None if self.heights is None else smoothed(self.height(s), samples)
        return Path(smoothed(self.at(s), samples), heights)

    def offset(self, distance: float) -> Path:
        """The path ``distance`` metres to its left (if negative, to its right), with its heights.

        On the outside of a corner it goes round. On the inside of a bend tighter than the distance, it is cut off where its two sides meet,
        to a centimetre. If the two legs of a hairpin are nearer to each other than twice the distance, only three distances of their length
        are cut off.
        """
        return parallel(self, distance)

    def place(self, transform: FloorTransform) -> Path:
        """Moved as a whole along the floor; heights stay."""
        flat = np.stack([self.points[:, 0], np.zeros(len(self)), self.points[:, 1]], axis=-1)
        return Path(transform.apply(flat)[:, [0, 2]], self.heights)

    def reversed(self) -> Path:
        """The same curve from its end to its beginning."""
        return Path(self.points[::-1], None if self.heights is None else self.heights[::-1])


def parallel(curve: Curve, distance: float) -> Path:
    """The path beside a curve, with its heights; see `Path.offset`."""
    if not (np.isfinite(distance) and abs(distance) <= LONGEST):
        raise MotionError(f"a path is offset by a number of metres, got {distance:g}")
    s = np.linspace(0.0, curve.length, pieces(curve.length, min(step_for(distance), curve.length)) + 1)
    headings = curve.heading(s)
    places, index = beside(curve.at(s), headings, float(distance))
    heights = curve.height(s)
    return Path(places, np.interp(index, np.arange(len(s)), heights) if heights.any() else None)


def _distinct(points: Array) -> NDArray[np.bool_]:
    """Which ``(N,)`` of ``points (N, 2)`` do not repeat the one before."""
    moved = np.hypot(*np.diff(points, axis=0).T) > SAME_POINT
    keep: NDArray[np.bool_] = np.concatenate([[True], moved])
    return keep


def _checked_heights(heights: ArrayLike, points: Array) -> Array:
    """``heights (N,)`` of ``points (N, 2)``, or a refusal."""
    try:
        values = np.asarray(heights, dtype=np.float64)
    except (TypeError, ValueError):
        raise MotionError("the heights of a path must be numbers") from None
    if values.shape != (len(points),):
        raise MotionError(f"a path of {len(points)} points has as many heights; got {values.shape}")
    if not np.isfinite(values).all():
        raise MotionError(f"the height of point {int(np.flatnonzero(~np.isfinite(values))[0]) + 1} is not finite")
    if np.abs(values).max() > LONGEST:
        raise MotionError(f"a point of the path lies higher than {LONGEST / 1000:g} km: heights are in metres")
    # against the last place that moved, so that many small steps up do not pass
    stands = ~_distinct(points)
    base = values[np.maximum.accumulate(np.where(stands, 0, np.arange(len(points))))]
    rises = np.flatnonzero(np.abs(values - base) > SAME_POINT)
    if len(rises):
        place = int(rises[0])
        raise MotionError(
            f"the path rises straight up at point {place + 1}: it stands where the one before does, "
            f"{abs(values[place] - base[place]):.4g} m higher or lower. Move it along the floor"
        )
    return values


def pieces(length: float, step: float) -> int:
    """How many even pieces of about ``step`` metres make ``length``."""
    if not (np.isfinite(step) and step > 0):
        raise MotionError(f"a path is resampled by a step above 0 metres, got {step:g}")
    if length / step > _MOST_POINTS - 1:
        raise MotionError(
            f"a step of {step:g} m would make more than {_MOST_POINTS:,} points of this path of {length:.4g} m"
        )
    return max(1, round(length / step))

"""The nearest place on a polyline or a curve: among all places, or following a walker along the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinegraph.arrays import Array
from kinegraph.errors import MotionError

# Metres ahead of a walker's last place in which its next is sought: more than the corner a walker cuts, less than the way round a loop
# worth walking. And metres behind it: the sway of a pelvis.
AHEAD = 0.6
BEHIND = 0.1

# A walker's place is first told among places so many metres apart, at so many moments; and at most so many of either.
_APART, _PLACES, _MOMENTS = 0.03, 4000, 3000
# Metres along the path for a metre of the walker's way, and metres a frame besides: who cuts a corner gets on faster.
_FASTER, _CREEP = 2.0, 0.01
# Metres along the path about that place within which the walker's exact place is looked for.
_NEAR = 0.3

# Up to this many segments, all of them are looked at for every point.
_FEW = 64
# Segments that the tree offers for a point before it is looked at by hand.
_OFFERED = 12
# Pairs of a point and a segment that are worked on at a time: some tens of megabytes.
_CHUNK = 1 << 19

# Steps that Newton takes at most to the nearest place of a curve, held to a bracket that shrinks: a bisection leaves nothing of a double's
# precision after as many.
_MOST_STEPS = 60


@dataclass(frozen=True, eq=False)
class Segments:
    """The pieces of a polyline through ``points (N, 2)`` with the arc lengths ``lengths (N,)``."""

    points: Array
    lengths: Array

    @cached_property
    def vectors(self) -> Array:
        """``(N − 1, 2)``: from each point to the next."""
        return np.diff(self.points, axis=0)

    @cached_property
    def steps(self) -> Array:
        """``(N − 1,)``: how long each segment is."""
        return np.diff(self.lengths)

    @cached_property
    def directions(self) -> Array:
        """``(N − 1, 2)``: unit vectors along the segments."""
        directions: Array = self.vectors / np.hypot(self.vectors[:, 0], self.vectors[:, 1])[:, None]
        return directions

    @cached_property
    def tree(self) -> Any:
        """A k-d tree of the segments' middles."""
        from scipy.spatial import cKDTree  # here, since importing it takes time

        return cKDTree(self.points[:-1] + self.vectors / 2)


def nearest(path: Segments, points: Array) -> tuple[Array, Array]:
    """Distance ``(P,)`` of ``points (P, 2)`` from the polyline, and the arc length ``(P,)`` where it is nearest; exact."""
    count = len(path.steps)
    if count <= _FEW:
        return _among_all(path, points)
    far, offered = path.tree.query(points, k=_OFFERED)
    # in order along the path, so that the first of equals is found
    distance, s = _among(path, points, np.sort(offered, axis=1))
    # a segment not offered has its middle further away than all that were, so it comes no nearer than half its length less
    unsure = distance > far[:, -1] - path.steps.max() / 2
    if unsure.any():
        distance[unsure], s[unsure] = _among_all(path, points[unsure])
    return distance, s


def _among_all(path: Segments, points: Array) -> tuple[Array, Array]:
    """`nearest` by looking at every segment, some points at a time."""
    count = len(path.steps)
    every = np.arange(count)[None]
    distance, s = np.empty(len(points)), np.empty(len(points))
    rows = max(1, _CHUNK // count)
    for first in range(0, len(points), rows):
        part = slice(first, first + rows)
        distance[part], s[part] = _among(path, points[part], every)
    return distance, s


def _among(path: Segments, points: Array, segments: NDArray[np.intp]) -> tuple[Array, Array]:
    """`nearest` among ``segments (P, K)`` or ``(1, K)``, numbers of those that are looked at for each point."""
    offset = points[:, None] - path.points[segments]
    along = np.clip(
        np.einsum("pki,pki->pk", offset, np.broadcast_to(path.directions[segments], offset.shape)),
        0.0,
        path.steps[segments],
    )
    away = offset - along[..., None] * path.directions[segments]
    squares = np.einsum("pki,pki->pk", away, away)
    best = squares.argmin(axis=1)
    row = np.arange(len(points))
    chosen = np.broadcast_to(segments, squares.shape)[row, best]
    return np.sqrt(squares[row, best]), path.lengths[chosen] + along[row, best]


def track(path: Segments, points: Array, start: float, ahead: float, behind: float) -> tuple[Array, Array]:
    """Distance ``(F,)`` and progress ``(F,)`` of a walker at ``points (F, 2)``; see `Path.track`."""
    from kinegraph.paths import compiled  # here, since importing it takes time

    if not len(points):
        return np.empty(0), np.empty(0)
    whole = float(path.lengths[-1])
    here = min(max(float(start), 0.0), whole)
    # a long walk is looked at now and then, a long path at places further apart
    every = max(1, -(-len(points) // _MOMENTS))
    count = max(2, min(_PLACES, int(np.ceil(whole / _APART)) + 1))
    apart = whole / (count - 1)
    places = np.linspace(0.0, whole, count)
    on = np.stack([np.interp(places, path.lengths, path.points[:, axis]) for axis in (0, 1)], axis=-1)
    some = np.unique(np.append(np.arange(0, len(points), every), len(points) - 1))
    strides = np.concatenate([[0.0], np.hypot(*np.diff(points, axis=0).T)])
    gone = np.diff(np.cumsum(strides)[some], prepend=0.0)
    advance = np.ceil((_FASTER * gone + _CREEP * np.diff(some, prepend=0)) / apart).astype(np.int64)
    first, last = (round(min(max(place, 0.0), whole) / apart) for place in (here - behind, here + ahead))
    found = compiled.passes(on, np.array(points[some]), advance, first, last)
    about = np.interp(np.arange(len(points)), some, places[found])
    # of one kind each, lest it be compiled again for arrays that are not to be written to
    segments = np.array(path.points), np.array(path.directions), np.array(path.steps), np.array(path.lengths)
    distance, s = np.empty(len(points)), np.empty(len(points))
    near = max(_NEAR, behind, 1.5 * apart)
    lows, highs = np.maximum(about - near, 0.0), np.minimum(about + near, whole)
    compiled.track(*segments, np.array(points), lows, highs, distance, s)
    return distance, np.maximum(np.maximum.accumulate(s), here)


def nearest_on(
    derivative: Callable[[Array, int], Array], grid: Array, lengths: Array, points: Array
) -> tuple[Array, Array]:
    """Distance ``(P,)`` of ``points (P, 2)`` from a curve, and its parameter ``(P,)`` where it is nearest.

    ``derivative`` takes parameters ``(Q,)`` and an order, from 0 on, and gives the curve's derivatives ``(Q, 2)``. ``grid (G,)`` are
    increasing parameters from end to end, at arc lengths ``lengths (G,)``; between two of them the curve hardly bends, and every corner is
    one of them. From those that may be nearest, Newton's method finds the exact place.
    """
    distance, t = np.empty(len(points)), np.empty(len(points))
    samples = derivative(grid, 0)
    # which way it goes on from each sample, and which way it comes: at a corner they differ
    onward, inward = derivative(grid[:-1], 1), derivative(np.nextafter(grid[1:], grid[:-1]), 1)
    rows = max(1, _CHUNK // len(grid))
    for first in range(0, len(points), rows):
        part = slice(first, first + rows)
        wanted = points[part]
        away = np.sqrt((wanted[:, :1] - samples[:, 0]) ** 2 + (wanted[:, 1:] - samples[:, 1]) ** 2)
        nearest = away.argmin(axis=1)
        least = away[np.arange(len(wanted)), nearest]
        # between two samples the curve comes no nearer than this, and only where the distance first falls and then rises has it a hollow
        may = (away[:, 1:] + away[:, :-1] - np.diff(lengths)) / 2 <= least[:, None]
        may &= np.einsum("gi,gi->g", samples[:-1], onward) - wanted @ onward.T <= 0
        may &= np.einsum("gi,gi->g", samples[1:], inward) - wanted @ inward.T >= 0
        row, cell = np.nonzero(may)
        hollows = _descended(derivative, wanted[row], grid[cell], grid[cell + 1])
        found = np.hypot(*(derivative(hollows, 0) - wanted[row]).T)
        distance[part], t[part] = _first_of_each(
            np.append(row, np.arange(len(wanted))), np.append(found, least), np.append(hollows, grid[nearest])
        )
    return distance, t


def _first_of_each(row: NDArray[np.intp], distance: Array, t: Array) -> tuple[Array, Array]:
    """The least of the ``distance (N,)`` of each ``row (N,)`` from 0, and its ``t (N,)``; of equals that of the least t."""
    order = np.lexsort((t, distance, row))
    best = order[np.unique(row[order], return_index=True)[1]]
    return distance[best], t[best]


def _descended(derivative: Callable[[Array, int], Array], points: Array, low: Array, high: Array) -> Array:
    """Parameters ``(P,)`` between ``low (P,)`` and ``high (P,)`` at which the distance from ``points (P, 2)`` is least."""
    t = (low + high) / 2
    # the distance is level there: it is exact long before the parameter is
    fine = 1e-15 * np.abs(high) + 1e-12 * (high - low)
    rows = np.arange(len(t))
    for done in range(_MOST_STEPS):
        here = t[rows]
        away, velocity = derivative(here, 0) - points[rows], derivative(here, 1)
        rising = np.einsum("pi,pi->p", away, velocity)
        bending = np.einsum("pi,pi->p", velocity, velocity) + np.einsum("pi,pi->p", away, derivative(here, 2))
        low[rows] = np.where(rising <= 0, here, low[rows])
        high[rows] = np.where(rising >= 0, here, high[rows])
        step = np.divide(rising, bending, out=np.full_like(rising, np.inf), where=bending > np.abs(rising) * 1e-9)
        newton = here - step
        inside = (newton >= low[rows]) & (newton <= high[rows])
        # beyond the end it points to at first, that end is most likely the place
        instead = (low[rows] + high[rows]) / 2 if done else np.where(rising < 0, high[rows], low[rows])
        t[rows] = np.where(inside, newton, instead)
        rows = rows[np.abs(t[rows] - here) > fine[rows]]
        if len(rows) == 0:
            break
    return t


def checked(points: ArrayLike) -> Array:
    """Points ``(..., 2)`` on the floor, checked; an error if they are none."""
    points = np.asarray(points, dtype=np.float64)
    if points.ndim == 0 or points.shape[-1] != 2:
        raise MotionError(f"points on the floor must be (..., 2), got {points.shape}")
    if not np.isfinite(points).all():
        raise MotionError("a point on the floor is not finite")
    return points

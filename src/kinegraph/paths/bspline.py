"""`Spline`: a B-spline over the floor with any number of control points and any degree, by arc length. A frozen value over arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array, frozen_array
from kinegraph.errors import MotionError
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths import knots as knot_rules
from kinegraph.paths import search
from kinegraph.paths.arclength import ArcLength
from kinegraph.paths.curve import is_closed
from kinegraph.paths.path import FARTHEST, LONGEST, SAME_POINT, Path, parallel, pieces

# Below this share of the mean speed the curve stands still at a parameter (a cusp) and has no direction there: that of a place this
# share of its length further on is taken.
_STANDS = 1e-7
_HAIR = 1e-6
# Radians per metre: a radius of a tenth of a millimetre. A cusp has no curvature, and is given this one at most.
_SHARPEST = 1e4
# Rise by metre on the floor, of 80 degrees: what is steeper counts as vertical.
_STEEPEST = float(np.tan(np.radians(80.0)))
# Places looked at in every piece of the table of arc lengths: for the steepest, and for where to begin the search for the nearest.
_LOOKED_AT = 10
# Places by control point through which a curve is fitted.
_FITTED = 16


@dataclass(frozen=True, eq=False)
class Spline:
    """A B-spline over the floor. It begins at the first control and ends at the last.

    The parameter t runs from the first knot to the last. ``degree + 1`` controls at one place, or ``degree`` knots at one parameter, make
    a corner.

    >>> arch = Spline([[0, 0], [0, 2], [2, 2], [2, 0]])
    >>> arch.at([0.0, 2.0, 99.0]).round(3).tolist()
    [[0.0, 0.0], [1.0, 1.5], [2.0, 0.0]]
    >>> round(arch.length, 9)
    4.0
    """

    controls: Array
    """``(N, 2)``: (x, z) in metres; or ``(N, 3)``: (x, y, z) with a height y."""
    degree: int = 3
    knots: Array = None  # type: ignore[assignment]  # None: clamped and uniform; filled in below
    """``(N + degree + 1,)``: clamped and uniform by default."""
    name: str = ""
    """What people call it: the file that it was read from."""

    def __post_init__(self) -> None:
        degree = self.degree
        if isinstance(degree, bool) or not isinstance(degree, int | np.integer) or degree < 1:
            raise MotionError(f"the degree of a spline must be a whole number of at least 1, got {degree!r}")
        controls = _checked_controls(self.controls)
        count = len(controls)
        if count <= degree:
            lower = f", or lower the degree to {count - 1}" if count > 1 else ""
            raise MotionError(
                f"a spline of degree {degree} needs at least {degree + 1} control points, got {count}: "
                f"add {degree + 1 - count}{lower}"
            )
        reach = float(np.hypot(*np.diff(controls[:, [0, -1]], axis=0).T).sum())
        if reach <= SAME_POINT:
            up = controls.shape[1] == 3 and np.ptp(controls[:, 1]) > 0
            what = "it rises straight up, and nobody walks there" if up else "all its control points are the same"
            raise MotionError(f"the spline has no length on the floor: {what}")
        if reach > LONGEST * (1 + 1e-9):
            raise MotionError(
                f"from control to control the spline goes {reach / 1000:,.2f} km, and at most {LONGEST / 1000:g} km are taken: "
                "it is in metres"
            )
        knots = (
            knot_rules.uniform(count, degree) if self.knots is None else knot_rules.checked(self.knots, count, degree)
        )
        object.__setattr__(self, "degree", int(degree))
        object.__setattr__(self, "controls", frozen_array(controls))
        object.__setattr__(self, "knots", frozen_array(knots))
        if self.has_heights:
            self._refuse_vertical()

    def __reduce__(self) -> tuple[Any, ...]:
        # pickled by its controls, without what was computed from them
        return Spline, (self.controls, self.degree, self.knots, self.name)

    def __len__(self) -> int:
        return len(self.controls)

    def __repr__(self) -> str:
        return f"Spline({self.length:.4g} m, {len(self)} controls, degree {self.degree})"

    # -- made from points ---------------------------------------------------------------------------------------------------

    @classmethod
    def through(cls, points: ArrayLike, degree: int = 3) -> Spline:
        """The spline of that degree that passes through ``points (N, 2)`` or ``(N, 3)`` in turn; repeated points count once.

        From each point to the next, the parameter grows by the square root of the distance (Lee 1989): so unevenly spaced points do not
        make loops.
        """
        given = _checked_controls(points)
        moved = np.hypot(*np.diff(given[:, [0, -1]], axis=0).T)
        places = given[np.concatenate([[True], moved > SAME_POINT])]
        if len(places) <= degree:
            return cls(places, degree)  # which refuses them, and says why
        from scipy.interpolate import make_interp_spline

        t = np.concatenate([[0.0], np.cumsum(np.sqrt(moved[moved > SAME_POINT]))])
        found = make_interp_spline(t, places, k=degree)
        # the end places are the first and last controls, to the last bit
        controls = np.concatenate([places[:1], found.c[1:-1], places[-1:]])
        return cls(controls, degree, found.t)

    @classmethod
    def fitted(cls, points: ArrayLike, controls: int, degree: int = 3) -> Spline:
        """The spline with so many controls that is nearest to the polyline ``points (N, 2)`` or ``(N, 3)``; its ends are exact.

        Least squares over evenly spaced places along the polyline, so that the spline's speed is nearly even too.
        """
        if controls <= degree:
            raise MotionError(
                f"a spline of degree {degree} needs at least {degree + 1} control points: it cannot be fitted with {controls}"
            )
        given = _checked_controls(points)
        line = Path(given[:, [0, -1]], given[:, 1] if given.shape[1] == 3 else None)
        s = np.linspace(0.0, line.length, _FITTED * controls + 1)
        wanted = _lifted(line.at(s), line.height(s) if given.shape[1] == 3 else None)
        from scipy.interpolate import BSpline

        knots = knot_rules.uniform(controls, degree)
        t = np.linspace(0.0, knots[-1], len(s))
        basis = BSpline.design_matrix(t, knots, degree).toarray()
        rest = wanted - basis[:, :1] * wanted[0] - basis[:, -1:] * wanted[-1]
        inner = np.linalg.lstsq(basis[:, 1:-1], rest, rcond=None)[0]
        return cls(np.concatenate([wanted[:1], inner, wanted[-1:]]), degree, knots)

    # -- by its parameter ---------------------------------------------------------------------------------------------------

    @property
    def has_heights(self) -> bool:
        """Whether its controls have heights."""
        return bool(self.controls.shape[1] == 3)

    @cached_property
    def _bspline(self) -> Any:
        from scipy.interpolate import BSpline  # here, since importing it takes time

        # x and z first, then the height where there is one
        columns = [0, 2, 1] if self.has_heights else [0, 1]
        return BSpline.construct_fast(self.knots, np.ascontiguousarray(self.controls[:, columns]), self.degree)

    def _evaluated(self, t: ArrayLike, order: int = 0) -> Array:
        """Derivatives ``(..., 2 or 3)`` of x, z and the height at parameters ``t (...)``."""
        values: Array = self._bspline(np.clip(np.asarray(t, dtype=np.float64), self.knots[0], self.knots[-1]), order)
        return values

    def point(self, t: ArrayLike) -> Array:
        """Points ``(..., 2)`` on the floor at parameters ``t (...)``; constant beyond the ends."""
        return self._evaluated(t)[..., :2]

    def derivative(self, t: ArrayLike, order: int = 1) -> Array:
        """Derivatives ``(..., 2)`` of x and z by the parameter, at ``t (...)``; constant beyond the ends."""
        return self._evaluated(t, order)[..., :2]

    @cached_property
    def _table(self) -> ArcLength:
        return ArcLength(self.derivative, self.knots)

    def lengths(self, t: ArrayLike) -> Array:
        """Arc length ``(...)`` in metres along the floor at parameters ``t (...)``, accurate to 1e-9 of the whole length."""
        return self._table.at(t)

    def parameter(self, s: ArrayLike) -> Array:
        """Parameters ``(...)`` at arc lengths ``s (...)``; constant beyond the ends."""
        return self._table.inverse(s)

    # -- by its arc length --------------------------------------------------------------------------------------------------

    @property
    def length(self) -> float:
        """Arc length of the whole curve in metres along the floor."""
        return self._table.length

    def at(self, s: ArrayLike) -> Array:
        """Points ``(..., 2)`` at arc lengths ``s (...)``; constant beyond the ends."""
        return self.point(self.parameter(s))

    def tangent(self, s: ArrayLike) -> Array:
        """Unit vectors ``(..., 2)`` along the curve at arc lengths ``s (...)``; constant beyond the ends. At a cusp, the way onward."""
        velocity = self.derivative(self._moving(s))
        unit: Array = velocity / np.hypot(velocity[..., 0], velocity[..., 1])[..., None]
        return unit

    def heading(self, s: ArrayLike) -> Array:
        """Angle ``(...)`` of the tangent in radians, within ±π: 0 is +Z, positive towards +X."""
        velocity = self.derivative(self._moving(s))
        heading: Array = np.arctan2(velocity[..., 0], velocity[..., 1])
        return heading

    def curvature(self, s: ArrayLike) -> Array:
        """Radians per metre ``(...)`` by which the heading changes: positive turns left, towards +X.

        It is limited to ±10,000, so that it is finite at a cusp. A corner is a jump of the heading and does not show here; the polyline
        of `path` spreads it out.
        """
        t = self._moving(s)
        velocity, change = self.derivative(t), self.derivative(t, 2)
        turning = change[..., 0] * velocity[..., 1] - velocity[..., 0] * change[..., 1]
        curvature: Array = turning / np.hypot(velocity[..., 0], velocity[..., 1]) ** 3
        return np.clip(curvature, -_SHARPEST, _SHARPEST)

    def height(self, s: ArrayLike) -> Array:
        """Altitude ``(...)`` in metres at arc lengths ``s (...)``: 0 without heights; constant beyond the ends."""
        if not self.has_heights:
            return np.zeros(np.shape(s))
        return self._evaluated(self.parameter(s))[..., 2]

    def slope(self, s: ArrayLike) -> Array:
        """Rise ``(...)`` in metres per metre along the floor, at arc lengths ``s (...)``."""
        if not self.has_heights:
            return np.zeros(np.shape(s))
        velocity = self._evaluated(self._moving(s), 1)
        slope: Array = velocity[..., 2] / np.hypot(velocity[..., 0], velocity[..., 1])
        return slope

    @cached_property
    def steepest(self) -> float:
        """The largest slope up or down, in metres per metre along the floor."""
        return float(self._slopes()[1].max()) if self.has_heights else 0.0

    @cached_property
    def closed(self) -> bool:
        """Whether it ends where it begins (within 1 cm), heading the same way (within 20 degrees)."""
        return is_closed(self)

    def nearest(self, points: ArrayLike) -> tuple[Array, Array]:
        """Distance ``(...)`` of points ``(..., 2)`` from the curve, and the arc length ``(...)`` at which it is nearest."""
        points = search.checked(points)
        distance, t = search.nearest_on(self.derivative, self._grid, self.lengths(self._grid), points.reshape(-1, 2))
        return distance.reshape(points.shape[:-1]), self.lengths(t).reshape(points.shape[:-1])

    def path(self, step: float = 0.01) -> Path:
        """The polyline through points of the curve about ``step`` metres apart, ends included."""
        s = np.linspace(0.0, self.length, pieces(self.length, step) + 1)
        return Path(self.at(s), self.height(s) if self.has_heights else None)

    def offset(self, distance: float) -> Path:
        """The curve ``distance`` metres to its left (if negative, to its right), with its heights; see `Path.offset`."""
        return parallel(self, distance)

    # -- editing: each gives another spline -----------------------------------------------------------------------------------

    def moved(self, index: int, point: ArrayLike) -> Spline:
        """The spline with control ``index`` moved to ``point``, (x, z) or (x, y, z); without y it keeps its height. The knots stay."""
        controls = self.controls.copy()
        controls[self._index(index)] = self._control(point, controls[self._index(index)])
        return Spline(controls, self.degree, self.knots)

    def inserted(self, index: int, point: ArrayLike) -> Spline:
        """The spline with a new control at ``point`` before control ``index`` (or at the end). The knots become uniform."""
        place = self._index(index, len(self) + 1)
        # a point without a height takes that between its neighbours
        between = self.controls[[max(place - 1, 0), min(place, len(self) - 1)]].mean(axis=0)
        return Spline(np.insert(self.controls, place, self._control(point, between), axis=0), self.degree)

    def deleted(self, index: int) -> Spline:
        """The spline without control ``index``. The knots become uniform."""
        return Spline(np.delete(self.controls, self._index(index), axis=0), self.degree)

    def refined(self, t: float) -> Spline:
        """The same curve with one more control to drag, by a knot inserted at parameter ``t`` (Boehm 1980)."""
        knots, matrix = knot_rules.insertion(self.knots, self.degree, float(t))
        return Spline(matrix @ self.controls, self.degree, knots)

    def with_degree(self, degree: int) -> Spline:
        """The spline of another degree with the same controls. The knots become uniform."""
        return Spline(self.controls, degree)

    def place(self, transform: FloorTransform) -> Spline:
        """Moved as a whole along the floor; heights stay."""
        flat = np.insert(self.controls, 1, 0.0, axis=1) if not self.has_heights else self.controls
        placed = transform.apply(flat)
        return Spline(placed if self.has_heights else placed[:, [0, 2]], self.degree, self.knots)

    def reversed(self) -> Spline:
        """The same curve from its end to its beginning."""
        return Spline(self.controls[::-1], self.degree, self.knots[0] + self.knots[-1] - self.knots[::-1])

    # -- inside -------------------------------------------------------------------------------------------------------------

    def _moving(self, s: ArrayLike) -> Array:
        """Parameters ``(...)`` at arc lengths ``s (...)``, and just past them (at the end, before) where the curve stands still."""
        s = np.clip(np.asarray(s, dtype=np.float64), 0.0, self.length)
        t = self.parameter(s)
        speed = np.hypot(*np.moveaxis(self.derivative(t), -1, 0))
        stands = speed <= _STANDS * self.length / (self.knots[-1] - self.knots[0])
        if np.any(stands):
            hair = _HAIR * self.length
            t = np.where(stands, self.parameter(np.where(s + hair <= self.length, s + hair, s - hair)), t)
        return t

    @cached_property
    def _grid(self) -> Array:
        """Parameters ``(G,)`` from end to end, close together where the curve's speed changes quickly."""
        breaks = self._table.breaks
        within = np.arange(_LOOKED_AT) / _LOOKED_AT
        return np.append((breaks[:-1, None] + np.diff(breaks)[:, None] * within).ravel(), breaks[-1])

    def _slopes(self) -> tuple[Array, Array]:
        """Parameters ``(G,)`` all over the curve and how steep ``(G,)`` it is there; infinite where it rises straight up."""
        # between the places of the grid too: those at knots do not see what lies before the knot
        t = np.concatenate([self._grid, (self._grid[1:] + self._grid[:-1]) / 2])
        x, z, y = np.moveaxis(self._evaluated(t, 1), -1, 0)
        floor, rise = np.hypot(x, z), np.abs(y)
        # where it stands still altogether there is no slope
        goes = np.hypot(floor, rise) > _STANDS * max(float(floor.mean()), float(rise.mean()))
        steep = np.divide(rise, floor, out=np.full_like(rise, np.inf), where=floor > rise * 1e-9)
        return t, np.where(goes, steep, 0.0)

    def _refuse_vertical(self) -> None:
        """Refuse a curve that goes up or down where it hardly moves on the floor."""
        t, steep = self._slopes()
        worst = int(steep.argmax())
        if steep[worst] <= _STEEPEST:
            return
        last = min(int(np.searchsorted(self.knots, t[worst], side="right")), len(self))
        angle = np.degrees(np.arctan(steep[worst]))
        raise MotionError(
            f"the spline is {angle:.0f} degrees steep between its control points {last - self.degree} and {last}, and at most 80 are "
            "taken: move them apart on the floor, or bring their heights together"
        )

    def _index(self, index: int, count: int | None = None) -> int:
        """``index`` from 0, or a refusal; a negative one counts from the end."""
        count = len(self) if count is None else count
        if not -count <= index < count:
            raise MotionError(f"the spline has {len(self)} control points, from 0: there is none of number {index}")
        return index % count

    def _control(self, point: ArrayLike, like: Array) -> Array:
        """``point`` as a control; without a height it has that of ``like``."""
        point = np.asarray(point, dtype=np.float64)
        if point.shape == (2,) and self.has_heights:
            return np.array([point[0], like[1], point[1]])
        if point.shape != like.shape:
            raise MotionError(f"a control point of this spline has {like.size} numbers, got {point.tolist()}")
        return point


def _lifted(floor: Array, heights: Array | None) -> Array:
    """Floor points ``(N, 2)`` with their heights ``(N,)`` between x and z, where there are any."""
    return floor if heights is None else np.insert(floor, 1, heights, axis=1)


def _checked_controls(controls: ArrayLike) -> Array:
    """Controls ``(N, 2)`` or ``(N, 3)``, or a refusal."""
    try:
        values = np.asarray(controls, dtype=np.float64)
    except (TypeError, ValueError):
        raise MotionError("the control points of a spline must be numbers: x, z or x, y, z") from None
    if values.ndim != 2 or values.shape[1] not in (2, 3):
        raise MotionError(
            f"the control points of a spline must be (N, 2) or (N, 3): x, z or x, y, z; got {values.shape}"
        )
    if not np.isfinite(values).all():
        place = int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0])
        raise MotionError(f"control point {place + 1} of the spline is not finite: {values[place].tolist()}")
    if values.size and np.abs(values).max() > FARTHEST:
        raise MotionError(f"a control point of the spline lies beyond {FARTHEST / 1000:,.0f} km: splines are in metres")
    return values

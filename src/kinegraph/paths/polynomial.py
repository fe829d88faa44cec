"""Least-squares polynomials over time, and the curves on the floor that they draw: the path of a motion as in the paper.

The fit uses Legendre polynomials on ±1, which are nearly orthogonal over evenly spaced frames. So its equations are well conditioned even
at degree 45, while powers of t lose every digit at degree 20.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import ArrayLike

from kinegraph.arrays import Array, frozen_array
from kinegraph.errors import MotionError
from kinegraph.paths.arclength import ArcLength

HIGHEST = 45
"""The highest degree that is allowed."""

# Degrees up to this times the root of the number of samples are taken: there the fit strayed by 2 cm at most between the frames of captured
# walks and runs of 17 to 1,317 frames; at 4 times the root by 25 cm, at 6 by kilometres (Runge's phenomenon).
_STEADY = 3.0

# Share of the mean speed below which the curve turns on the spot and has no curvature to speak of.
_STILL = 1e-6


def highest_degree(samples: int) -> int:
    """The highest degree that so many evenly spaced samples support: beyond it, the curve would swing out between them.

    >>> highest_degree(1000), highest_degree(100), highest_degree(4)
    (45, 30, 3)
    """
    return max(min(HIGHEST, samples - 1, int(_STEADY * samples**0.5)), 0)


@dataclass(frozen=True, eq=False)
class Polynomial:
    """A polynomial in D dimensions. Beyond its span it is constant, because there a polynomial runs away."""

    series: Array
    """``(N + 1, D)``: coefficients of Legendre polynomials, whose −1 and 1 are the ends of the span."""
    span: tuple[float, float] = (0.0, 1.0)
    """From, to."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "series", frozen_array(self.series))

    @classmethod
    def fitted(cls, values: ArrayLike, degree: int, span: tuple[float, float] = (0.0, 1.0)) -> Polynomial:
        """The polynomial of that degree nearest to ``values (F, D)``, which are evenly spaced over ``span``, by least squares.

        A degree above 45, or above what so few values support (`highest_degree`), is a `MotionError`.

        >>> line = Polynomial.fitted([[0.0], [1.0], [2.0], [3.0]], 1, (0.0, 3.0))
        >>> line.at(1.5).round(12).tolist(), line.derivative(0.0).round(12).tolist()
        ([1.5], [1.0])
        """
        values = np.asarray(values, dtype=np.float64)
        if values.ndim != 2 or not np.isfinite(values).all():
            raise MotionError(f"a polynomial is fitted to finite values (F, D), got {values.shape}")
        _check(degree, len(values))
        matrix = legendre.legvander(np.linspace(-1.0, 1.0, len(values)), degree)
        # about the middle, so that rounding does not grow with the distance from the origin
        middle = values.mean(axis=0)
        series = np.linalg.lstsq(matrix, values - middle, rcond=None)[0]
        series[0] += middle
        return cls(series, span)

    @property
    def degree(self) -> int:
        """The highest power."""
        return len(self.series) - 1

    def at(self, t: ArrayLike) -> Array:
        """Values ``(..., D)`` at ``t (...)``."""
        return self.derivative(t, 0)

    def derivative(self, t: ArrayLike, order: int = 1) -> Array:
        """Derivatives ``(..., D)`` by t, of that order, at ``t (...)``."""
        first, last = self.span
        u = np.clip((2 * np.asarray(t, dtype=np.float64) - first - last) / (last - first), -1.0, 1.0)
        values = legendre.legval(u, self._derived(order))
        return np.moveaxis(np.asarray(values, dtype=np.float64), 0, -1)

    def _derived(self, order: int) -> Array:
        first, last = self.span
        return np.asarray(legendre.legder(self.series, order, scl=2 / (last - first)), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class PolynomialCurve:
    """The curve on the floor that a ``polynomial`` of x and z draws, by its arc length: a `kinegraph.paths.curve.Curve`."""

    polynomial: Polynomial

    @cached_property
    def _arc(self) -> ArcLength:
        first, last = self.polynomial.span
        # closer together towards the ends, as the swings of a polynomial are
        turns = np.linspace(0.0, np.pi, self.polynomial.degree + 2)
        return ArcLength(self.polynomial.derivative, first + (last - first) * (1 - np.cos(turns)) / 2)

    @property
    def length(self) -> float:
        """Arc length of the whole curve in metres."""
        return self._arc.length

    def lengths(self, t: ArrayLike) -> Array:
        """Arc length ``(...)`` in metres at ``t (...)``."""
        return self._arc.at(t)

    def parameter(self, s: ArrayLike) -> Array:
        """The t ``(...)`` at arc lengths ``s (...)``; constant beyond the ends."""
        return self._arc.inverse(s)

    def at(self, s: ArrayLike) -> Array:
        """Points ``(..., 2)`` at arc lengths ``s (...)``."""
        return self.polynomial.at(self.parameter(s))

    def heading(self, s: ArrayLike) -> Array:
        """Direction ``(...)`` in radians, within ±π: 0 is +Z, positive towards +X."""
        velocity = self.polynomial.derivative(self.parameter(s))
        heading: Array = np.arctan2(velocity[..., 0], velocity[..., 1])
        return heading

    def curvature(self, s: ArrayLike) -> Array:
        """Radians per metre ``(...)`` by which the heading changes: positive turns left, towards +X; 0 where it turns on the spot."""
        t = self.parameter(s)
        velocity, bend = self.polynomial.derivative(t), self.polynomial.derivative(t, 2)
        speed = np.hypot(velocity[..., 0], velocity[..., 1])
        first, last = self.polynomial.span
        still = speed < _STILL * self.length / (last - first)
        turn = velocity[..., 1] * bend[..., 0] - velocity[..., 0] * bend[..., 1]
        curvature: Array = np.where(still, 0.0, turn / np.where(still, 1.0, speed) ** 3)
        return curvature

    def height(self, s: ArrayLike) -> Array:
        """Zeros ``(...)``: the path of a motion lies on the floor."""
        return np.zeros(np.shape(s))


def _check(degree: int, samples: int) -> None:
    """Refuse a degree that cannot be had, or that so many samples cannot carry."""
    if not 1 <= degree <= HIGHEST:
        raise MotionError(f"the degree of a polynomial is 1 to {HIGHEST}, got {degree}")
    most = highest_degree(samples)
    if degree >= samples:
        raise MotionError(
            f"a polynomial of degree {degree} needs more than {degree} frames, and there are {samples}: choose degree {most} or less"
            if most
            else f"a polynomial needs at least 2 frames, and there is {samples}"
        )
    if degree > most:
        raise MotionError(
            f"a polynomial of degree {degree} would swing out between {samples} frames: choose degree {most} or less, or leave it to the "
            "spline that follows the stride"
        )

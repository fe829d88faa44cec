"""A stiff spline: the curve that is nearest to a track without swaying with it, however the track bends."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.motion import filters
from kinegraph.paths.bspline import Spline

# The share of a sway as long as a stride that is left is 1 / (1 + _DAMPED): 2 %.
_DAMPED = 50.0
# How much stiffer the spline is at its very ends, falling off over a stride: they have nothing beyond to lean against, and would sway.
_ENDS = 10.0
_DEGREE = 5
# Pieces of the spline in a stride, and in the shortest of clips.
_PIECES, _FEWEST = 6, 4
# Share of a frame's weight with which the straight line from frame to frame counts: where frames are few or far apart, nothing else does.
_BETWEEN = 1e-3
# Lengths of the clip: a stiffness beyond this changes nothing more, the path being a line or an arc, but takes digits away.
_STIFFEST = 4.0
# How often the bends found so far are given to the spline as what it need not straighten.
_PASSES = 3
# Radians per metre: nobody's way bends more than with a radius of 20 cm, and the spline takes sharper ones for sway.
_SHARPEST = 5.0
# Metres of curve by metre walked: where there is less the curve turns on the spot, as it does when a walker turns back.
_FOLDED = 0.7
# There it is made to go on at an even pace, as strongly as it is held to the root over this many metres, and to turn over the second many.
_UNFOLDING, _UNFOLDED = 1.0, 0.2
_GAUSS = 3


def stiff_spline(walked: Array, points: Array, weights: Array, wavelength: float) -> Spline:
    """The quintic spline over metres ``walked (F,)`` that is nearest to ``points (F, 2)`` without swaying; ``weights (F,)`` are metres.

    A swing with the given wavelength in metres is damped to 2 %. The spline minimises the sum of squared distances plus a multiple of the
    integral of |S''' + ω² S'|², where ω is the rate at which the curve turns. This integral is zero on straight lines, and on circles once
    ω is known; so ω is 0 in the first pass, and in each further pass what the previous one found. If a walker turns back, the fold becomes
    a narrow bend.
    """
    from scipy.linalg import solveh_banded  # here, since importing it takes time

    length = float(walked[-1])
    wavelength = min(wavelength, _STIFFEST * length)
    breaks = np.linspace(0.0, length, max(_FEWEST, int(np.ceil(_PIECES * length / wavelength))) + 1)
    knots = np.concatenate([np.zeros(_DEGREE), breaks, np.full(_DEGREE, length)])
    count = len(knots) - _DEGREE - 1
    nodes, shares = np.polynomial.legendre.leggauss(_GAUSS)
    half = length / (len(breaks) - 1) / 2
    places = ((breaks[:-1] + half)[:, None] + half * nodes).ravel()
    metres = np.tile(half * shares, len(breaks) - 1)
    # about the first point, so that rounding does not grow with the distance from the origin
    apart = points - points[0]
    between = np.stack([np.interp(places, walked, apart[:, axis]) for axis in (0, 1)], axis=-1)
    basis, first = _basis(np.concatenate([walked, places]), knots, 0)
    weights = np.concatenate([weights, _BETWEEN * metres])
    distances = _products(basis, first, weights, count)
    wanted = _gathered(basis, first, weights[:, None] * np.concatenate([apart, between]), count)
    slope, first = _basis(places, knots, 1)
    bend, jerk = (_basis(places, knots, order)[0] for order in (2, 3))
    end = np.minimum(places, length - places) / wavelength
    stiffness = (wavelength / (2 * np.pi)) ** 6 * _DAMPED * (1 + (_ENDS - 1) * np.clip(1 - end, 0.0, 1.0))
    turning, folded = np.zeros(len(places)), np.zeros(len(places), np.bool_)
    controls = np.zeros((count, 2))
    for number in range(_PASSES):
        sway = _products(jerk + turning**2 * slope, first, metres * stiffness, count)
        controls = solveh_banded(distances + sway, wanted, lower=True)
        velocity, change = (_summed(values, first, controls) for values in (slope, bend))
        if number == 0:
            folded, ahead = _unfolded(velocity, length / len(places))
            if folded.any():
                pull = _UNFOLDING**2 * metres * folded
                distances += _products(slope, first, pull, count)
                wanted += _gathered(slope, first, pull[:, None] * ahead, count)
        turning = np.where(folded, 0.0, _turning(velocity, change))
    return Spline(controls + points[0], _DEGREE, knots)


def _turning(velocity: Array, change: Array) -> Array:
    """Radians per unit of the parameter ``(P,)`` by which a curve turns, of its first and second derivatives ``(P, 2)``."""
    speed = np.maximum(np.hypot(velocity[:, 0], velocity[:, 1]), _FOLDED)
    rate = (velocity[:, 1] * change[:, 0] - velocity[:, 0] * change[:, 1]) / speed**2
    turning: Array = np.clip(rate, -_SHARPEST, _SHARPEST)
    return turning


def _unfolded(velocity: Array, spacing: float) -> tuple[NDArray[np.bool_], Array]:
    """Where ``(P,)`` a curve all but stands, for it turns on the spot, and unit vectors ``(P, 2)`` that turn there over a stretch instead.

    Derivatives ``velocity (P, 2)`` by the metres walked are given, so many metres apart.
    """
    slow = np.hypot(velocity[:, 0], velocity[:, 1]) < _FOLDED
    if not slow.any():
        return slow, np.zeros_like(velocity)
    reach = int(np.ceil(3 * _UNFOLDED / spacing))
    heading = np.unwrap(np.arctan2(velocity[:, 0], velocity[:, 1]))
    heading = filters.smoothed(heading, _UNFOLDED / spacing, reach)
    around = filters.highest(slow.astype(np.float64), reach) > 0
    return around, np.stack([np.sin(heading), np.cos(heading)], axis=-1)


def _basis(t: Array, knots: Array, order: int) -> tuple[Array, NDArray[np.intp]]:
    """The quintic B-splines that are not 0 at ``t (P,)``, or their derivatives: ``(6, P)``, and the index ``(P,)`` of the first of them."""
    above = np.clip(np.searchsorted(knots, t, side="right"), _DEGREE + 1, len(knots) - _DEGREE - 1)
    near = knots[above + np.arange(-_DEGREE, _DEGREE)[:, None]]
    values = np.zeros((_DEGREE + 1, len(t)))
    values[0] = 1.0
    for degree in range(1, _DEGREE + 1):
        raised = np.zeros_like(values)
        for index in range(degree):
            low, high = near[_DEGREE + index - degree], near[_DEGREE + index]
            share = values[index] / (high - low)
            # the recursion of Cox and de Boor; in its last steps that of the derivatives
            if degree <= _DEGREE - order:
                raised[index] += (high - t) * share
                raised[index + 1] += (t - low) * share
            else:
                raised[index] -= degree * share
                raised[index + 1] += degree * share
        values = raised
    return values, above - 1 - _DEGREE


def _products(basis: Array, first: NDArray[np.intp], weights: Array, count: int) -> Array:
    """Weighted sums over all places of the products of B-splines, as the lower bands ``(6, count)`` of a symmetric matrix."""
    bands = np.zeros((len(basis), count))
    for one in range(len(basis)):
        weighted = weights * basis[one]
        for other in range(one, len(basis)):
            bands[other - one] += np.bincount(first + one, weighted * basis[other], count)
    return bands


def _gathered(basis: Array, first: NDArray[np.intp], values: Array, count: int) -> Array:
    """Sums over all places of B-splines times ``values (P, 2)``: ``(count, 2)``."""
    sums = np.zeros((count, 2))
    for index, row in enumerate(basis):
        for axis in (0, 1):
            sums[:, axis] += np.bincount(first + index, row * values[:, axis], count)
    return sums


def _summed(basis: Array, first: NDArray[np.intp], controls: Array) -> Array:
    """The spline of those controls, or its derivative, at all places: ``(P, 2)``."""
    sums: Array = np.einsum("ip,ipa->pa", basis, controls[first + np.arange(len(basis))[:, None]])
    return sums

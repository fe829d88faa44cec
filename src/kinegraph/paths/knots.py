"""Knots of a B-spline: the parameters at which its pieces meet. They are clamped, so the curve begins and ends at its end controls."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array
from kinegraph.errors import MotionError

# Knots may be so large, and so many times the span between their ends, and so small a share of it apart: else parameters lose their
# precision.
_LARGEST = 1e6
_CLOSEST = 1e-9


def uniform(controls: int, degree: int) -> Array:
    """Clamped knots ``(controls + degree + 1,)``, all whole numbers: every piece takes one unit of the parameter."""
    inner = np.arange(controls - degree + 1, dtype=np.float64)
    return np.concatenate([np.zeros(degree), inner, np.full(degree, inner[-1])])


def checked(knots: ArrayLike, controls: int, degree: int) -> Array:
    """``knots (controls + degree + 1,)`` as an array, or an error that says what is wrong with them."""
    try:
        values = np.asarray(knots, dtype=np.float64)
    except (TypeError, ValueError):
        raise MotionError("the knots of a spline must be numbers") from None
    needed = controls + degree + 1
    if values.shape != (needed,):
        raise MotionError(
            f"{controls} control points of degree {degree} take {needed} knots, the first and last {degree + 1} times each; "
            f"got {values.size}"
        )
    if not np.isfinite(values).all():
        raise MotionError(f"knot {int(np.flatnonzero(~np.isfinite(values))[0]) + 1} of the spline is not finite")
    if np.abs(values).max() > _LARGEST:
        raise MotionError(
            f"a knot of the spline lies beyond {_LARGEST:,.0f}: scale them down, which does not change the curve"
        )
    falls = np.flatnonzero(np.diff(values) < 0)
    if len(falls):
        raise MotionError(f"the knots of a spline never fall, but knot {falls[0] + 2} lies before the one ahead of it")
    first, last = values[0], values[-1]
    if values[degree] != first or values[-degree - 1] != last or not first < last:
        raise MotionError(
            f"the first knot and the last must each stand {degree + 1} times, for a spline of degree {degree}"
        )
    inner = values[degree + 1 : -degree - 1]
    found, counts = np.unique(inner, return_counts=True)
    for knot, count in zip(found, counts, strict=True):
        if count > degree or knot in (first, last):
            raise MotionError(
                f"knot {knot:g} stands too often: inside a spline of degree {degree} at most {degree} times"
            )
    gaps, span = np.diff(values), last - first
    if _LARGEST * span < max(np.abs(values).max(), 1.0):
        raise MotionError(
            f"the knots run from {first:g} to {last:g} only: scale them up, which does not change the curve"
        )
    close = np.flatnonzero((gaps > 0) & (gaps < _CLOSEST * span))
    if len(close):
        raise MotionError(
            f"knots {close[0] + 1} and {close[0] + 2} of the spline are almost the same: make them the same, or apart"
        )
    return values


def insertion(knots: Array, degree: int, t: float) -> tuple[Array, Array]:
    """The knots with ``t`` added, and the matrix ``(controls + 1, controls)`` that gives the same curve's new controls from the old ones.

    Boehm, Inserting new knots into B-spline curves, 1980.
    """
    controls = len(knots) - degree - 1
    if not knots[0] < t < knots[-1]:
        raise MotionError(
            f"a knot is inserted between {knots[0]:g} and {knots[-1]:g}, the ends of the spline; got {t:g}"
        )
    if np.count_nonzero(knots == t) >= degree:
        raise MotionError(f"the spline has a corner at {t:g} already: knot {t:g} stands {degree} times there")
    piece = int(np.searchsorted(knots, t, side="right")) - 1
    index = np.arange(controls + 1)
    # of each new control, the share of the old one of the same number; the rest is the old one before it
    share = np.where(index <= piece - degree, 1.0, 0.0)
    mixed = index[piece - degree + 1 : piece + 1]
    share[mixed] = (t - knots[mixed]) / (knots[mixed + degree] - knots[mixed])
    matrix = np.zeros((controls + 1, controls))
    matrix[index[:-1], index[:-1]] = share[:-1]
    matrix[index[1:], index[1:] - 1] += 1.0 - share[1:]
    return np.insert(knots, piece + 1, t), matrix

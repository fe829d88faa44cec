"""Rotations one at a time, compiled: what `motion.rotation` does for arrays, for quaternions (w, x, y, z) and vectors that are tuples."""

from __future__ import annotations

import numpy as np

from kinegraph.compiled import njit

Vector = tuple[float, float, float]
Turn = tuple[float, float, float, float]


@njit(cache=True, nogil=True)
def product(a: Turn, b: Turn) -> Turn:
    """First ``b``, then ``a``."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@njit(cache=True, nogil=True)
def back(a: Turn) -> Turn:
    """The turn that undoes one of unit length."""
    return (a[0], -a[1], -a[2], -a[3])


@njit(cache=True, nogil=True)
def carried(a: Turn, v: Vector) -> Vector:
    """A vector turned."""
    x = 2.0 * (a[2] * v[2] - a[3] * v[1])
    y = 2.0 * (a[3] * v[0] - a[1] * v[2])
    z = 2.0 * (a[1] * v[1] - a[2] * v[0])
    return (
        v[0] + a[0] * x + a[2] * z - a[3] * y,
        v[1] + a[0] * y + a[3] * x - a[1] * z,
        v[2] + a[0] * z + a[1] * y - a[2] * x,
    )


@njit(cache=True, nogil=True)
def about(axis: Vector, angle: float) -> Turn:
    """The turn about an axis of length 1."""
    sine = np.sin(0.5 * angle)
    return (np.cos(0.5 * angle), sine * axis[0], sine * axis[1], sine * axis[2])


@njit(cache=True, nogil=True)
def dot(a: Vector, b: Vector) -> float:
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True, nogil=True)
def across(a: Vector, b: Vector) -> Vector:
    """The cross product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@njit(cache=True, nogil=True)
def added(a: Vector, b: Vector) -> Vector:
    """The sum."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@njit(cache=True, nogil=True)
def less(a: Vector, b: Vector) -> Vector:
    """``a`` without ``b``."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@njit(cache=True, nogil=True)
def aiming(a: Vector, b: Vector) -> Turn:
    """The shortest turn that lays the direction of ``a`` along that of ``b``; none if they are opposite."""
    axis = across(a, b)
    whole = np.sqrt(dot(a, a) * dot(b, b)) + dot(a, b)
    length = np.sqrt(whole * whole + dot(axis, axis))
    if length < 1e-12:
        return (1.0, 0.0, 0.0, 0.0)
    return (whole / length, axis[0] / length, axis[1] / length, axis[2] / length)


@njit(cache=True, nogil=True)
def between(one: Turn, other: Turn, share: float) -> Turn:
    """A turn between two that are not far apart."""
    sign = share
    if one[0] * other[0] + one[1] * other[1] + one[2] * other[2] + one[3] * other[3] < 0.0:
        sign = -share
    w, x = (1.0 - share) * one[0] + sign * other[0], (1.0 - share) * one[1] + sign * other[1]
    y, z = (1.0 - share) * one[2] + sign * other[2], (1.0 - share) * one[3] + sign * other[3]
    size = np.sqrt(w * w + x * x + y * y + z * z)
    return (w / size, x / size, y / size, z / size)

"""Euler angles in any of the twelve orders, to and from quaternions.

An order is three axis letters, read as *intrinsic* rotations: ``"zyx"`` turns about Z, then about the turned Y, then about
the turned X, so its matrix is Rz Ry Rx and a column vector meets X first. That is the order in which a BVH file lists its
channels. Angles are radians, ``(..., 3)`` in the order's own sequence.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array
from kinegraph.errors import MotionError

ORDERS = ("xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz")

# Closer than this (in the sine or cosine of the middle angle) the first and last axes coincide: gimbal lock.
_LOCK = 1e-9


def _axes(order: str) -> tuple[int, int, int, float]:
    """Indices i, j, k of the three distinct axes (the first two of ``order``, then the missing one), and their parity."""
    lowered = order.lower()
    if lowered not in ORDERS:
        raise MotionError(f"unknown Euler order {order!r}: expected one of {', '.join(ORDERS)}")
    i, j = "xyz".index(lowered[0]), "xyz".index(lowered[1])
    k = 3 - i - j
    return i, j, k, 1.0 if (j - i) % 3 == 1 else -1.0


def to_quaternion(angles: ArrayLike, order: str) -> Array:
    """Quaternions ``(..., 4)`` of Euler angles ``(..., 3)`` in radians.

    >>> to_quaternion([0.0, 0.0, np.pi], "zyx").round(6).tolist()
    [0.0, 1.0, 0.0, 0.0]
    """
    half = 0.5 * np.asarray(angles, dtype=np.float64)
    return from_half_angles(*sine_and_cosine(half), order)


def sine_and_cosine(half: Array) -> tuple[Array, Array]:
    """Sine and cosine of half angles ``(...)``.

    Up to half a turn in either direction the cosine is computed as the positive root of 1 − sine², which is much cheaper than another
    series. Its error is at rounding level, except at the very ends: there it is below 1e-8, and the cosine itself is that small.
    """
    sine = np.sin(half)
    if half.size == 0 or np.abs(half).max() > 0.5 * np.pi:
        return sine, np.cos(half)
    cosine = (1.0 - sine) * (1.0 + sine)
    np.sqrt(cosine, out=cosine)
    return sine, cosine


def from_half_angles(sine: Array, cosine: Array, order: str) -> Array:
    """Quaternions ``(..., 4)`` from sine and cosine ``(..., 3)`` of half the Euler angles."""
    out = np.empty((*sine.shape[:-1], 4))
    for k, component in enumerate(components(sine, cosine, order)):
        out[..., k] = component
    return out


def components(sine: Array, cosine: Array, order: str) -> tuple[Array, Array, Array, Array]:
    """The same as four separate arrays ``(...)``, w x y z: further computing is quicker with them apart."""
    i, j, k, parity = _axes(order)
    s1, s2, s3 = sine[..., 0], sine[..., 1], sine[..., 2]
    c1, c2, c3 = cosine[..., 0], cosine[..., 1], cosine[..., 2]
    cc, ss, sc, cs = c1 * c3, s1 * s3, s1 * c3, c1 * s3
    vector = [sine, sine, sine]
    if order[0].lower() != order[2].lower():
        scalar = cc * c2 - parity * (ss * s2)
        vector[i] = sc * c2 + parity * (cs * s2)
        vector[j] = cc * s2 - parity * (ss * c2)
        vector[k] = cs * c2 + parity * (sc * s2)
    else:
        scalar = c2 * (cc - ss)
        vector[i] = c2 * (sc + cs)
        vector[j] = s2 * (cc + ss)
        vector[k] = parity * s2 * (sc - cs)
    return scalar, vector[0], vector[1], vector[2]


def from_quaternion(q: ArrayLike, order: str) -> Array:
    """Euler angles ``(..., 3)`` in radians of unit quaternions ``(..., 4)``.

    The middle angle lies in [−π/2, π/2] for orders of three different letters, and in [0, π] for the others. In gimbal lock only the
    sum or difference of the outer two angles is defined; the last one is then 0.
    """
    i, j, k, parity = _axes(order)
    q = np.asarray(q, dtype=np.float64)
    w, x, y, z = q[..., 0], q[..., 1 + i], q[..., 1 + j], parity * q[..., 1 + k]
    proper = order[0].lower() == order[2].lower()
    # Both kinds of order have one shape: (a, b) points along half the sum of the outer angles, (c, d) along half their
    # difference, and the two lengths are cosine and sine of half the middle angle (turned by π/4 for three letters).
    if proper:
        a, b, c, d = w, x, y, z
        middle = 2.0 * np.arctan2(np.hypot(c, d), np.hypot(a, b))
    else:
        a, b, c, d = w + y, x + z, w - y, x - z
        middle = 2.0 * np.arctan2(np.hypot(a, b), np.hypot(c, d)) - 0.5 * np.pi
    half_sum, half_difference = np.arctan2(b, a), np.arctan2(d, c)
    no_sum = np.hypot(a, b) < _LOCK
    no_difference = np.hypot(c, d) < _LOCK
    locked = no_sum | no_difference
    first = np.where(no_difference, 2.0 * half_sum, np.where(no_sum, 2.0 * half_difference, half_sum + half_difference))
    last = np.where(locked, 0.0, half_sum - half_difference)
    if not proper:
        last = parity * last
    out = np.stack([first, middle, last], axis=-1)
    out[..., ::2] = (out[..., ::2] + np.pi) % (2.0 * np.pi) - np.pi
    return out


def unroll(angles: ArrayLike, axis: int = 0) -> Array:
    """Remove jumps of a full turn along ``axis``, so that other tools can read and interpolate the curves."""
    return np.unwrap(np.asarray(angles, dtype=np.float64), axis=axis)


def convert(angles: ArrayLike, source: str, target: str) -> Array:
    """The same rotations in another order: ``(..., 3)`` to ``(..., 3)``."""
    return from_quaternion(to_quaternion(angles, source), target)

"""Quaternion arrays: rotations as ``(..., 4)`` in w x y z order, unit length.

Every function broadcasts over leading axes, as NumPy does. ``multiply(a, b)`` applies ``b`` first, then ``a``. Arrays of the same shape are
flattened into one row first: for a few hundred rotations this halves NumPy's time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array

IDENTITY: Array = np.array([1.0, 0.0, 0.0, 0.0])
IDENTITY.setflags(write=False)

LOOSE = 1e-12
"""What a squared length may be off 1 without being scaled again."""

_CONJUGATE: Array = np.array([1.0, -1.0, -1.0, -1.0])

# What vectors of no length are divided by: nothing comes of it, and no warning.
_TINY = 1e-200
# Below this sine the great arc is straight to double precision, and dividing by the sine would only lose digits.
_SMALL_SINE = 1e-6


def identity(*shape: int) -> Array:
    """Identity rotations of the given leading shape: ``(*shape, 4)``."""
    out = np.zeros((*shape, 4))
    out[..., 0] = 1.0
    return out


def length(v: Array) -> Array:
    """Lengths ``(...)`` of vectors ``(..., K)``, as `np.linalg.norm` gives them; for a few hundred vectors in a third of its time."""
    lengths: Array = np.sqrt(np.einsum("...i,...i->...", v, v))
    return lengths


def normalize(q: ArrayLike) -> Array:
    """Scale each quaternion ``(..., 4)`` to unit length; a zero quaternion becomes the identity."""
    q = np.asarray(q, dtype=np.float64)
    size = length(q)[..., None]
    sound = size > 0
    return q / size if sound.all() else np.where(sound, q / np.where(sound, size, 1.0), IDENTITY)


def unit(q: Array) -> Array:
    """Quaternions ``(..., 4)`` scaled to unit length. Those that already have it, to twelve digits, stay the same bit for bit."""
    squares = np.einsum("...i,...i->...", q, q)
    loose = np.abs(squares - 1.0) > LOOSE
    return np.where(loose[..., None], q / np.sqrt(squares)[..., None], q) if loose.any() else q


def multiply(a: ArrayLike, b: ArrayLike) -> Array:
    """Product ``a b`` of ``(..., 4)`` and ``(..., 4)``: the rotation ``b`` followed by ``a``.

    >>> quarter = from_axis_angle([0, 1, 0], np.pi / 2)
    >>> bool(np.allclose(rotate(multiply(quarter, quarter), [0, 0, 1]), [0, 0, -1]))
    True
    """
    a = np.asarray(a, dtype=np.float64)
    b = np.asarray(b, dtype=np.float64)
    if a.ndim > 2 and a.shape == b.shape:
        return multiply(a.reshape(-1, 4), b.reshape(-1, 4)).reshape(a.shape)
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    out = np.empty(a.shape if a.shape == b.shape else np.broadcast_shapes(a.shape, b.shape))
    out[..., 0] = aw * bw - ax * bx - ay * by - az * bz
    out[..., 1] = aw * bx + ax * bw + ay * bz - az * by
    out[..., 2] = aw * by - ax * bz + ay * bw + az * bx
    out[..., 3] = aw * bz + ax * by - ay * bx + az * bw
    return out


def inverse(q: ArrayLike) -> Array:
    """Inverse of unit quaternions ``(..., 4)``: the conjugate."""
    conjugate: Array = np.asarray(q, dtype=np.float64) * _CONJUGATE
    return conjugate


def rotate(q: ArrayLike, v: ArrayLike) -> Array:
    """Rotate vectors ``v (..., 3)`` by ``q (..., 4)``.

    >>> rotate(from_axis_angle([0, 1, 0], np.pi / 2), [0, 0, 1]).round(12).tolist()
    [1.0, 0.0, 0.0]
    """
    q = np.asarray(q, dtype=np.float64)
    v = np.asarray(v, dtype=np.float64)
    if v.ndim > 2 and q.shape[:-1] == v.shape[:-1]:
        return rotate(q.reshape(-1, 4), v.reshape(-1, 3)).reshape(v.shape)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    vx, vy, vz = v[..., 0], v[..., 1], v[..., 2]
    # v + 2 w (u × v) + 2 u × (u × v), written out: np.cross costs several times as much
    tx = 2.0 * (y * vz - z * vy)
    ty = 2.0 * (z * vx - x * vz)
    tz = 2.0 * (x * vy - y * vx)
    out = np.empty((*tx.shape, 3))
    out[..., 0] = vx + w * tx + y * tz - z * ty
    out[..., 1] = vy + w * ty + z * tx - x * tz
    out[..., 2] = vz + w * tz + x * ty - y * tx
    return out


def cross(a: Array, b: Array) -> Array:
    """Cross product of ``(..., 3)`` and ``(..., 3)``, as `np.cross` gives it; much faster for a few hundred vectors."""
    if a.ndim > 2 and a.shape == b.shape:
        return cross(a.reshape(-1, 3), b.reshape(-1, 3)).reshape(a.shape)
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    out = np.empty(a.shape if a.shape == b.shape else np.broadcast_shapes(a.shape, b.shape))
    out[..., 0] = ay * bz - az * by
    out[..., 1] = az * bx - ax * bz
    out[..., 2] = ax * by - ay * bx
    return out


def from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Rotation by ``angle (...)`` radians about ``axis (..., 3)`` of any length; a zero axis gives the identity."""
    axis = np.asarray(axis, dtype=np.float64)
    size = length(axis)
    half = np.where(size > 0, 0.5 * np.asarray(angle, dtype=np.float64), 0.0)
    out = np.empty((*half.shape, 4))
    np.cos(half, out=out[..., 0])
    np.multiply(np.sin(half)[..., None], axis / np.maximum(size, _TINY)[..., None], out=out[..., 1:])
    return out


def about_y(angle: ArrayLike) -> Array:
    """Rotation by ``angle (...)`` radians about the vertical: heading 0 faces +Z, positive turns towards +X."""
    half = 0.5 * np.asarray(angle, dtype=np.float64)
    out = np.zeros((*half.shape, 4))
    out[..., 0] = np.cos(half)
    out[..., 2] = np.sin(half)
    return out


def log(q: ArrayLike) -> Array:
    """Rotation vector ``(..., 3)``: axis times angle in radians, angle in [0, π]."""
    q = np.asarray(q, dtype=np.float64)
    scalar, vector = q[..., 0], q[..., 1:]
    sine = length(vector)
    angle = 2.0 * np.arctan2(sine, np.abs(scalar))
    factor = np.where(sine > _SMALL_SINE, angle / np.maximum(sine, _TINY), 2.0)
    out: Array = vector * np.where(scalar < 0, -factor, factor)[..., None]
    return out


def exp(v: ArrayLike) -> Array:
    """Quaternion ``(..., 4)`` of a rotation vector ``(..., 3)``; the inverse of `log`."""
    v = np.asarray(v, dtype=np.float64)
    half = 0.5 * length(v)[..., None]
    # np.sinc(x) is sin(πx)/(πx): finite at zero
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * v], axis=-1)


def angle_between(a: ArrayLike, b: ArrayLike) -> Array:
    """Angle ``(...)`` in radians, in [0, π], of the rotation that takes ``a`` to ``b``."""
    difference = multiply(inverse(a), b)
    sine = length(difference[..., 1:])
    angle: Array = 2.0 * np.arctan2(sine, np.abs(difference[..., 0]))
    return angle


def slerp(a: ArrayLike, b: ArrayLike, t: ArrayLike) -> Array:
    """Spherical interpolation from ``a`` (t = 0) to ``b`` (t = 1) along the shorter arc; ``t (...)`` broadcasts.

    Shoemake, "Animating rotation with quaternion curves", 1985.
    """
    a = np.asarray(a, dtype=np.float64)
    b = np.asarray(b, dtype=np.float64)
    t = np.asarray(t, dtype=np.float64)[..., None]
    dot = np.add.reduce(a * b, axis=-1, keepdims=True)
    b = np.where(dot < 0, -b, b)
    # the angle from the chord: arccos of a dot product near 1 would lose half the digits
    theta = 2.0 * np.arctan2(length(a - b)[..., None], length(a + b)[..., None])
    sine = np.sin(theta)
    straight = sine < _SMALL_SINE
    safe = np.where(straight, 1.0, sine)
    wa = np.where(straight, 1.0 - t, np.sin((1.0 - t) * theta) / safe)
    wb = np.where(straight, t, np.sin(t * theta) / safe)
    return normalize(wa * a + wb * b)


def between(a: ArrayLike, b: ArrayLike) -> Array:
    """Smallest rotation ``(..., 4)`` that takes the direction ``a (..., 3)`` to the direction ``b (..., 3)``.

    Opposite directions have no smallest rotation: they get a half turn about some axis at right angles to them. A zero vector has no
    direction: it gets the identity.
    """
    a = np.asarray(a, dtype=np.float64)
    b = np.asarray(b, dtype=np.float64)
    if a.ndim > 2 and a.shape == b.shape:
        return between(a.reshape(-1, 3), b.reshape(-1, 3)).reshape(*a.shape[:-1], 4)
    a = a / np.maximum(length(a), _TINY)[..., None]
    b = b / np.maximum(length(b), _TINY)[..., None]
    axis = cross(a, b)
    q = np.empty((*axis.shape[:-1], 4))
    np.add(1.0, np.add.reduce(a * b, axis=-1), out=q[..., 0])
    q[..., 1:] = axis
    # 1 + cos holds no digit of the angle closer than 1e-7 to a half turn
    opposite = q[..., 0] < 1e-14
    if opposite.any():
        a = np.broadcast_to(a, (*q.shape[:-1], 3))[opposite]
        across = cross(a, np.eye(3)[np.argmin(np.abs(a), axis=-1)])
        q[opposite] = np.concatenate([np.zeros((len(across), 1)), across], axis=-1)
    return normalize(q)


def unroll(q: ArrayLike, axis: int = 0) -> Array:
    """Flip signs so that neighbours along ``axis`` lie on one hemisphere; the rotations stay the same.

    If nothing has to be flipped, the array itself is returned.
    """
    q = np.asarray(q, dtype=np.float64)
    if q.shape[axis] < 2:
        return q
    q = np.moveaxis(q, axis, 0)
    flips = np.einsum("...i,...i->...", q[1:], q[:-1]) < 0
    if not flips.any():
        return np.moveaxis(q, 0, axis)
    odd = np.logical_xor.accumulate(flips, axis=0)
    out = q.copy()
    np.negative(out[1:], out=out[1:], where=odd[..., None])
    return np.moveaxis(out, 0, axis)


def mean(q: ArrayLike, weights: ArrayLike | None = None, axis: int = 0) -> Array:
    """Weighted mean along ``axis``: the rotation nearest to all of them by least squares. Signs of quaternions do not matter.

    ``weights`` has the length of that axis, or broadcasts against ``q`` without its last axis. The mean is the eigenvector of the
    largest eigenvalue of Σ w q qᵀ (Markley et al., "Averaging quaternions", 2007).
    """
    q = np.asarray(q, dtype=np.float64)
    # counted from the front: the weights lack the last axis, so they would count another one from the back
    axis %= q.ndim
    q = np.moveaxis(q, axis, 0)
    if weights is None:
        w = np.ones(q.shape[:-1])
    else:
        w = np.asarray(weights, dtype=np.float64)
        if w.ndim == 1:
            w = w.reshape(-1, *[1] * (q.ndim - 2))
        else:
            w = np.moveaxis(w, axis, 0)
        w = np.broadcast_to(w, q.shape[:-1])
    moments = np.einsum("n...,n...i,n...j->...ij", w, q, q)
    _, vectors = np.linalg.eigh(moments)
    out: Array = vectors[..., :, -1]
    return np.where(np.einsum("...i,...i->...", out, q[0])[..., None] < 0, -out, out)


def to_matrix(q: ArrayLike) -> Array:
    """Rotation matrices ``(..., 3, 3)`` that act on column vectors."""
    q = np.asarray(q, dtype=np.float64)
    return np.stack([rotate(q, column) for column in np.eye(3)], axis=-1)


def from_matrix(m: ArrayLike) -> Array:
    """Quaternions of rotation matrices ``(..., 3, 3)``, each by the formula with the largest divisor."""
    m = np.asarray(m, dtype=np.float64)
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    # row k is the quaternion times four times its component k
    candidates: Any = np.stack(
        [
            np.stack(
                [
                    1 + xx + yy + zz,
                    m[..., 2, 1] - m[..., 1, 2],
                    m[..., 0, 2] - m[..., 2, 0],
                    m[..., 1, 0] - m[..., 0, 1],
                ],
                -1,
            ),
            np.stack(
                [
                    m[..., 2, 1] - m[..., 1, 2],
                    1 + xx - yy - zz,
                    m[..., 1, 0] + m[..., 0, 1],
                    m[..., 0, 2] + m[..., 2, 0],
                ],
                -1,
            ),
            np.stack(
                [
                    m[..., 0, 2] - m[..., 2, 0],
                    m[..., 1, 0] + m[..., 0, 1],
                    1 - xx + yy - zz,
                    m[..., 2, 1] + m[..., 1, 2],
                ],
                -1,
            ),
            np.stack(
                [
                    m[..., 1, 0] - m[..., 0, 1],
                    m[..., 0, 2] + m[..., 2, 0],
                    m[..., 2, 1] + m[..., 1, 2],
                    1 - xx - yy + zz,
                ],
                -1,
            ),
        ],
        axis=-2,
    )
    best = np.argmax(np.diagonal(candidates, axis1=-2, axis2=-1), axis=-1)
    return normalize(np.take_along_axis(candidates, best[..., None, None], axis=-2)[..., 0, :])


def twist(q: ArrayLike, axis: ArrayLike) -> Array:
    """The part of ``q`` that turns about ``axis (..., 3)``: ``q = swing · twist``."""
    q = np.asarray(q, dtype=np.float64)
    unit: Array = np.asarray(axis, dtype=np.float64)
    unit = unit / length(unit)[..., None]
    along = np.sum(q[..., 1:] * unit, axis=-1, keepdims=True) * unit
    return normalize(np.concatenate([q[..., :1], along], axis=-1))

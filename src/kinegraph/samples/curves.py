"""Smooth curves in time. The performer moves along nothing else, so no joint ever jolts."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter1d, minimum_filter1d

from kinegraph.arrays import Array

End = tuple[ArrayLike, ArrayLike]

FPS = 60.0
"""Frames per second of every sample."""
GRAVITY = 9.81
"""Metres per second squared."""


def smooth(u: ArrayLike) -> Array:
    """0 before u = 0, 1 after u = 1, and in between the quintic with no velocity or acceleration at either end."""
    u = np.clip(np.asarray(u, dtype=np.float64), 0.0, 1.0)
    eased: Array = u**3 * (10.0 + u * (6.0 * u - 15.0))
    return eased


def smooth_integral(u: ArrayLike) -> Array:
    """The integral of `smooth` from 0 to ``u``: the distance covered while the speed eases from 0 to 1."""
    u = np.asarray(u, dtype=np.float64)
    inside = np.clip(u, 0.0, 1.0)
    area: Array = inside**4 * (2.5 + inside * (inside - 3.0)) + np.maximum(u - 1.0, 0.0)
    return area


def hump(u: ArrayLike, fall: float = 3.0) -> Array:
    """A bump of height 1 over 0 < u < 1, C2 at both ends. Its top is at 3 / (3 + fall): a larger ``fall`` puts it earlier."""
    u = np.clip(np.asarray(u, dtype=np.float64), 0.0, 1.0)
    top = 3.0 / (3.0 + fall)
    bump: Array = u**3 * (1.0 - u) ** fall / (top**3 * (1.0 - top) ** fall)
    return bump


def hermite(
    t: Array,
    seconds: float,
    start: tuple[ArrayLike, ArrayLike, ArrayLike],
    end: tuple[ArrayLike, ArrayLike, ArrayLike],
) -> Array:
    """The quintic over ``seconds`` between two ends of given position, velocity and acceleration, each ``(D,)`` or a number.

    t: ``(N,)``, counted from the start; the curve continues beyond its ends. Returns ``(N, D)`` or ``(N,)``.
    """
    p0, v0, a0 = (np.asarray(x, dtype=np.float64) for x in start)
    p1, v1, a1 = (np.asarray(x, dtype=np.float64) for x in end)
    v0, v1, a0, a1 = v0 * seconds, v1 * seconds, a0 * seconds**2, a1 * seconds**2
    u = np.asarray(t, dtype=np.float64) / seconds
    if p0.ndim:
        u = u[:, None]
    rise = p1 - p0
    c3 = 10 * rise - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1
    c4 = -15 * rise + 8 * v0 + 7 * v1 + 1.5 * a0 - a1
    c5 = 6 * rise - 3 * v0 - 3 * v1 - 0.5 * a0 + 0.5 * a1
    curve: Array = p0 + u * (v0 + u * (0.5 * a0 + u * (c3 + u * (c4 + u * c5))))
    return curve


def keyed(t: Array, times: ArrayLike, values: ArrayLike, start: End | None = None, end: End | None = None) -> Array:
    """A C2 curve through keys, constant beyond both ends: ``(N,)`` or ``(N, D)``.

    times: ``(K,)``. values: ``(K,)`` or ``(K, D)``. start, end: velocity and acceleration there, zero by default. At the keys in between
    the velocities are those of the monotone cubic (Fritsch and Carlson, 1980): where the values turn back, the curve comes to rest.
    """
    times = np.asarray(times, dtype=np.float64)
    values = np.asarray(values, dtype=np.float64)
    slopes = PchipInterpolator(times, values, axis=0).derivative()(times)
    bends = np.zeros_like(slopes)
    for k, state in ((0, start), (-1, end)):
        slopes[k], bends[k] = (0.0, 0.0) if state is None else state
    t = np.clip(t, times[0], times[-1])
    out = np.empty((len(t), *values.shape[1:]))
    piece = np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 2)
    for k in range(len(times) - 1):
        here = piece == k
        seconds = float(times[k + 1] - times[k])
        ends = [(values[i], slopes[i], bends[i]) for i in (k, k + 1)]
        out[here] = hermite(t[here] - times[k], seconds, *ends)
    # what is held is held to the last bit: a heel on the floor is on the floor
    out[t >= times[-1]] = values[-1]
    return out


def soften(values: Array, seconds: float) -> Array:
    """Gaussian smoothing along the first axis, with a standard deviation of ``seconds``."""
    softened: Array = gaussian_filter1d(values, seconds * FPS, axis=0, mode="nearest")
    return softened


def floor_under(values: Array, seconds: float) -> Array:
    """A smooth curve ``(F,)`` that is nowhere above ``values (F,)``.

    First the lowest value within ``seconds`` on either side, then a weighted mean of these over the same window: none of the values in
    that mean is above the original value in the middle.
    """
    half = max(round(seconds * FPS), 1)
    lowest = minimum_filter1d(values, 2 * half + 1, mode="nearest")
    weights = hump(np.arange(1, 2 * half + 2) / (2 * half + 2))
    padded = np.pad(lowest, half, mode="edge")
    under: Array = np.convolve(padded, weights / weights.sum(), mode="valid")
    return under

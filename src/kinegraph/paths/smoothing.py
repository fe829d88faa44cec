"""Gaussian smoothing of tracks that leaves straight, steady stretches as they are, right up to both ends."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array

# The bell is cut off at this many sigmas, where it has fallen to 1/3000 of its height.
_REACH = 4.0
# How often what was taken away is smoothed and given back, the first time included.
_PASSES = 3
# A track goes on beyond its ends as the parabola that fits so many sigmas of it. Tried out on swaying walkers and runners on circles: less
# takes the swing for a bend, more takes the bend for a line.
_END = 1.5


def smoothed(values: Array, sigma: float) -> Array:
    """``values (F, …)`` smoothed by a Gaussian of ``sigma`` samples along the first axis.

    Beyond its ends, the track continues as its own image turned about the end point (an odd extension). So the ends stay exactly in place,
    and a straight line at constant speed does not change. A track shorter than the bell is extended as often as needed.
    """
    if sigma <= 0 or len(values) < 2:
        return values.copy()
    reach = _reach(sigma)
    extended = np.pad(values, [(reach, reach), *[(0, 0)] * (values.ndim - 1)], mode="reflect", reflect_type="odd")
    return _under_bell(extended, sigma)


def steadied(values: Array, sigma: float) -> Array:
    """``values (F, …)`` smoothed by a flat-topped Gaussian of ``sigma`` samples: swings are removed, slow bends stay where they are.

    What the Gaussian removes is smoothed and added back, twice (Tukey's twicing, and once more). If one pass removes some share of a slow
    swing, all three together remove only the third power of that share. A plain Gaussian that removes the sway of a pelvis would pull the
    track of a runner on a circle inwards by centimetres. Beyond its ends, the track continues as a parabola fitted to its last stretch,
    so that it is steady there too.
    """
    if sigma <= 0 or len(values) < 2:
        return values.copy()
    reach = _reach(sigma)
    fitted = min(len(values), max(3, round(_END * sigma)))
    before = _onward(values[:fitted][::-1], _PASSES * reach)[::-1]
    extended = np.concatenate([before, values, _onward(values[-fitted:], _PASSES * reach)], axis=0)
    soft = _under_bell(extended, sigma)
    for done in range(1, _PASSES):
        # each pass needs the bell's reach of the track on both sides
        taken = extended[done * reach : -done * reach] - soft
        soft = soft[reach:-reach] + _under_bell(taken, sigma)
    return soft


def _reach(sigma: float) -> int:
    """Samples to both sides that the bell covers."""
    return max(1, int(np.ceil(_REACH * sigma)))


def _under_bell(extended: Array, sigma: float) -> Array:
    """The inner part of ``extended`` that has the whole bell about it, smoothed."""
    reach = _reach(sigma)
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    size = len(extended) + len(bell) - 1
    # about the first value, so that rounding does not grow with the distance from the origin
    spectrum = np.fft.rfft(extended - extended[reach], size, axis=0)
    weights = np.fft.rfft(bell / bell.sum(), size).reshape(-1, *[1] * (extended.ndim - 1))
    soft: Array = np.fft.irfft(spectrum * weights, size, axis=0)[2 * reach : len(extended)] + extended[reach]
    return soft


def _onward(values: Array, count: int) -> Array:
    """``count`` samples after ``values (F, …)``, on the parabola (of two samples: the line) that fits them best."""
    powers = np.arange(min(3, len(values)))
    # in units of the stretch, so that the powers are of one size
    past = np.arange(len(values)) / len(values)
    coming = (len(values) + np.arange(count)) / len(values)
    fit = np.linalg.lstsq(past[:, None] ** powers, values.reshape(len(values), -1), rcond=None)[0]
    onward: Array = (coming[:, None] ** powers @ fit).reshape(count, *values.shape[1:])
    return onward

"""How long a stride lasts, from the ankles swinging past each other; contacts are not needed."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.feet.contacts import velocity
from kinegraph.motion.clip import Motion
from kinegraph.paths.editing.joints import between

# Seconds that one stride (two steps) may last: from a sprint to a slow sneak. Twice as fast as anybody is allowed for, since some clips
# of 60 frames/s say that they have 120.
_SHORTEST, _LONGEST = 0.25, 2.5
# Seconds over which the way is taken, about a stride, and metres a second below which it means less and less.
_WAY = 1.0
_SLOW = 0.2
# Leg lengths of swing (root mean square) below which the legs do not walk: an amplitude of about 6 cm.
_SWING = 0.05
# How much a swing must resemble itself a stride later, or turned round half a stride later, to be called periodic: 1 is the same.
_ALIKE = 0.3
_TURNED = 0.5
# Of several strides the swing resembles itself after each: the first is as good as this share of the best.
_FIRST = 0.8
# What is compared must overlap by half of the lag, or likeness is chance.
_OVERLAP = 1.5


def stride(motion: Motion) -> float | None:
    """How many seconds a stride (one step of each foot) lasts; None if the legs are not known, the body stands, or there is no rhythm.

    How far the left ankle is ahead of the right one, along the way, is compared with the same a while later (the normalised square
    difference of McLeod and Wyvill, "A smarter way to find pitch", 2005). If a clip is shorter than a stride and a half, a single step is
    used: it turns the swing round.
    """
    if len(motion) < 4 or not motion.skeleton.has_roles("left_hip", "left_ankle", "right_hip", "right_ankle"):
        return None
    swing = _swing(motion)
    if np.sqrt(np.mean(swing**2)) < _SWING * motion.skeleton.leg_length:
        return None
    alike = likeness(swing)[: int(len(swing) / _OVERLAP) + 1]
    again = _first_peak(alike, _SHORTEST * motion.fps, _LONGEST * motion.fps, _ALIKE)
    if again is not None:
        return again / motion.fps
    turned = _first_peak(-alike, _SHORTEST / 2 * motion.fps, _LONGEST / 2 * motion.fps, _TURNED)
    return None if turned is None else 2 * turned / motion.fps


def likeness(values: Array) -> Array:
    """How similar ``values (F,)`` are to themselves so many samples later: ``(F,)``, 1 if they are the same, −1 if they are opposite.

    >>> likeness(np.array([1.0, -1.0, 1.0, -1.0])).round(6).tolist()
    [1.0, -1.0, 1.0, -1.0]
    """
    count = len(values)
    size = 1 << (2 * count - 1).bit_length()
    spectrum = np.fft.rfft(values, size)
    products = np.fft.irfft(spectrum * spectrum.conj(), size)[:count]
    energy = np.concatenate([[0.0], np.cumsum(values**2)])
    lags = np.arange(count)
    both = energy[count] - energy[lags] + energy[count - lags]
    tiny = 1e-12 * max(energy[count], 1e-300)
    alike: Array = 2 * products / np.maximum(both, tiny)
    return alike


def _swing(motion: Motion) -> Array:
    """Metres ``(F,)`` by which the left ankle is ahead of the right one along the way, about their mean; less where the body is slow."""
    apart = between(motion, "right_ankle", "left_ankle")[:, [0, 2]]
    way = velocity(motion.root[:, [0, 2]], motion.fps, _WAY)
    ahead = np.sum(apart * way, axis=-1) / np.maximum(np.hypot(way[:, 0], way[:, 1]), _SLOW)
    swing: Array = ahead - ahead.mean()
    return swing


def _first_peak(values: Array, shortest: float, longest: float, least: float) -> float | None:
    """The first lag within bounds, to a fraction of a sample, of a peak as good as the best of them; None where all are below ``least``.

    Peaks before the values have once been negative belong to lag 0.
    """
    # turned round, the values begin at −1 and are negative at once
    negative = np.flatnonzero(values < 0)
    if not len(negative):
        return None
    lags = np.arange(1, len(values) - 1)
    peak = (values[1:-1] >= values[:-2]) & (values[1:-1] > values[2:])
    lags = lags[peak & (lags >= max(shortest, negative[0])) & (lags <= longest)]
    if not len(lags) or values[lags].max() < least:
        return None
    lag = int(lags[values[lags] >= _FIRST * values[lags].max()][0])
    before, here, after = values[lag - 1 : lag + 2]
    # the top of the parabola through the three
    return lag + float(0.5 * (before - after) / (before - 2 * here + after))

"""Filters along time: lowest, highest and smoothed values around every frame. Beyond the ends, the first and last values repeat.

They do the same as `scipy.ndimage` with ``mode="nearest"`` (the tests compare them), without the quarter of a second that importing it
takes: that is more time than reading and preparing a few clips.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided

from kinegraph.arrays import Array


def lowest(values: Array, reach: int) -> Array:
    """The smallest of ``values (F, …)`` within ``reach`` frames before and after each frame."""
    least: Array = _windows(values, reach).min(axis=-1)
    return least


def highest(values: Array, reach: int) -> Array:
    """The largest of ``values (F, …)`` within ``reach`` frames before and after each frame."""
    greatest: Array = _windows(values, reach).max(axis=-1)
    return greatest


def smoothed(values: Array, sigma: float, reach: int) -> Array:
    """``values (F, …)`` smoothed by a Gaussian of ``sigma`` frames that is cut off at ``reach`` frames."""
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    soft: Array = _windows(values, reach) @ (bell / bell.sum())
    return soft


def _windows(values: Array, reach: int) -> Array:
    """``(F, …, 2 reach + 1)``: every frame's surroundings."""
    # not by NumPy's own pad and sliding_window_view, which take several times as long as what is done with most clips
    ends = (np.repeat(values[:1], reach, axis=0), np.repeat(values[-1:], reach, axis=0))
    padded = np.concatenate([ends[0], values, ends[1]])
    around: Array = as_strided(
        padded, (*values.shape, 2 * reach + 1), (*padded.strides, padded.strides[0]), writeable=False
    )
    return around

"""A lower bound on distances, which saves most comparisons when only small distances matter.

Turning and shifting a body on the floor changes neither the heights of its points nor their distances from the window's
centroid. Written as one long vector for each window, the difference of these can never exceed the aligned distance. Neither
can its projection on a few directions; nor, for blocks of neighbouring windows, the distance of their means minus both
radii. Pairs whose bound is above the limit need not be compared: the minima below the limit stay the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.similarity.clouds import Cloud

# windows in a block, directions that are kept, windows from which the directions are found
BLOCK = 4
_DIRECTIONS = 16
_SAMPLE = 128

# no two blocks of which one has this radius are ever near
_NOBODY = -1e6
# what rounding to single precision may take from a bound (metres)
_MARGIN = 1e-5


def features(points: Array, base: Array, weights: Array) -> Array:
    """``(n, 2 L K)``: what no alignment changes, heights and distances from the centroid, for all n windows of frames ``(F, 3, K)``."""
    root = np.sqrt(weights)
    centre = points[:, ::2] @ base
    means = np.stack([np.convolve(centre[:, n], weights[::-1], "valid") for n in range(2)], axis=1)
    windows = sliding_window_view(points, len(weights), axis=0)  # (n, 3, K, L)
    x = windows[:, 0] - (means[:, 0, None] * base)[:, :, None]
    z = windows[:, 2] - (means[:, 1, None] * base)[:, :, None]
    both = np.stack([windows[:, 1], np.hypot(x, z)], axis=1) * root
    return both.reshape(len(both), -1)


def directions(clouds: Sequence[Cloud], weights: Array) -> tuple[Array, Array]:
    """Mean ``(D,)`` and orthonormal directions ``(D, k)`` along which windows of these clips differ most."""
    long_enough = [cloud for cloud in clouds if len(cloud) >= len(weights)]
    each = -(-_SAMPLE // max(1, len(long_enough)))
    rows = []
    for cloud in long_enough:
        starts = np.linspace(0, len(cloud) - len(weights), each).astype(int)
        rows += [features(cloud.points[n : n + len(weights)], cloud.base, weights) for n in np.unique(starts)]
    sample = np.concatenate(rows)[:: max(1, len(rows) // _SAMPLE)]
    mean = sample.mean(axis=0)
    about = sample - mean
    # the few windows' own matrix is far smaller than that of all their coordinates
    values, vectors = np.linalg.eigh(about @ about.T)
    kept = np.flatnonzero(values > 1e-9 * max(values.max(), 1e-30))[-_DIRECTIONS:]
    return mean, np.linalg.qr(about.T @ vectors[:, kept])[0]


def blocks(projected: Array, present: NDArray[np.bool_]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Means ``(b, k)`` and radii ``(b,)`` of blocks of the windows ``(n, k)``; windows that are not present do not count."""
    count = -(-len(projected) // BLOCK)
    filled = np.zeros((count * BLOCK, projected.shape[1]))
    filled[: len(projected)] = projected
    there = np.zeros(count * BLOCK, bool)
    there[: len(projected)] = present
    groups, members = filled.reshape(count, BLOCK, -1), there.reshape(count, BLOCK)
    number = np.maximum(members.sum(axis=1), 1)
    means = (groups * members[:, :, None]).sum(axis=1) / number[:, None]
    away = np.linalg.norm(groups - means[:, None], axis=2)
    radii = np.where(members.any(axis=1), np.where(members, away, 0).max(axis=1) + _MARGIN, _NOBODY)
    return means.astype(np.float32), radii.astype(np.float32)


@njit(nogil=True, cache=True, fastmath=True)
def near_blocks(a: Any, a_radii: Any, b: Any, b_radii: Any, limit: Any, near: Any) -> int:
    """Mark in ``near`` which blocks of A and B may contain windows within ``limit`` metres of each other; returns how many.

    a, b: ``(blocks, k)`` means. near: ``(blocks of A, blocks of B)`` uint8.
    """
    count = 0
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            reach = limit + a_radii[i] + b_radii[j]
            square = np.float32(0)
            for k in range(a.shape[1]):
                square += (a[i, k] - b[j, k]) ** 2
            mark = np.uint8((reach > 0) & (square <= reach * reach))
            near[i, j] = mark
            count += int(mark)
    return count

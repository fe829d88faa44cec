"""Leaves: the chunks of a deck as the sparse comparison reads them.

A leaf is a run of windows, four quarters long; a quarter is one window, or several where frames are so close in time that a window
has many of them. Leaves have a coarse lower bound, quarters a sharper one. Where both leave a chance, all windows of the
two leaves are compared, so coordinates lie in rows of frames, one row for each coordinate of each point.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kinegraph.arrays import Longs, Singles
from kinegraph.compiled import njit
from kinegraph.similarity import bounds
from kinegraph.similarity.simd import LANES, SPAN
from kinegraph.similarity.simd_near import QUARTERS, STEPS

# frames of a window for each window of a quarter
_FRAMES = 10

# columns of the table
COUNT, PADDED, OWN_AT, OTHER_AT, FRAMES_AT, STRIDE = range(6)


class Leaves(NamedTuple):
    """The leaves of all chunks, flat."""

    size: int
    """Windows of a leaf."""
    table: Longs
    """``(C, 6)``: leaves of every chunk, the same padded, offsets into the arrays, and frames in a row; columns are named above."""
    own: Singles
    """``(leaves, …)``: a row for each leaf, see `bounds.write_balls`."""
    other: Singles
    """The same, flat, as columns: of each chunk as many rows as ``own`` has columns."""
    quarters: Singles
    """``(leaves, …, 4)``: of the quarters of each leaf, sharper."""
    frames: Singles
    """Flat: x, y and z of all points in rows of frames, and of every window moment, x and z."""


def quarter(window: int) -> int:
    """Windows of a quarter of a leaf: as many at 120 frames/s as last as long as one at 30."""
    return max(1, round(window / _FRAMES))


def nothing() -> Leaves:
    """The leaves of a deck that is compared densely."""
    empty = np.empty(0, np.float32)
    return Leaves(1, np.empty((0, 6), np.int64), empty.reshape(0, 1), empty, empty.reshape(0, 1, 4), empty)


def one_after_another(a: Leaves, b: Leaves) -> Leaves:
    """The leaves of the chunks of both."""
    table = b.table.copy()
    for column, before in ((OWN_AT, a.own), (OTHER_AT, a.other), (FRAMES_AT, a.frames)):
        table[:, column] += len(before)
    flat = (np.concatenate([getattr(a, name), getattr(b, name)]) for name in ("own", "other", "quarters", "frames"))
    return Leaves(a.size, np.concatenate([a.table, table]), *flat)


def unwritten(window: int, frames: Sequence[int], depth: int) -> Leaves:
    """Leaves of chunks of so many frames each, with so many points in a frame, for `write`: zeros so far."""
    size = QUARTERS * quarter(window)
    coarse = bounds.COARSE_HEIGHTS + 2 * bounds.COARSE_PLANES + 4
    sharp = bounds.HEIGHTS + 2 * bounds.PLANES + 4
    table = np.zeros((len(frames), 6), np.int64)
    table[:, COUNT] = [-(-(count - window + 1) // size) for count in frames]
    table[:, PADDED] = -(-table[:, COUNT] // SPAN) * SPAN
    # diagonals begin up to a leaf before the first window of a leaf and end as far behind its last
    table[:, STRIDE] = 2 * size + table[:, COUNT] * size + window + LANES + STEPS
    sizes = table[:, COUNT], table[:, PADDED] * coarse, table[:, STRIDE] * (3 * depth + 3)
    ends = [np.cumsum(each) for each in sizes]
    for column, each, end in zip((OWN_AT, OTHER_AT, FRAMES_AT), sizes, ends, strict=True):
        table[:, column] = end - each
    own, other, flat = (int(end[-1]) if len(end) else 0 for end in ends)
    return Leaves(
        size,
        table,
        np.zeros((own, coarse), np.float32),
        np.zeros(other, np.float32),
        np.zeros((own, sharp, QUARTERS), np.float32),
        np.zeros(flat, np.float32),
    )


@njit(nogil=True, cache=True)
def write(leaves: Any, chunk: int, points: Any, base: Any, windows: Any, present: Any, weights: Any, axes: Any) -> None:
    """Write a chunk into `unwritten` leaves: of frames ``(F, 3, K)``, by moment, x and z ``(n, 3)`` of their ``windows``, and which of
    these count. axes: directions of the bounds, as `bounds.Axes`.
    """
    number, padded, own_at, other_at, frames_at, stride = leaves.table[chunk]
    size, depth = leaves.size, points.shape[2]
    real, plane = bounds.projected(points, base, weights, axes[0], axes[1], axes[2], axes[3])
    own = leaves.own[own_at : own_at + number]
    rough, floor = bounds.coarse(real, plane)
    bounds.write_balls(rough, floor, present, size, own)
    width = own.shape[1]
    for column in range(width):
        at = other_at + column * padded
        leaves.other[at + number : at + padded] = bounds.NOWHERE if column == width - 2 else 0.0
        leaves.other[at : at + number] = own[:, column]
    each = size // QUARTERS
    fine = np.zeros((number * QUARTERS, leaves.quarters.shape[1]), np.float32)
    fine[:, fine.shape[1] - 2] = bounds.NOWHERE
    bounds.write_balls(real, plane, present, each, fine)
    for leaf in range(number):
        for column in range(fine.shape[1]):
            for part in range(QUARTERS):
                leaves.quarters[own_at + leaf, column, part] = fine[leaf * QUARTERS + part, column]
    for row in range(3 * depth):
        at = frames_at + row * stride + size
        for frame in range(points.shape[0]):
            leaves.frames[at + frame] = points[frame, row // depth, row % depth]
    for row in range(3):
        at = frames_at + (3 * depth + row) * stride + size
        for window in range(windows.shape[0]):
            leaves.frames[at + window] = windows[window, row]

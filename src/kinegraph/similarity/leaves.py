"""Leaves: the chunks of a deck as the sparse comparison reads them.

A leaf is a run of windows, four quarters long; a quarter is one window, or several where frames are so close in time that a window
has many of them. Leaves have a coarse lower bound, quarters a sharper one. Where both leave a chance, all windows of the
two leaves are compared, so coordinates lie in rows of frames, one row for each coordinate of each point.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array, Longs, Singles
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
    """``(leaves, …)``: a row for each leaf, see `bounds.rows`."""
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


class Chunk(NamedTuple):
    """The leaves of one chunk, as the arrays of `Leaves` have them."""

    number: int
    padded: int
    stride: int
    own: Singles
    other: Singles
    quarters: Singles
    frames: Singles


def of_chunk(
    points: Array, base: Array, own: Singles, present: np.ndarray, weights: Array, seen: bounds.Directions
) -> Chunk:
    """Of frames ``(F, 3, K)``; moment, x and z ``(n, 3)`` of their windows, and which of them count."""
    each = quarter(len(weights))
    size = QUARTERS * each
    sharp = bounds.project(points, base, weights, seen)
    row = bounds.rows(*bounds.balls(sharp.coarse(), present, size))
    fine = bounds.rows(*bounds.balls(sharp, present, each))
    quarters = np.zeros((len(row) * QUARTERS, fine.shape[1]), np.float32)
    quarters[:, -2] = bounds.NOWHERE
    quarters[: len(fine)] = fine
    padded = -(-len(row) // SPAN) * SPAN
    columns = np.zeros((row.shape[1], padded), np.float32)
    columns[-2] = bounds.NOWHERE
    columns[:, : len(row)] = row.T
    # diagonals begin up to a leaf before the first window of a leaf and end as far behind its last
    stride = 2 * size + len(row) * size + len(weights) + LANES + STEPS
    depth = points.shape[2]
    frames = np.zeros((3 * depth + 3, stride), np.float32)
    frames[: 3 * depth, size : size + len(points)] = points.transpose(1, 2, 0).reshape(3 * depth, -1)
    frames[3 * depth :, size : size + len(own)] = own.T
    by_leaf = np.ascontiguousarray(quarters.reshape(len(row), QUARTERS, -1).transpose(0, 2, 1))
    return Chunk(len(row), padded, stride, row, columns.ravel(), by_leaf, frames.ravel())


class Growing:
    """Leaves chunk by chunk."""

    def __init__(self, window: int):
        self._size = QUARTERS * quarter(window)
        self._table: list[list[int]] = []
        # beginning with none of each
        coarse = np.empty((0, bounds.COARSE_HEIGHTS + 2 * bounds.COARSE_PLANES + 4), np.float32)
        sharp = np.empty((0, bounds.HEIGHTS + 2 * bounds.PLANES + 4, QUARTERS), np.float32)
        self._parts: list[list[Singles]] = [[coarse], [coarse.ravel()], [sharp], [coarse.ravel()]]
        self._sizes = [0, 0, 0]

    def add(self, chunk: Chunk) -> None:
        """The next chunk."""
        self._table.append([chunk.number, chunk.padded, *self._sizes, chunk.stride])
        for part, values in zip(self._parts, chunk[3:], strict=True):
            part.append(values)
        for n, count in enumerate((chunk.number, chunk.other.size, chunk.frames.size)):
            self._sizes[n] += count

    def made(self) -> Leaves:
        """All of them."""
        # the last first, and taken out one by one: they are not held twice
        frames, quarters, other, own = (np.concatenate(self._parts.pop()) for _ in range(4))
        return Leaves(self._size, np.array(self._table, np.int64).reshape(-1, 6), own, other, quarters, frames)

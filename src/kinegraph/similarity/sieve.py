"""The sparse comparison of two chunks: only the leaves that may hold windows within the limit of each other are compared.

What it writes is what the dense one would, in single precision; everything else stays absent, and is known to lie above the limit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Longs
from kinegraph.compiled import njit
from kinegraph.similarity import bounds, leaves
from kinegraph.similarity.deck import ABSENT, OWN_AT, WINDOWS
from kinegraph.similarity.simd import LANES, SPAN, few_distances
from kinegraph.similarity.simd_near import STEPS, diagonal_products, near_leaves, near_quarters

_COUNT, _PADDED, _OWN_AT = leaves.COUNT, leaves.PADDED, leaves.OWN_AT
_OTHER_AT, _FRAMES_AT, _STRIDE = leaves.OTHER_AT, leaves.FRAMES_AT, leaves.STRIDE
_COARSE_REALS, _COARSE_PLANES = bounds.COARSE_HEIGHTS + 2, bounds.COARSE_PLANES
_REALS, _PLANES = bounds.HEIGHTS + 2, bounds.PLANES


class Sieve(NamedTuple):
    """The memory of one thread."""

    dots: NDArray[np.float32]
    crosses: NDArray[np.float32]
    heights: NDArray[np.float32]
    row: NDArray[np.float32]
    """Distances of a window to those on `LANES` diagonals."""
    touched: Longs
    """``(…, 2)``: pairs of leaves that were compared."""


@njit(nogil=True, cache=True)
def make_sieve(table: Any, size: int, window: int) -> Any:
    """Memory that is enough for all pairs of chunks of this table of leaves."""
    most = 0
    for n in range(table.shape[0]):
        most = max(most, table[n, _COUNT])
    products = (size + window + STEPS) * LANES
    return Sieve(
        np.zeros(products, np.float32),
        np.zeros(products, np.float32),
        np.zeros(products, np.float32),
        np.zeros(LANES, np.float32),
        np.zeros((most * most, 2), np.int64),
    )


@njit(nogil=True, cache=True)
def near_distances(
    cards: Any, one: int, two: int, taper: Any, limit: Any, sieve: Any, out: Any, out_stride: int
) -> int:
    """Writes the squared distances of chunks ``one`` and ``two`` that may be within ``limit``, from row 1, column 1 on.

    Returns how many pairs of leaves were compared: ``sieve.touched`` names them.
    """
    held = cards.leaves
    a, b = held.table[one], held.table[two]
    width = held.quarters.shape[1] * held.quarters.shape[2]
    quarters = held.quarters.reshape(held.quarters.size)
    own = held.own.reshape(held.own.size)
    found = 0
    for i in range(a[_COUNT]):
        for start in range(0, b[_COUNT], SPAN):
            near = near_leaves(
                own, (a[_OWN_AT] + i) * held.own.shape[1], held.other, b[_OTHER_AT] + start, b[_PADDED],
                _COARSE_REALS, _COARSE_PLANES, limit,
            )  # fmt: skip
            j = start
            while near:
                # most are far: from one that is near to the next
                while not near & 1:
                    near >>= 1
                    j += 1
                if near_quarters(quarters, (a[_OWN_AT] + i) * width, (b[_OWN_AT] + j) * width, _REALS, _PLANES, limit):
                    sieve.touched[found, 0] = i
                    sieve.touched[found, 1] = j
                    found += 1
                near >>= 1
                j += 1
    _compare(cards, one, two, found, taper, sieve, out, out_stride)
    return found


@njit(nogil=True, cache=True)
def _compare(cards: Any, one: int, two: int, count: int, taper: Any, sieve: Any, out: Any, out_stride: int) -> None:
    """All windows of the leaves of A that were ``touched`` with all of those of B: as many diagonals at a time as a vector has lanes."""
    held = cards.leaves
    # taken out of their tuples once: that costs more than a leaf otherwise
    frames, touched, own, row = held.frames, sieve.touched, cards.own, sieve.row
    dots, crosses, heights = sieve.dots, sieve.crosses, sieve.heights
    size, window, depth = held.size, taper.size, cards.depth
    a_stride, b_stride = held.table[one, _STRIDE], held.table[two, _STRIDE]
    a_windows, b_windows = cards.table[one, WINDOWS], cards.table[two, WINDOWS]
    # rows of frames begin a leaf before the first frame
    a_start, b_start = held.table[one, _FRAMES_AT] + size, held.table[two, _FRAMES_AT] + size
    own_at, other_at = cards.table[one, OWN_AT], b_start + 3 * depth * b_stride
    for n in range(count):
        i, j = touched[n, 0] * size, touched[n, 1] * size
        rows, columns = min(size, a_windows - i), min(size, b_windows - j)
        for diagonal in range(1 - size, size, LANES):
            for s in range(0, rows + window - 1, STEPS):
                diagonal_products(
                    frames, a_start + i + s, a_stride, b_start + j + s + diagonal, b_stride, depth,
                    dots, crosses, heights, s * LANES,
                )  # fmt: skip
            for t in range(max(0, 1 - diagonal - LANES), min(rows, columns - diagonal)):
                few_distances(
                    dots, crosses, heights, t * LANES, LANES, taper, window,
                    own, own_at + 3 * (i + t), frames, other_at + j + t + diagonal, b_stride, row, 0,
                )  # fmt: skip
                at = (i + t + 1) * out_stride + 1 + j
                for c in range(max(0, t + diagonal), min(columns, t + diagonal + LANES)):
                    out[at + c] = row[c - t - diagonal]


@njit(nogil=True, cache=True)
def clear(touched: Any, count: int, size: int, a_windows: int, b_windows: int, out: Any, out_stride: int) -> None:
    """Makes absent again what was compared."""
    for n in range(count):
        i, j = touched[n, 0] * size, touched[n, 1] * size
        columns = min(size, b_windows - j)
        for row in range(i, min(i + size, a_windows)):
            at = (row + 1) * out_stride + 1 + j
            for c in range(at, at + columns):
                out[c] = ABSENT

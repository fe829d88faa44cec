"""The tile kernel: all windows of a chunk of A against all of a chunk of B, and the local minima among them.

Single precision finds where minima may be. Double precision decides wherever that is not certain, and computes the cost of
every minimum. So the result does not depend on how clips were cut into tiles.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from kinegraph.similarity.bounds import BLOCK, near_blocks
from kinegraph.similarity.deck import (
    A_AT,
    A_HEIGHT_AT,
    A_PANELS,
    ABSENT,
    B_AT,
    B_HEIGHT_AT,
    B_PANELS,
    BLOCK_AT,
    OTHER_AT,
    OWN_AT,
    PADDED,
    PLACE_AT,
    WINDOWS,
)
from kinegraph.similarity.exact import window_pair
from kinegraph.similarity.simd import COLUMNS, ROWS, SPAN, any_minimum, multiply_panel, window_distances

# frames of A whose products are held at a time: with the columns of a chunk they fit the second-level cache
_BAND = 8 * ROWS

# Single-precision error of a squared distance of windows of ten frames, as a part of how far their points lie from the
# centre of their chunks, one times the other: three times the largest seen on real clips.
ROUNDING = np.float32(2e-6)


class Scratch(NamedTuple):
    """The memory of one thread. Dots, crosses and heights are products of single frames, in rows of ``stride``."""

    dots: NDArray[np.float32]
    crosses: NDArray[np.float32]
    heights: NDArray[np.float32]
    stride: int
    out: NDArray[np.float32]
    """Squared distances of a tile with a border of absent ones, in rows of ``out_stride``."""
    out_stride: int
    panels: NDArray[np.uint8]
    """Which panels are needed."""


@njit(nogil=True, cache=True)
def make_scratch(tasks: Any, table: Any, window: int) -> Any:
    """Memory that is enough for all pairs of chunks ``tasks (n, 2)``."""
    rows = columns = padded = 0
    for n in range(tasks.shape[0]):
        rows = max(rows, table[tasks[n, 0], WINDOWS])
        columns = max(columns, table[tasks[n, 1], B_PANELS])
        padded = max(padded, table[tasks[n, 1], PADDED])
    # a span of windows at the right edge reads products up to a window beyond its last column
    stride = max(columns * COLUMNS, padded) + window + SPAN
    size = (_BAND + window) * stride
    out_stride = padded + 2
    return Scratch(
        np.zeros(size, np.float32),
        np.zeros(size, np.float32),
        np.zeros(size, np.float32),
        stride,
        np.empty((rows + 2) * out_stride + SPAN, np.float32),
        out_stride,
        np.zeros(((rows + window) // ROWS + 2, columns), np.uint8),
    )


@njit(nogil=True, cache=True)
def distances(cards: Any, a: Any, b: Any, taper: Any, near: Any, all_near: bool, scratch: Any) -> None:
    """Write the squared distances of all windows of chunks ``a`` and ``b`` (rows of the table) to the scratch, from row 1, column 1 on.

    near: ``(blocks, blocks)``; windows of blocks that are not near are absent, unless all are near.
    """
    window = taper.size
    depth = cards.depth
    stride, out_stride = scratch.stride, scratch.out_stride
    if not all_near:
        _mark_needed(near, a[A_PANELS], b[B_PANELS], window, scratch.panels)
    held = 0
    row = 0
    for band in range(0, a[A_PANELS], _BAND // ROWS):
        count = min(_BAND // ROWS, a[A_PANELS] - band)
        for column in range(b[B_PANELS]):
            b_at = b[B_AT] + column * 2 * depth * COLUMNS
            b_height_at = b[B_HEIGHT_AT] + column * depth * COLUMNS
            for panel in range(band, band + count):
                if not (all_near or scratch.panels[panel, column]):
                    continue
                a_at = a[A_AT] + panel * 2 * depth * ROWS
                a_height_at = a[A_HEIGHT_AT] + panel * depth * ROWS
                at = (held + (panel - band) * ROWS) * stride + column * COLUMNS
                multiply_panel(cards.a_plane, a_at, cards.b_plane, b_at, 2 * depth, scratch.dots, at, stride)
                multiply_panel(cards.a_plane, a_at, cards.b_turned, b_at, 2 * depth, scratch.crosses, at, stride)
                multiply_panel(
                    cards.a_height, a_height_at, cards.b_height, b_height_at, depth, scratch.heights, at, stride
                )
        held += count * ROWS
        # column by column: what a span of windows is made of then stays in the first-level cache for all rows
        ready = max(0, min(held - window + 1, a[WINDOWS] - row))
        for column in range(0, b[PADDED], SPAN):
            for n in range(ready):
                own_at = a[OWN_AT] + 3 * (row + n)
                target = (row + n + 1) * out_stride + 1 + column
                if not (all_near or _any_near(near, (row + n) // BLOCK, column // BLOCK)):
                    scratch.out[target : target + SPAN] = ABSENT
                    continue
                window_distances(
                    scratch.dots, scratch.crosses, scratch.heights, n * stride + column, stride, taper, window,
                    cards.own, own_at, cards.other, b[OTHER_AT] + column, b[PADDED], scratch.out, target,
                )  # fmt: skip
                if not all_near:
                    _blank(near, (row + n) // BLOCK, column // BLOCK, scratch.out, target)
        row += ready
        # the last frames belong to windows that end in the next band
        keep = min(held, window - 1)
        if keep < held:
            start, size = (held - keep) * stride, keep * stride
            for products in (scratch.dots, scratch.crosses, scratch.heights):
                products[:size] = products[start : start + size]
        held = keep
    _border(a[WINDOWS], b[WINDOWS], scratch.out, out_stride)


@njit(nogil=True, cache=True)
def _mark_needed(near: Any, rows: int, columns: int, window: int, panels: Any) -> None:
    """Marks in ``panels`` which panels of frames the windows of near blocks are made of."""
    panels[:] = 0
    for i in range(near.shape[0]):
        for j in range(near.shape[1]):
            if near[i, j]:
                last_row = min((i + 1) * BLOCK + window - 2, rows * ROWS - 1) // ROWS
                last_column = min((j + 1) * BLOCK + window - 2, columns * COLUMNS - 1) // COLUMNS
                panels[i * BLOCK // ROWS : last_row + 1, j * BLOCK // COLUMNS : last_column + 1] = 1


@njit(nogil=True, cache=True)
def _any_near(near: Any, row: int, column: int) -> bool:
    """Whether any block of a span of windows is near."""
    found = np.uint8(0)
    for j in range(column, min(column + SPAN // BLOCK, near.shape[1])):
        found |= near[row, j]
    return bool(found)


@njit(nogil=True, cache=True)
def _blank(near: Any, row: int, column: int, out: Any, at: int) -> None:
    """What lies in blocks that are not near was made of products that were not computed."""
    for n in range(SPAN // BLOCK):
        if column + n >= near.shape[1] or not near[row, column + n]:
            out[at + n * BLOCK : at + (n + 1) * BLOCK] = ABSENT


@njit(nogil=True, cache=True)
def _border(rows: int, columns: int, out: Any, stride: int) -> None:
    """Absent windows around the tile, so that every window has eight neighbours."""
    out[:stride] = ABSENT
    out[(rows + 1) * stride : (rows + 2) * stride] = ABSENT
    for i in range(1, rows + 1):
        out[i * stride] = ABSENT
        out[i * stride + columns + 1] = ABSENT


@njit(nogil=True, cache=True)
def rounding(window: int) -> Any:
    """`ROUNDING` for windows of so many frames: the errors of their products are random, and add up as such."""
    return ROUNDING * np.float32(max(1.0, np.sqrt(window / 10)))


@njit(nogil=True, cache=True)
def _pick(out: Any, start: int, stride: int, count: int, limit: Any, row: Any, reach: Any, picked: Any) -> int:
    """Columns, from 1 on, of the windows of a row that may be minima, and whether that is sure; how many there are.

    row: the rounding of the row for each metre of ``reach``, of every span.
    """
    found = 0
    for low in range(1, count + 1, SPAN):
        # most spans hold none, which is told for all their windows at once
        doubt = row * reach[low // SPAN]
        if not any_minimum(out, start + low, stride, limit + doubt, doubt):
            continue
        for j in range(low, min(low + SPAN, count + 1)):
            at = start + j
            value = out[at]
            if value > limit + doubt:
                continue
            least = min(out[at - 1], out[at + 1])
            for k in range(at - 1, at + 2):
                least = min(least, out[k - stride], out[k + stride])
            if value <= least + doubt:
                picked[found, 0] = j
                picked[found, 1] = value + doubt < least
                found += 1
    return found


@njit(nogil=True, cache=True)
def _is_minimum(
    points: Any,
    frames: Any,
    a_at: int,
    b_at: int,
    weights: Any,
    out: Any,
    stride: int,
    at: int,
    doubt: Any,
    swapped: bool,
) -> bool:
    """Whether no neighbour that exists lies below, in double precision; of equal ones the first in A, then in B,
    counts.

    Only neighbours that single precision cannot tell apart are looked at. swapped: rows of ``out`` are B's windows.
    """
    value = window_pair(points, frames, a_at, points, frames, b_at, weights)[0]
    tried = 0
    while True:
        # the likeliest first: the lowest of those not yet tried
        lowest = out[at] + 2 * doubt
        da = db = 0
        for n in range(9):
            i, j = n // 3 - 1, n % 3 - 1
            near = out[at + (j * stride + i if swapped else i * stride + j)]
            if n != 4 and not tried >> n & 1 and near <= lowest:
                lowest, da, db = near, i, j
        if da == 0 and db == 0:
            return True
        tried |= 1 << (3 * da + db + 4)
        near = window_pair(points, frames, a_at + da, points, frames, b_at + db, weights)[0]
        if near < value or (near == value and (da < 0 or (da == 0 and db < 0))):
            return False


@njit(nogil=True, cache=True)
def _minima(
    cards: Any,
    task: Any,
    weights: Any,
    wanted: Any,
    limit: float,
    scratch: Any,
    picked: Any,
    found: Any,
    costs: Any,
    count: int,
) -> Any:
    """Writes the minima of a tile behind the ``count`` that are found so far; the arrays, grown where needed, and the
    new count.
    """
    a, b = cards.table[task[0]], cards.table[task[1]]
    window = weights.size
    out, stride = scratch.out, scratch.out_stride
    most = np.float32(min(limit * limit, float(ABSENT) / 4))
    spans = b[OTHER_AT] // (3 * SPAN)
    reach = cards.span_reach[spans : spans + b[PADDED] // SPAN]
    for i in range(1, a[WINDOWS] + 1):
        row_clip, row_window = cards.places[a[PLACE_AT] + i - 1]
        if row_clip < 0:
            continue
        start = i * stride
        row = rounding(window) * cards.reach[a[PLACE_AT] + i - 1]
        for n in range(_pick(out, start, stride, b[WINDOWS], most, row, reach, picked)):
            j, sure = picked[n]
            doubt = row * reach[(j - 1) // SPAN]
            column_clip, column_window = cards.places[b[PLACE_AT] + j - 1]
            swapped = column_clip < row_clip
            # a chunk against itself holds every pair of its clips twice
            if column_clip < 0 or (swapped and task[0] == task[1]):
                continue
            one, two, first, second = row_clip, column_clip, row_window, column_window
            if swapped:
                one, two, first, second = column_clip, row_clip, column_window, row_window
            if (one == two and second - first < window) or not wanted[one, two]:
                continue
            a_at, b_at = cards.starts[one] + first, cards.starts[two] + second
            if not sure and not _is_minimum(
                cards.points, cards.frames, a_at, b_at, weights, out, stride, start + j, doubt, swapped
            ):
                continue
            cost = np.sqrt(window_pair(cards.points, cards.frames, a_at, cards.points, cards.frames, b_at, weights)[0])
            if cost > limit:
                continue
            if count == costs.size:
                more, dearer = np.empty((2 * count, 4), np.int32), np.empty(2 * count)
                more[:count] = found
                dearer[:count] = costs
                found, costs = more, dearer
            found[count, 0] = one
            found[count, 1] = two
            found[count, 2] = first
            found[count, 3] = second
            costs[count] = cost
            count += 1
    return found, costs, count


@njit(nogil=True, cache=True)
def sweep(cards: Any, tasks: Any, weights: Any, wanted: Any, limit: float, bounded: bool) -> Any:
    """The minima up to ``limit`` metres of every pair of chunks ``tasks (n, 2)``.

    wanted: ``(clips, clips)``, which pairs of clips count, smaller number first. Windows of one clip that begin less than a
    window apart are trivial matches and do not count. bounded: skip what is above the limit by the lower bound of `bounds`.
    Returns clip, clip, first, second ``(m, 4)`` int32 and cost ``(m,)`` in metres.
    """
    taper = weights.astype(np.float32)
    scratch = make_scratch(tasks, cards.table, weights.size)
    picked = np.zeros((scratch.out_stride, 2), np.int64)
    near = np.zeros((1, 1), np.uint8)
    found, costs, count = np.empty((1024, 4), np.int32), np.empty(1024), 0
    for n in range(tasks.shape[0]):
        a, b = cards.table[tasks[n, 0]], cards.table[tasks[n, 1]]
        if bounded:
            near = np.zeros((-(-a[WINDOWS] // BLOCK), -(-b[WINDOWS] // BLOCK)), np.uint8)
            a_to, b_to = a[BLOCK_AT] + near.shape[0], b[BLOCK_AT] + near.shape[1]
            if not near_blocks(
                cards.means[a[BLOCK_AT] : a_to], cards.radii[a[BLOCK_AT] : a_to],
                cards.means[b[BLOCK_AT] : b_to], cards.radii[b[BLOCK_AT] : b_to], np.float32(limit), near,
            ):  # fmt: skip
                continue
        distances(cards, a, b, taper, near, not bounded, scratch)
        found, costs, count = _minima(cards, tasks[n], weights, wanted, limit, scratch, picked, found, costs, count)
    return found[:count], costs[:count]

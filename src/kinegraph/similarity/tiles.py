"""The tile kernel: all windows of a chunk of A against all of a chunk of B, and the local minima among them.

Single precision finds where minima may be. Double precision decides wherever that is not certain, and computes the cost of
every minimum. So the result does not depend on how clips were cut into tiles.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinegraph.compiled import njit
from kinegraph.similarity.deck import (
    A_AT,
    A_HEIGHT_AT,
    A_PANELS,
    ABSENT,
    B_AT,
    B_HEIGHT_AT,
    B_PANELS,
    OTHER_AT,
    OWN_AT,
    PADDED,
    PLACE_AT,
    WINDOWS,
)
from kinegraph.similarity.exact import window_pair
from kinegraph.similarity.sieve import clear, make_sieve, near_distances
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
        np.full((rows + 2) * out_stride + SPAN, ABSENT, np.float32),
        out_stride,
    )


@njit(nogil=True, cache=True)
def distances(cards: Any, a: Any, b: Any, taper: Any, scratch: Any) -> None:
    """Write the squared distances of all windows of chunks ``a`` and ``b`` (rows of the table) to the scratch, from row 1, column 1 on."""
    window = taper.size
    depth = cards.depth
    stride, out_stride = scratch.stride, scratch.out_stride
    held = 0
    row = 0
    for band in range(0, a[A_PANELS], _BAND // ROWS):
        count = min(_BAND // ROWS, a[A_PANELS] - band)
        for column in range(b[B_PANELS]):
            b_at = b[B_AT] + column * 2 * depth * COLUMNS
            b_height_at = b[B_HEIGHT_AT] + column * depth * COLUMNS
            for panel in range(band, band + count):
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
                window_distances(
                    scratch.dots, scratch.crosses, scratch.heights, n * stride + column, stride + 1, taper, window,
                    cards.own, a[OWN_AT] + 3 * (row + n), cards.other, b[OTHER_AT] + column, b[PADDED],
                    scratch.out, (row + n + 1) * out_stride + 1 + column,
                )  # fmt: skip
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
def _maybe(out: Any, at: int, stride: int, limit: Any, doubt: Any) -> int:
    """Whether the value at that place may be a minimum up to ``limit``, as far as single precision tells: 0 no, 1 perhaps, 2 surely."""
    value = out[at]
    # along the diagonal, where most have a lower one, first
    if value > limit + doubt or out[at + stride + 1] < value - doubt or out[at - stride - 1] < value - doubt:
        return 0
    least = min(out[at - 1], out[at + 1])
    for k in range(at - 1, at + 2):
        least = min(least, out[k - stride], out[k + stride])
    if value > least + doubt:
        return 0
    return 2 if value + doubt < least else 1


@njit(nogil=True, cache=True)
def _grown(picked: Any, count: int) -> Any:
    """The same, with room for more."""
    if count + SPAN < picked.shape[0]:
        return picked
    more = np.empty((2 * picked.shape[0] + SPAN, 3), np.int32)
    more[:count] = picked[:count]
    return more


@njit(nogil=True, cache=True)
def _pick_all(
    out: Any,
    stride: int,
    rows: int,
    columns: int,
    limit: Any,
    places: Any,
    row_reach: Any,
    reach: Any,
    rounding: Any,
    picked: Any,
) -> Any:
    """Row, column (both from 1 on) and sureness of all windows of a tile that may be minima; how many there are.

    reach: of every span. Most spans hold none, which is told for all their windows at once.
    """
    count = 0
    for i in range(1, rows + 1):
        if places[i - 1, 0] < 0:
            continue
        for low in range(1, columns + 1, SPAN):
            doubt = rounding * row_reach[i - 1] * reach[low // SPAN]
            if not any_minimum(out, i * stride + low, stride, limit + doubt, doubt):
                continue
            picked = _grown(picked, count)
            for j in range(low, min(low + SPAN, columns + 1)):
                sure = _maybe(out, i * stride + j, stride, limit, doubt)
                if sure:
                    picked[count] = i, j, sure
                    count += 1
    return picked, count


@njit(nogil=True, cache=True)
def _pick_near(
    out: Any, stride: int, rows: int, columns: int, limit: Any, places: Any, row_reach: Any, reach: Any, rounding: Any, picked: Any,
    touched: Any, leaves: int, size: int,
) -> Any:  # fmt: skip
    """As `_pick_all`, of the ``leaves`` pairs of leaves of ``size`` windows that were ``touched``."""
    count = 0
    for n in range(leaves):
        top, left = touched[n, 0] * size + 1, touched[n, 1] * size + 1
        for i in range(top, min(top + size, rows + 1)):
            if places[i - 1, 0] < 0:
                continue
            row = rounding * row_reach[i - 1]
            for j in range(left, min(left + size, columns + 1)):
                sure = _maybe(out, i * stride + j, stride, limit, row * reach[(j - 1) // SPAN])
                if sure:
                    picked = _grown(picked, count)
                    picked[count] = i, j, sure
                    count += 1
    return picked, count


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
    anew: bool,
) -> bool:
    """Whether no neighbour that exists lies below, in double precision; of equal ones the first in A, then in B,
    counts.

    Only neighbours that single precision cannot tell apart are looked at. swapped: rows of ``out`` are B's windows. anew: the moment
    before counts as another one even if it is equal (`_anew`).
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
        if near < value:
            return False
        if near == value and (da < 0 or (da == 0 and db < 0)) and not (anew and da == -1 and db == -1):
            return False


@njit(nogil=True, cache=True)
def _anew(first: int, window: int) -> bool:
    """Whether a window of A is the first of half a window of frames.

    A cycle is as near to itself a step later all along. It shall be left not only where it begins but, if half a window
    has passed, again.
    """
    return first % max(1, window // 2) == 0


class KeptMinima(NamedTuple):
    """Minima found so far, in arrays that may be longer: clip, clip, first, second ``(…, 4)`` and costs."""

    places: NDArray[np.int32]
    costs: NDArray[np.float64]
    number: int


@njit(nogil=True, cache=True)
def _keep(
    cards: Any, task: Any, weights: Any, wanted: Any, limit: float, scratch: Any, picked: Any, number: int, kept: Any
) -> Any:
    """Adds those of the ``number`` windows ``picked`` of a tile that are minima."""
    a, b = cards.table[task[0]], cards.table[task[1]]
    window = weights.size
    out, stride = scratch.out, scratch.out_stride
    points, frames = cards.points, cards.frames
    spans = b[OTHER_AT] // (3 * SPAN)
    places, costs, count = kept
    for n in range(number):
        i, j, sure = picked[n]
        row_clip, row_window = cards.places[a[PLACE_AT] + i - 1]
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
        doubt = rounding(window) * cards.reach[a[PLACE_AT] + i - 1] * cards.span_reach[spans + (j - 1) // SPAN]
        if sure < 2 and not _is_minimum(
            points, frames, a_at, b_at, weights, out, stride, i * stride + j, doubt, swapped, _anew(first, window)
        ):
            continue
        cost = np.sqrt(window_pair(points, frames, a_at, points, frames, b_at, weights)[0])
        if cost > limit:
            continue
        if count == costs.size:
            more, dearer = np.empty((2 * count, 4), np.int32), np.empty(2 * count)
            more[:count] = places
            dearer[:count] = costs
            places, costs = more, dearer
        places[count, 0] = one
        places[count, 1] = two
        places[count, 2] = first
        places[count, 3] = second
        costs[count] = cost
        count += 1
    return KeptMinima(places, costs, count)


@njit(nogil=True, cache=True)
def sweep(cards: Any, tasks: Any, weights: Any, wanted: Any, limit: float, bounded: bool) -> Any:
    """The minima up to ``limit`` metres of every pair of chunks ``tasks (n, 2)``.

    wanted: ``(clips, clips)``, which pairs of clips count, smaller number first. Windows of one clip that begin less than a
    window apart are trivial matches and do not count. bounded: skip what is above the limit by the lower bounds of `bounds`.
    Returns clip, clip, first, second ``(m, 4)`` int32 and cost ``(m,)`` in metres.
    """
    taper = weights.astype(np.float32)
    scratch = make_scratch(tasks, cards.table, weights.size)
    sieve = make_sieve(cards.leaves.table, cards.leaves.size, weights.size)
    picked = np.empty((1024, 3), np.int32)
    most = np.float32(min(limit * limit, float(ABSENT) / 4))
    kept = KeptMinima(np.empty((1024, 4), np.int32), np.empty(1024), 0)
    out, stride = scratch.out, scratch.out_stride
    size, unit = cards.leaves.size, rounding(weights.size)
    for n in range(tasks.shape[0]):
        one, two = tasks[n]
        a, b = cards.table[one], cards.table[two]
        rows, columns = a[WINDOWS], b[WINDOWS]
        places = cards.places[a[PLACE_AT] : a[PLACE_AT] + rows]
        row_reach = cards.reach[a[PLACE_AT] : a[PLACE_AT] + rows]
        spans = b[OTHER_AT] // (3 * SPAN)
        reach = cards.span_reach[spans : spans + b[PADDED] // SPAN]
        if bounded:
            leaves = near_distances(cards, one, two, taper, np.float32(limit), sieve, out, stride)
            picked, count = _pick_near(
                out, stride, rows, columns, most, places, row_reach, reach, unit, picked, sieve.touched, leaves, size
            )
            kept = _keep(cards, tasks[n], weights, wanted, limit, scratch, picked, count, kept)
            clear(sieve.touched, leaves, size, rows, columns, out, stride)
        else:
            distances(cards, a, b, taper, scratch)
            picked, count = _pick_all(out, stride, rows, columns, most, places, row_reach, reach, unit, picked)
            kept = _keep(cards, tasks[n], weights, wanted, limit, scratch, picked, count, kept)
    return kept.places[: kept.number], kept.costs[: kept.number]

"""The tile kernel: all windows of a chunk of A against all of a chunk of B, and the local minima among them.

Single precision finds where minima may be; wherever it cannot be sure, and for the cost of every minimum, double
precision decides. The result therefore does not depend on how clips were cut into tiles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

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
from kinegraph.similarity.simd import COLUMNS, ROWS, SPAN, multiply_panel, window_distances

# frames of A whose products are held at a time: with the columns of a chunk they fit the second-level cache
_BAND = 8 * ROWS

# Single-precision error of a squared distance, as a part of the scales of the two chunks: four times the largest seen
# on real clips.
ROUNDING = np.float32(1e-6)

_PANEL_ROWS, _PANEL_COLUMNS, _SPAN = ROWS, COLUMNS, SPAN


@njit(nogil=True, cache=True)
def _distances(
    a: Any, b: Any, depth: int, a_plane: Any, a_height: Any, b_plane: Any, b_turned: Any, b_height: Any,
    own: Any, other: Any, taper: Any, dots: Any, crosses: Any, heights: Any, stride: int, out: Any, out_stride: int,
) -> None:  # fmt: skip
    """Squared distances of all windows of chunk ``a`` and chunk ``b`` into ``out`` from row 1, column 1 on."""
    frames = taper.size
    held = 0
    row = 0
    plane_panel, height_panel = 2 * depth * _PANEL_ROWS, depth * _PANEL_ROWS
    plane_column, height_column = 2 * depth * _PANEL_COLUMNS, depth * _PANEL_COLUMNS
    for band in range(0, a[A_PANELS], _BAND // _PANEL_ROWS):
        panels = min(_BAND // _PANEL_ROWS, a[A_PANELS] - band)
        for column in range(b[B_PANELS]):
            for panel in range(panels):
                at = (held + panel * _PANEL_ROWS) * stride + column * _PANEL_COLUMNS
                plane_at = a[A_AT] + (band + panel) * plane_panel
                column_at = b[B_AT] + column * plane_column
                multiply_panel(a_plane, plane_at, b_plane, column_at, 2 * depth, dots, at, stride)
                multiply_panel(a_plane, plane_at, b_turned, column_at, 2 * depth, crosses, at, stride)
                height_at = a[A_HEIGHT_AT] + (band + panel) * height_panel
                multiply_panel(
                    a_height, height_at, b_height, b[B_HEIGHT_AT] + column * height_column, depth, heights, at, stride
                )
        held += panels * _PANEL_ROWS
        ready = min(held - frames + 1, a[WINDOWS] - row)
        for n in range(ready):
            mine = own[a[OWN_AT] + 3 * row : a[OWN_AT] + 3 * row + 3]
            for column in range(0, b[PADDED], _SPAN):
                window_distances(
                    dots, crosses, heights, n * stride + column, stride, taper, frames,
                    mine, other, b[OTHER_AT] + column, b[PADDED], out, (row + 1) * out_stride + 1 + column,
                )  # fmt: skip
            row += 1
        # the last frames belong to windows that end in the next band
        keep = min(held, frames - 1)
        if keep < held:
            start, size = (held - keep) * stride, keep * stride
            dots[:size] = dots[start : start + size]
            crosses[:size] = crosses[start : start + size]
            heights[:size] = heights[start : start + size]
        held = keep


@njit(nogil=True, cache=True, fastmath={"nnan", "ninf", "nsz"})
def _mark(above: Any, here: Any, below: Any, low: int, high: int, limit: Any, doubt: Any, marks: Any) -> Any:
    """Marks columns low … high−1 that may be minima: 1 surely, 2 perhaps. True if there is any."""
    any_mark = np.uint8(0)
    for j in range(low, high):
        least = min(
            min(min(above[j - 1], above[j]), min(above[j + 1], here[j - 1])),
            min(min(here[j + 1], below[j - 1]), min(below[j], below[j + 1])),
        )
        value = here[j]
        maybe = np.uint8(value <= min(least + doubt, limit))
        mark = maybe + (maybe & np.uint8(value + doubt >= least))
        marks[j] = mark
        any_mark |= mark
    return any_mark


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
    for da in range(-1, 2):
        for db in range(-1, 2):
            near_at = at + (db * stride + da if swapped else da * stride + db)
            if (da == 0 and db == 0) or abs(out[near_at] - out[at]) > 2 * doubt:
                continue
            near = window_pair(points, frames, a_at + da, points, frames, b_at + db, weights)[0]
            if near < value or (near == value and (da < 0 or (da == 0 and db < 0))):
                return False
    return True


@njit(nogil=True, cache=True)
def sweep(
    tasks: Any, table: Any, places: Any, scale: Any, depth: int, a_plane: Any, a_height: Any, b_plane: Any, b_turned:
    Any, b_height: Any, own: Any, other: Any, points: Any, frames: Any, starts: Any, wanted: Any, weights: Any, limit:
    float,
) -> Any:  # fmt: skip
    """Minima not above ``limit`` metres of every pair of chunks ``tasks (n, 2)``.

    wanted: ``(clips, clips)``, which pairs of clips count, the smaller number first. Windows of one clip that begin
    less than a window apart are trivial matches. Returns clip, clip, first, second ``(m, 4)`` int32 and cost ``(m,)``
    in metres."""
    window = weights.size
    taper = weights.astype(np.float32)
    rows = columns = padded = 0
    for n in range(tasks.shape[0]):
        rows = max(rows, table[tasks[n, 0], WINDOWS])
        columns = max(columns, table[tasks[n, 1], B_PANELS] * _PANEL_COLUMNS)
        padded = max(padded, table[tasks[n, 1], PADDED])
    # a span of windows at the right edge reads products up to a window beyond its last column
    stride = max(columns, padded) + window + _SPAN
    size = (_BAND + window) * stride
    dots, crosses, heights = np.zeros(size, np.float32), np.zeros(size, np.float32), np.zeros(size, np.float32)
    out_stride = padded + 2
    out = np.empty((rows + 2) * out_stride + _SPAN, np.float32)
    marks = np.zeros(out_stride, np.uint8)
    count = 0
    room = 1024
    found = np.empty((room, 4), np.int32)
    costs = np.empty(room)
    for n in range(tasks.shape[0]):
        a, b = table[tasks[n, 0]], table[tasks[n, 1]]
        _distances(
            a, b, depth, a_plane, a_height, b_plane, b_turned, b_height, own, other, taper,
            dots, crosses, heights, stride, out, out_stride,
        )  # fmt: skip
        last = a[WINDOWS] + 1
        out[:out_stride] = ABSENT
        out[last * out_stride : (last + 1) * out_stride] = ABSENT
        for i in range(1, last):
            out[i * out_stride] = ABSENT
            out[i * out_stride + b[WINDOWS] + 1] = ABSENT
        doubt = ROUNDING * np.float32(scale[tasks[n, 0]] + scale[tasks[n, 1]])
        most = np.float32(limit * limit) + doubt
        for i in range(1, last):
            row_clip, row_window = places[a[PLACE_AT] // 2 + i - 1]
            if row_clip < 0:
                continue
            start = i * out_stride
            above = out[start - out_stride : start]
            here = out[start : start + out_stride]
            below = out[start + out_stride : start + 2 * out_stride]
            if not _mark(above, here, below, 1, 1 + b[WINDOWS], most, doubt, marks):
                continue
            for j in range(1, 1 + b[WINDOWS]):
                if marks[j] == 0:
                    continue
                column_clip, column_window = places[b[PLACE_AT] // 2 + j - 1]
                if column_clip < 0:
                    continue
                swapped = column_clip < row_clip
                one, two, first, second = row_clip, column_clip, row_window, column_window
                if swapped:
                    one, two, first, second = column_clip, row_clip, column_window, row_window
                if (one == two and second - first < window) or not wanted[one, two]:
                    continue
                # a chunk against itself holds every pair of its clips twice
                if swapped and tasks[n, 0] == tasks[n, 1]:
                    continue
                a_at, b_at = starts[one] + first, starts[two] + second
                if marks[j] == 2 and not _is_minimum(
                    points, frames, a_at, b_at, weights, out, out_stride, start + j, doubt, swapped
                ):
                    continue
                cost = np.sqrt(window_pair(points, frames, a_at, points, frames, b_at, weights)[0])
                if cost > limit:
                    continue
                if count == room:
                    room *= 2
                    more, dearer = np.empty((room, 4), np.int32), np.empty(room)
                    more[:count] = found
                    dearer[:count] = costs
                    found, costs = more, dearer
                found[count, 0] = one
                found[count, 1] = two
                found[count, 2] = first
                found[count, 3] = second
                costs[count] = cost
                count += 1
    return found[:count], costs[:count]

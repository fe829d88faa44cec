"""Who stands near whom, compiled: a uniform grid over points on the floor, filled by counting.

Points are put into the order of their cells, so that the neighbours of a point lie in a few runs of memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.compiled import njit


class Cells(NamedTuple):
    """Points in the order of the cells that they lie in."""

    x: float
    """The corner of the first cell."""
    z: float
    size: float
    """The side of a cell in metres."""
    columns: int
    rows: int
    first: Longs
    """``(columns · rows + 1,)``: where the points of a cell begin."""
    order: Longs
    """``(N,)``: which point is at a place of that order."""


@njit(cache=True, nogil=True)
def grid_of(points: Array, size: float) -> Cells:
    """The grid of points ``(N, 2)`` with cells of ``size``, larger ones where most would be empty."""
    count = len(points)
    low_x = high_x = points[0, 0]
    low_z = high_z = points[0, 1]
    for k in range(count):
        low_x, high_x = min(low_x, points[k, 0]), max(high_x, points[k, 0])
        low_z, high_z = min(low_z, points[k, 1]), max(high_z, points[k, 1])
    most = 8 * count + 64
    while (np.floor((high_x - low_x) / size) + 1.0) * (np.floor((high_z - low_z) / size) + 1.0) > most:
        size *= 1.5
    columns, rows = int((high_x - low_x) / size) + 1, int((high_z - low_z) / size) + 1
    cell = np.empty(count, np.int64)
    first = np.zeros(columns * rows + 1, np.int64)
    for k in range(count):
        own = int((points[k, 1] - low_z) / size) * columns + int((points[k, 0] - low_x) / size)
        cell[k] = own
        first[own + 1] += 1
    for k in range(columns * rows):
        first[k + 1] += first[k]
    order, filled = np.empty(count, np.int64), first[:-1].copy()
    for k in range(count):
        order[filled[cell[k]]] = k
        filled[cell[k]] += 1
    return Cells(low_x, low_z, size, columns, rows, first, order)


@njit(cache=True, nogil=True)
def run_of(grid: Cells, x: float, reach: float, row: int) -> tuple[int, int]:
    """The run of the grid's order that holds what lies in one ``row`` of cells within ``reach`` of ``x``."""
    left = max(int(np.floor((x - reach - grid.x) / grid.size)), 0)
    right = min(int(np.floor((x + reach - grid.x) / grid.size)), grid.columns - 1)
    if right < left:
        return 0, 0
    return grid.first[row * grid.columns + left], grid.first[row * grid.columns + right + 1]


@njit(cache=True, nogil=True)
def rows_of(grid: Cells, z: float, reach: float) -> tuple[int, int]:
    """The rows of cells, first and beyond the last, within ``reach`` of ``z``."""
    low = max(int(np.floor((z - reach - grid.z) / grid.size)), 0)
    high = min(int(np.floor((z + reach - grid.z) / grid.size)), grid.rows - 1)
    return low, high + 1

"""How far walls are from everywhere, compiled."""

from __future__ import annotations

from typing import NamedTuple

from kinegraph.arrays import Array
from kinegraph.compiled import njit


class Field(NamedTuple):
    """How far walls are, on a grid."""

    x: float
    z: float
    cell: float
    clear: Array
    """``(H, W)``: metres to the nearest wall, below 0 inside of obstacles; empty where there is none."""


@njit(cache=True, nogil=True)
def clearing(field: Field, x: float, z: float) -> float:
    """Metres to the nearest wall."""
    height, width = field.clear.shape
    u = min(max((x - field.x) / field.cell, 0.0), width - 1.001)
    v = min(max((z - field.z) / field.cell, 0.0), height - 1.001)
    column, row = int(u), int(v)
    u, v = u - column, v - row
    own = field.clear
    low = (1.0 - u) * own[row, column] + u * own[row, column + 1]
    high = (1.0 - u) * own[row + 1, column] + u * own[row + 1, column + 1]
    return float((1.0 - v) * low + v * high)

"""Walks that arrive at each of the moments to come, the best of each kept: what the searches along a path and by a clock share. Compiled.

A walk is a row of `FLOATS` numbers, whose last is its rank, the lower the better, and a row of `INTEGERS` whole ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.compiled import njit

FLOATS, INTEGERS = 9, 5
RANK = FLOATS - 1


@njit(cache=True, nogil=True, forceinline=True)
def copy_row(target: Any, source: Any) -> None:
    """Value by value: assigning rows takes the compiler seconds, for all the shapes that it must foresee."""
    for k in range(source.size):
        target[k] = source[k]


@njit(cache=True, nogil=True)
def _trim(floats: Array, ints: NDArray[np.int64], keep: int) -> float:
    """Keep the best ``keep`` of full arrays ``(C, FLOATS)`` and ``(C, INTEGERS)``, in front; the rank of the worst of them."""
    order = np.argsort(floats[:, RANK])
    held, numbers = floats.copy(), ints.copy()
    for k in range(keep):
        copy_row(floats[k], held[order[k]])
        copy_row(ints[k], numbers[order[k]])
    worst: float = held[order[keep - 1], RANK]
    return worst


@njit(cache=True, nogil=True, inline="always")
def let_in(
    floats: Array,
    ints: NDArray[np.int64],
    waiting: NDArray[np.int64],
    cut: Array,
    slot: int,
    values: Array,
    numbers: NDArray[np.int64],
) -> None:
    """Let a walk in at the moment of a slot, if it ranks well enough.

    floats ``(R, C, FLOATS)`` and ints ``(R, C, INTEGERS)``: the walks that arrive at each of R moments. waiting ``(R,)``: how many
    these are. cut ``(R,)``: walks of a higher rank are not let in.
    """
    if values[RANK] < cut[slot]:
        if waiting[slot] == floats.shape[1]:
            waiting[slot] = 2 * floats.shape[1] // 3
            cut[slot] = _trim(floats[slot], ints[slot], waiting[slot])
        n = waiting[slot]
        for k in range(FLOATS):
            floats[slot, n, k] = values[k]
        for k in range(INTEGERS):
            ints[slot, n, k] = numbers[k]
        waiting[slot] = n + 1

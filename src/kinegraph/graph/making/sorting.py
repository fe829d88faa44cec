"""Sorting by small numbers, in two passes over them instead of a comparison of each with many."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Longs
from kinegraph.compiled import njit


def grouped(numbers: NDArray[np.integer], count: int) -> tuple[Longs, Longs]:
    """Places ordered by their number, which lies below ``count``, and as they come where that is the same; and where each number begins
    ``(count + 1,)``.
    """
    order, starts = _grouped(np.ascontiguousarray(numbers), count)
    return order, starts


@njit(cache=True, nogil=True)
def _grouped(numbers: Any, count: int) -> Any:
    starts = np.zeros(count + 1, np.int64)
    for n in range(numbers.size):
        starts[numbers[n] + 1] += 1
    for number in range(count):
        starts[number + 1] += starts[number]
    at, order = starts[:-1].copy(), np.empty(numbers.size, np.int64)
    for n in range(numbers.size):
        order[at[numbers[n]]] = n
        at[numbers[n]] += 1
    return order, starts

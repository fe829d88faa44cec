"""The inner loops of following a walker along a path and of a gentle warp, which run thousands of times for a walk. Compiled.

Imported where they are called: a command that needs neither does not wait for the compiler's library.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from kinegraph.motion.rotation import Array


@njit(cache=True, nogil=True)
def track(
    points: Array,
    directions: Array,
    steps: Array,
    lengths: Array,
    walker: Array,
    reaches: Array,
    here: float,
    behind: float,
    distance: Array,
    s: Array,
) -> None:
    """`search.track` over the segments of a polyline, told by their first points ``(N, 2)``, directions, steps and arc lengths ``(N,)``,
    for a walker at ``(F, 2)`` that looks ``reaches (F,)`` ahead of ``here``; into ``distance (F,)`` and ``s (F,)``.
    """
    count = steps.size
    end = lengths[count]
    # the first segment that may lie in a window; windows only move on, but for what a walker looks back
    first = 0
    for frame in range(walker.shape[0]):
        x, z = walker[frame, 0], walker[frame, 1]
        low, high = max(here - behind, 0.0), min(here + reaches[frame], end)
        while first > 0 and lengths[first] > low:
            first -= 1
        while first < count - 1 and lengths[first + 1] <= low:
            first += 1
        best, place = np.inf, here
        for k in range(first, count):
            begin = lengths[k]
            if begin >= high and k > first:
                break
            dx, dz = x - points[k, 0], z - points[k, 1]
            # held to the segment, and to the part of it inside the window
            least, most = max(low - begin, 0.0), min(steps[k], high - begin)
            along = min(max(dx * directions[k, 0] + dz * directions[k, 1], least), most)
            ax, az = dx - along * directions[k, 0], dz - along * directions[k, 1]
            square = ax * ax + az * az
            if square < best:
                best, place = square, begin + along
        here = max(here, place)
        distance[frame], s[frame] = np.sqrt(best), here


@njit(cache=True, nogil=True)
def solve_banded(factor: Array, x: Array) -> None:
    """Solve U'U x = b in place, ``x (n,)`` being b, for the upper bands ``factor (W, n)`` of U as SciPy stores them: the diagonal last."""
    width, count = factor.shape[0] - 1, factor.shape[1]
    for i in range(count):
        total = x[i]
        for k in range(1, min(width, i) + 1):
            total -= factor[width - k, i] * x[i - k]
        x[i] = total / factor[width, i]
    for i in range(count - 1, -1, -1):
        total = x[i]
        for k in range(1, min(width, count - 1 - i) + 1):
            total -= factor[width - k, i + k] * x[i + k]
        x[i] = total / factor[width, i]


@njit(cache=True, nogil=True, forceinline=True)
def multiply(data: Array, columns: NDArray[np.int32], first: NDArray[np.int32], x: Array, out: Array) -> None:
    """``out (R,)``: a sparse matrix by compressed rows, times ``x``."""
    for row in range(out.size):
        total = 0.0
        for k in range(first[row], first[row + 1]):
            total += data[k] * x[columns[k]]
        out[row] = total


@njit(cache=True, nogil=True)
def rounds(
    count: int,
    factor: Array,
    wish: Array,
    weight: float,
    relaxation: float,
    data: Array,
    columns: NDArray[np.int32],
    first: NDArray[np.int32],
    across_data: Array,
    across_columns: NDArray[np.int32],
    across_first: NDArray[np.int32],
    x: Array,
    reached: Array,
    held: Array,
    dual: Array,
    before: Array,
) -> None:
    """So many rounds of the alternating directions of `bounded`, on its ``x (n,)`` and ``reached, held, dual, before (R,)``."""
    free = np.empty_like(held)
    for _ in range(count):
        for row in range(held.size):
            free[row] = held[row] - dual[row]
        multiply(across_data, across_columns, across_first, free, x)
        for k in range(x.size):
            x[k] = wish[k] + weight * x[k]
        solve_banded(factor, x)
        multiply(data, columns, first, x, reached)
        for row in range(held.size):
            relaxed = relaxation * reached[row] + (1.0 - relaxation) * held[row]
            before[row] = held[row]
            held[row] = min(max(relaxed + dual[row], -1.0), 1.0)
            dual[row] += relaxed - held[row]

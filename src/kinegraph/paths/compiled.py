"""The inner loops of following a walker along a path and of a gentle warp, compiled: they run thousands of times for a walk.

They are imported where they are called, so that a command that needs neither does not wait for the compiler's library.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.compiled import njit


@njit(cache=True, nogil=True)
def passes(places: Array, walker: Array, advance: NDArray[np.int64], first: int, last: int) -> NDArray[np.int64]:
    """At which of ``places (M, 2)`` along a path, in their order, a walker at ``(F, 2)`` is, so that it is nearest to them all in
    all: ``(F,)``.

    The number of the place never falls, grows by ``advance (F,)`` at most, and begins between ``first`` and ``last``.
    """
    frames, count = walker.shape[0], places.shape[0]
    cost, grown = np.full(count, np.inf), np.full(count, np.inf)
    step = np.zeros((frames, count), np.uint8)
    for k in range(first, last + 1):
        dx, dz = walker[0, 0] - places[k, 0], walker[0, 1] - places[k, 1]
        cost[k] = dx * dx + dz * dz
    low, high = first, last
    for frame in range(1, frames):
        most = min(advance[frame], 255)
        high = min(high + most, count - 1)
        for k in range(high, low - 1, -1):
            best, back = np.inf, 0
            for j in range(min(most, k - low) + 1):
                # of equals the one that has come further: it leaves the most to be seen
                if cost[k - j] < best:
                    best, back = cost[k - j], j
            dx, dz = walker[frame, 0] - places[k, 0], walker[frame, 1] - places[k, 1]
            grown[k] = best + dx * dx + dz * dz
            step[frame, k] = back
        cost, grown = grown, cost
    found = np.empty(frames, np.int64)
    place = low
    for k in range(low, high + 1):
        if cost[k] < cost[place]:
            place = k
    for frame in range(frames - 1, -1, -1):
        found[frame] = place
        place -= step[frame, place]
    return found


@njit(cache=True, nogil=True)
def track(
    points: Array,
    directions: Array,
    steps: Array,
    lengths: Array,
    walker: Array,
    lows: Array,
    highs: Array,
    distance: Array,
    s: Array,
) -> None:
    """The nearest place between ``lows (F,)`` and ``highs (F,)`` metres along a polyline, and its distance, for a walker at
    ``(F, 2)``; written to ``distance (F,)`` and ``s (F,)``. Both bounds never fall.

    The segments are given by their first points ``(N, 2)``, directions, steps and arc lengths ``(N,)``.
    """
    count = steps.size
    first = 0
    for frame in range(walker.shape[0]):
        x, z = walker[frame, 0], walker[frame, 1]
        low, high = lows[frame], highs[frame]
        while first < count - 1 and lengths[first + 1] <= low:
            first += 1
        best, place = np.inf, low
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
        distance[frame], s[frame] = np.sqrt(best), place


@njit(cache=True, nogil=True)
def factorise(bands: Array) -> None:
    """Turn the upper bands ``(W, n)`` of a symmetric positive definite matrix into those of its Cholesky factor U, in place.

    U'U is the matrix. Bands are stored as in SciPy, with the diagonal last.
    """
    width, count = bands.shape[0] - 1, bands.shape[1]
    for j in range(count):
        for i in range(max(0, j - width), j + 1):
            total = bands[width - (j - i), j]
            for k in range(max(0, j - width), i):
                total -= bands[width - (i - k), i] * bands[width - (j - k), j]
            if i < j:
                bands[width - (j - i), j] = total / bands[width, i]
            else:
                # what rounding has left of a stiff direction: it is not moved in
                bands[width, j] = np.sqrt(total) if total > 0.0 else 1e150


@njit(cache=True, nogil=True)
def solve(factor: Array, x: Array) -> None:
    """Solve U'U x = b for a factor from `factorise`, in place: ``x (n,)`` is b at first."""
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
    """``out (R,)``: a sparse matrix in compressed rows, times ``x``."""
    for row in range(out.size):
        total = 0.0
        for k in range(first[row], first[row + 1]):
            total += data[k] * x[columns[k]]
        out[row] = total


@njit(cache=True, nogil=True)
def stationary(bands: Array, wish: Array, x: Array, out: Array) -> None:
    """``out (n,)``: wish − H x, for the upper bands ``(W, n)`` of a symmetric H."""
    width, count = bands.shape[0] - 1, bands.shape[1]
    for i in range(count):
        out[i] = wish[i] - bands[width, i] * x[i]
    for i in range(count):
        for k in range(1, min(width, count - 1 - i) + 1):
            value = bands[width - k, i + k]
            out[i] -= value * x[i + k]
            out[i + k] -= value * x[i]


@njit(cache=True, nogil=True)
def within(
    bands: Array,
    wish: Array,
    data: Array,
    columns: NDArray[np.int32],
    first: NDArray[np.int32],
    close: float,
    most: int,
    x: Array,
) -> int:
    """Minimise ½ x'H x − wish'x with every |A x| < 1, by a primal-dual interior point method with Mehrotra's corrector.

    ``x (n,)`` is given as zeros and overwritten. H is given by its upper bands ``(W, n)``, A by compressed rows. Returns the number of
    steps, at most ``most``.

    It begins at 0, which satisfies all limits, and stays within them. ``above`` and ``below`` are the slacks 1 − A x and 1 + A x; ``up``
    and ``down`` are the forces with which the limits push back. It ends when the duality gap is smaller than the share ``close`` of the
    improvement so far.
    """
    width, count, rows = bands.shape[0] - 1, x.size, first.size - 1
    above, below = np.ones(rows), np.ones(rows)
    # forces that could hold the wish back, more or less
    largest = 0.0
    for k in range(count):
        largest = max(largest, abs(wish[k]))
    strongest = 1e-300
    for k in range(data.size):
        strongest = max(strongest, abs(data[k]))
    begin = max(largest / strongest, 1e-12)
    up, down = np.full(rows, begin), np.full(rows, begin)
    left, step, matrix = np.empty(count), np.empty(count), np.empty_like(bands)
    reach, push_up, push_down = np.empty(rows), np.empty(rows), np.empty(rows)
    for number in range(most):
        gap = 0.0
        for row in range(rows):
            gap += up[row] * above[row] + down[row] * below[row]
        stationary(bands, wish, x, left)
        won, unbalanced = 0.0, 0.0
        for k in range(count):
            # wish'x − ½ x'H x, since left = wish − H x
            won += 0.5 * x[k] * (wish[k] + left[k])
            step[k] = left[k]
        for row in range(rows):
            for k in range(first[row], first[row + 1]):
                step[columns[k]] -= data[k] * (up[row] - down[row])
        for k in range(count):
            unbalanced = max(unbalanced, abs(step[k]))
        if gap < close * won and unbalanced < close * largest:
            return number
        mean = gap / (2 * rows)
        for j in range(width + 1):
            for k in range(count):
                matrix[j, k] = bands[j, k]
        for row in range(rows):
            stiff = up[row] / above[row] + down[row] / below[row]
            for k in range(first[row], first[row + 1]):
                for m in range(first[row], first[row + 1]):
                    apart = columns[m] - columns[k]
                    if apart >= 0:
                        matrix[width - apart, columns[m]] += stiff * data[k] * data[m]
        factorise(matrix)
        # first straight at the limits, to see how far that goes; then to the middle between them by as much as that asks for
        target = 0.0
        for corrector in range(2):
            for k in range(count):
                step[k] = left[k]
            for row in range(rows):
                # with what the first step would have changed both by at once
                more_up = target - (push_up[row] * -reach[row] if corrector else 0.0)
                more_down = target - (push_down[row] * reach[row] if corrector else 0.0)
                force = more_up / above[row] - more_down / below[row]
                for k in range(first[row], first[row + 1]):
                    step[columns[k]] -= data[k] * force
                push_up[row], push_down[row] = more_up / above[row] - up[row], more_down / below[row] - down[row]
            solve(matrix, step)
            multiply(data, columns, first, step, reach)
            room = 1.0
            for k in range(count):
                if not np.isfinite(step[k]):
                    return most  # as near as numbers of this precision get
            for row in range(rows):
                push_up[row] += up[row] / above[row] * reach[row]
                push_down[row] -= down[row] / below[row] * reach[row]
                if reach[row] > 0:
                    room = min(room, above[row] / reach[row])
                elif reach[row] < 0:
                    room = min(room, -below[row] / reach[row])
                if push_up[row] < 0:
                    room = min(room, -up[row] / push_up[row])
                if push_down[row] < 0:
                    room = min(room, -down[row] / push_down[row])
            if corrector == 0:
                then = 0.0
                for row in range(rows):
                    then += (up[row] + room * push_up[row]) * (above[row] - room * reach[row])
                    then += (down[row] + room * push_down[row]) * (below[row] + room * reach[row])
                target = mean * (then / gap) ** 3
        if room < 1.0:
            room *= 0.995
        for k in range(count):
            x[k] += room * step[k]
        for row in range(rows):
            above[row] -= room * reach[row]
            below[row] += room * reach[row]
            up[row] += room * push_up[row]
            down[row] += room * push_down[row]
    return most

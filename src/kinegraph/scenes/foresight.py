"""What will be paid at least, from every node at every moment on: for labels, for other speeds and bends than are due, and for
transitions. Compiled.

Worked out from the end of time to its beginning, over graph and clock alone: where on the floor somebody is does not
matter for it. No walk can cost less, so that one which sets out in time for the next label or bend is never crowded out by
those that put it off, and nothing walks into a place from which the label cannot be had in time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from kinegraph.arrays import Array, Longs
from kinegraph.scenes.clock import M_CURVE, M_OFF_CURVE, M_OFF_PACE, M_PACE, M_TOLL


def runs(need: Longs, moments: Array) -> Longs:
    """Of each moment ``(T + 1,)``, until when what is asked for and what it costs stay as they are."""
    same = [need, *moments[:, [M_TOLL, M_PACE, M_OFF_PACE, M_CURVE, M_OFF_CURVE]].T]
    ends = np.flatnonzero(np.any([np.diff(one) != 0 for one in same], axis=0)) + 1
    ends = np.append(ends, len(need))
    return ends[np.searchsorted(ends, np.arange(len(need)), side="right")].astype(np.int64)


def slots(begin: Longs, starts: Longs) -> Longs:
    """Where the sums of edges are held that play rows from ``begin (E,)`` on. starts ``(C,)``: the first rows of clips and blends; each
    of these has one sum more than it has rows.
    """
    return begin + np.searchsorted(starts, begin, side="right") - 1


@njit(cache=True, nogil=True)
def _add_up(sums: Any, starts: Any, rows: int, now: Any, lack: Any, own: Any) -> None:
    """Of each clip and blend, what its rows before each cost, if it is played when ``now`` is due."""
    toll, pace, off_pace, curve, off_curve = now[M_TOLL], now[M_PACE], now[M_OFF_PACE], now[M_CURVE], now[M_OFF_CURVE]
    for part in range(starts.size):
        last = starts[part + 1] if part + 1 < starts.size else rows
        whole = 0.0
        sums[starts[part] + part] = 0.0
        for row in range(starts[part], last):
            slower, wider = own[row, 0] - pace, own[row, 1] - curve
            whole += toll * lack[row] + off_pace * slower * slower + off_curve * wider * wider
            sums[row + part + 1] = whole


@njit(cache=True, nogil=True)
def foresee(
    first: NDArray[np.int64],
    target: NDArray[np.int64],
    length: NDArray[np.int64],
    slot: NDArray[np.int64],
    starts: NDArray[np.int64],
    price: Array,
    need: NDArray[np.int64],
    until: NDArray[np.int64],
    moments: Array,
    lack: NDArray[np.float32],
    own: Array,
    goal: int,
    closing: Array,
    since: int,
) -> NDArray[np.float32]:
    """The least that is paid from each moment and node on ``(T + 1, N)``.

    The first three are those of `Tables`. slot, starts: see `slots`. price ``(E,)``: what an edge costs by itself, infinite if it may
    not be played. need, until, moments: what is asked of each moment, until when, and what else is due there. lack, own, goal, closing:
    as `Clock` has them. since: the first moment that is looked at.
    """
    last, nodes = need.size - 1, first.size - 1
    rows = np.zeros((last + 1, nodes), np.float32)
    number = np.zeros(last + 1, np.int64)
    for t in range(1, last + 1):
        number[t] = number[t - 1] + (until[t] != until[t - 1])
    # sums are held for as many runs as an edge can last
    longest, depth = length.max(), 1
    for t in range(last + 1):
        depth = max(depth, number[min(t + longest, last)] - number[t] + 1)
    sums = np.zeros((depth, own.shape[0] + starts.size), np.float32)
    for t in range(last, since - 1, -1):
        if t == last or number[t] != number[t + 1]:
            _add_up(sums[number[t] % depth], starts, own.shape[0], moments[t], lack[need[t]], own)
        for node in range(nodes):
            least = closing[t] if node == goal else np.inf
            for edge in range(first[node], first[node + 1]):
                cost, after = price[edge], t + length[edge]
                if after <= last:
                    cost += rows[after, target[edge]]
                elif goal >= 0:
                    continue
                # nothing that is added is less than nothing
                if cost >= least:
                    continue
                at, one, left = t, slot[edge], length[edge]
                while left > 0 and at <= last:
                    n = min(left, until[at] - at)
                    run = number[at] % depth
                    cost += sums[run, one + n] - sums[run, one]
                    at, one, left = at + n, one + n, left - n
                least = min(least, cost)
            rows[t, node] = min(least, 1e9)
    return rows

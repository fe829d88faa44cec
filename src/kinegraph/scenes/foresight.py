"""What will be paid at least, from every node at every moment on: for labels, for other speeds and bends than are due, and for
transitions. Compiled.

Worked out from the end of time to its beginning, over graph and clock alone: where on the floor somebody is does not
matter for it. No walk can cost less, so that one which sets out in time for the next label or bend is never crowded out by
those that put it off, and nothing walks into a place from which the label cannot be had in time.
"""

from __future__ import annotations

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


def row_sums(lack: NDArray[np.float32], own: Array) -> tuple[Array, Array]:
    """Of what rows of the tables lack ``(S, R)`` and of their own speeds and turns ``(R, 2)``, all before each ``(S, R + 1)``; and of the
    latter and their squares ``(R + 1, 4)``.
    """
    sums = np.zeros((len(lack), lack.shape[1] + 1))
    np.cumsum(lack, axis=1, dtype=np.float64, out=sums[:, 1:])
    flows = np.zeros((len(own) + 1, 4))
    np.cumsum(np.concatenate([own, own * own], axis=1), axis=0, out=flows[1:])
    return sums, flows


@njit(cache=True, nogil=True)
def foresee(
    first: NDArray[np.int64],
    target: NDArray[np.int64],
    length: NDArray[np.int64],
    begin: NDArray[np.int64],
    price: Array,
    need: NDArray[np.int64],
    until: NDArray[np.int64],
    moments: Array,
    sums: Array,
    flows: Array,
    goal: int,
    closing: Array,
    since: int,
) -> NDArray[np.float32]:
    """The least that is paid from each moment and node on ``(T + 1, N)``.

    The first four are those of `Tables`. price ``(E,)``: what an edge costs by itself, infinite if it may not be played. need,
    until, moments: what is asked of each moment, until when, and what else is due there. sums, flows: see `row_sums`.
    goal, closing: as `Clock` has them. since: the first moment that is looked at.
    """
    last, nodes = need.size - 1, first.size - 1
    rows = np.zeros((last + 1, nodes), np.float32)
    for t in range(last, since - 1, -1):
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
                at, one, left = t, begin[edge], length[edge]
                while left > 0 and at <= last:
                    n = min(left, until[at] - at)
                    end = one + n
                    now = moments[at]
                    cost += now[M_TOLL] * (sums[need[at], end] - sums[need[at], one])
                    pace, curve = now[M_PACE], now[M_CURVE]
                    cost += now[M_OFF_PACE] * (
                        flows[end, 2] - flows[one, 2] - pace * (2.0 * (flows[end, 0] - flows[one, 0]) - n * pace)
                    )
                    cost += now[M_OFF_CURVE] * (
                        flows[end, 3] - flows[one, 3] - curve * (2.0 * (flows[end, 1] - flows[one, 1]) - n * curve)
                    )
                    at, one, left = at + n, end, left - n
                least = min(least, cost)
            rows[t, node] = min(least, 1e9)
    return rows

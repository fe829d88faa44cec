"""What will be paid at least, from every node at every moment on: for labels, for other speeds and bends than are due, for
transitions, and for haste between them. Compiled.

Worked out from the end of time to its beginning, over graph and clock alone: where on the floor somebody is does not
matter for it. No walk can cost less, so that one which sets out in time for the next label or bend is never crowded out by
those that put it off, and nothing walks into a place from which the label cannot be had in time.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools, Longs
from kinegraph.compiled import njit
from kinegraph.scenes.clock import GRAIN, M_CURVE, M_OFF_CURVE, M_OFF_PACE, M_PACE, M_TOLL, WAITS, waits
from kinegraph.walks.course import HASTY


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


@njit(cache=True, nogil=True, inline="always")
def _played(sums: Any, held: Any, until: Any, slot: int, length: int, moment: int) -> Any:
    """What the rows of an edge cost that is played from a moment on, as far as time goes. held: of each moment, where its sums are."""
    last = until.size - 1
    cost, at, one, left = np.float32(0.0), moment, slot, length
    while left > 0 and at <= last:
        n = min(left, until[at] - at)
        run = held[at]
        cost += sums[run, one + n] - sums[run, one]
        at, one, left = at + n, one + n, left - n
    return cost


class Exits(NamedTuple):
    """The edges of a graph as they are looked through here: those of a node side by side, original motion before transitions."""

    first: NDArray[np.int32]
    """``(N + 1,)``: where the edges of each node begin."""
    blends: NDArray[np.int32]
    """``(N,)``: where its transitions begin."""
    target: NDArray[np.int32]
    """``(E,)``"""
    length: NDArray[np.int32]
    """``(E,)``"""
    slot: NDArray[np.int32]
    """``(E,)``: see `slots`."""
    order: Longs
    """``(E,)``: the number that each has in the graph."""
    starts: Longs
    """``(C,)``: see `slots`."""


def exits(first: Longs, target: Longs, length: Longs, begin: Longs, blended: Bools, starts: Longs) -> Exits:
    """The edges of `Tables` in that order. starts: see `slots`."""
    source = np.repeat(np.arange(len(first) - 1), np.diff(first))
    order = np.lexsort((blended, source))
    blends = first[1:] - np.bincount(source[blended], minlength=len(first) - 1)
    sums = slots(begin, starts)[order]
    small = [one.astype(np.int32) for one in (first, blends, target[order], length[order], sums)]
    return Exits(small[0], small[1], small[2], small[3], small[4], order, starts)


@njit(cache=True, nogil=True)
def foresee(
    edges: Exits,
    price: NDArray[np.float32],
    need: NDArray[np.int64],
    until: NDArray[np.int64],
    moments: Array,
    lack: NDArray[np.float32],
    own: Array,
    goal: int,
    closing: Array,
    waiting_for: tuple[int, ...],
    since: int,
) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """The least that is paid from each moment and node on ``(T + 1, N)``; and how much more, for who has come by a transition of late and
    would be hasty to take another ``(T + 1, N, WAITS)``, in `GRAIN`: each column is for who is free again after so many frames as `waits`
    tells.

    price ``(E,)``: what each of ``edges`` costs by itself, infinite if it may not be played. need, until, moments: what is asked of each
    moment, until when, and what else is due there. lack, own, goal, closing: as `Clock` has them. waiting_for: as many numbers as there
    are frames from one transition to the next, and one more (so that the compiler knows how many); one alone where haste is not foreseen.
    since: the first moment that is looked at.
    """
    gap = len(waiting_for) - 1
    first, blends, target, length, slot = edges.first, edges.blends, edges.target, edges.length, edges.slot
    last, nodes = need.size - 1, first.size - 1
    rows = np.zeros((last + 1, nodes), np.float32)
    later = np.zeros((last + 1, nodes, WAITS), np.uint8)
    number = np.zeros(last + 1, np.int64)
    for t in range(1, last + 1):
        number[t] = number[t - 1] + (until[t] != until[t - 1])
    # sums are held for as many runs as an edge can last
    longest, depth = length.max(), 1
    for t in range(last + 1):
        depth = max(depth, number[min(t + longest, last)] - number[t] + 1)
    sums = np.zeros((depth, own.shape[0] + edges.starts.size), np.float32)
    held = number % depth
    # by moment and node, what is paid at least: by frames until another transition is not hasty, and for who comes by a transition
    ring = longest + 1
    early = np.zeros((ring, nodes, gap + 1), np.float32)
    come = np.zeros((ring, nodes), np.float32)
    waiting = np.empty(gap + 1, np.float32)
    columns = waits(gap)
    haste, most, grain = np.float32(HASTY), np.float32(1e9), np.float32(GRAIN)
    for t in range(last, since - 1, -1):
        if t == last or number[t] != number[t + 1]:
            _add_up(sums[held[t]], edges.starts, own.shape[0], moments[t], lack[need[t]], own)
        now = t % ring
        for node in range(nodes):
            ended = np.float32(closing[t]) if node == goal else np.float32(np.inf)
            for wait in range(gap + 1):
                waiting[wait] = ended
            for edge in range(first[node], blends[node]):
                frames, goes = length[edge], target[edge]
                cost = price[edge] + _played(sums, held, until, slot[edge], frames, t)
                if t + frames > last:
                    if goal < 0:
                        for wait in range(gap + 1):
                            waiting[wait] = min(waiting[wait], cost)
                    continue
                then = now + frames
                then -= ring if then >= ring else 0
                for wait in range(gap + 1):
                    waiting[wait] = min(waiting[wait], cost + early[then, goes, max(wait - frames, 0)])
            least = waiting[0]
            for edge in range(blends[node], first[node + 1]):
                frames, cost = length[edge], price[edge]
                if t + frames <= last:
                    then = now + frames
                    then -= ring if then >= ring else 0
                    cost += come[then, target[edge]]
                elif goal >= 0:
                    continue
                # nothing that is added is less than nothing
                if cost < least:
                    least = min(least, cost + _played(sums, held, until, slot[edge], frames, t))
            least = min(least, most)
            rows[t, node] = early[now, node, 0] = least
            for wait in range(1, gap + 1):
                early[now, node, wait] = min(waiting[wait], least + haste)
            come[now, node] = early[now, node, gap]
            for column in range(WAITS if gap > 0 else 0):
                later[t, node, column] = int((early[now, node, columns[column]] - least) / grain)
    return rows, later

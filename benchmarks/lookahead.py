"""A search ahead over transitions, for `live.py`: whoever comes to a node looks two seconds ahead, along all ways on from there, and takes
the first step of the one that costs least. Costs are soft, as in `kinegraph.people`, which is where turns, paces and prices come from
too; nothing is known beforehand.

After McCann and Pollard, "Responsive characters from motion fragments" (2007), without their model of what the player will do next: the
wish is taken to stay as it is.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from kinegraph.people.choice import Asked, Manner, Played, stretch
from kinegraph.people.steered import People
from kinegraph.people.stepping import Cursors, arrive, shifted, steer

Array = NDArray[np.float64]

# seconds that are looked ahead, and transitions at most on the way; of those who look ahead for one second, some never start from standing
SECONDS, DEEP = 2.0, 2


class Ahead(People):
    """N people who look ahead."""

    seconds, deep = SECONDS, DEEP

    def step(self, velocity: Array) -> None:  # type: ignore[override]
        """The next frame."""
        wished = self._wished(velocity)
        own, who = self._policy, np.arange(self.count)
        asked, frames = own.values()[0], round(self.seconds * self.graph.fps)
        steer(self.cursors, who, wished, own.played, own.rows.steady, own.manner)
        _go(self.cursors, wished, own.played, own.rows.tables.turn, asked, own.manner, frames, self.deep)
        self._show()


@njit(cache=True, nogil=True)
def _go(
    cursors: Cursors,
    velocity: Array,
    rows: Played,
    turn: Array,
    asked: Asked,
    manner: Manner,
    frames: int,
    deep: int,
) -> None:
    for person in range(len(cursors.phase)):
        cursors.phase[person] += cursors.pace[person]
        while cursors.phase[person] > 1.0 - 1e-9:
            cursors.phase[person] = max(cursors.phase[person] - 1.0, 0.0)
            shifted(cursors, person)
            edge = cursors.edge[person, 0]
            if cursors.step[person, 0] + 1 < rows.length[edge]:
                cursors.step[person, 1] = cursors.step[person, 0] + 1
                continue
            arrive(cursors, person, turn)
            wished = np.hypot(velocity[person, 0], velocity[person, 1])
            angle = np.arctan2(velocity[person, 0], velocity[person, 1]) - cursors.place[person, 1, 0]
            cursors.edge[person, 1] = _best(rows, rows.target[edge], asked, angle, wished, manner, frames, deep)
            cursors.step[person, 1] = 0


@njit(cache=True, nogil=True)
def _best(
    rows: Played, node: int, asked: Asked, angle: float, wished: float, manner: Manner, frames: int, deep: int
) -> int:
    """The edge that the cheapest way on begins with: depth first, a way is left as soon as it costs more than the best so far."""
    size = 256
    nodes, nexts, left, transitions = np.empty((4, size), np.int64)
    angles, spent = np.empty((2, size))
    least, taken = np.inf, -1
    nodes[0], nexts[0], left[0], transitions[0], angles[0], spent[0] = node, rows.first[node], frames, deep, angle, 0.0
    level, begun = 0, -1
    while level >= 0:
        here = nodes[level]
        edge = nexts[level]
        if edge == rows.first[here + 1]:
            level -= 1
            continue
        nexts[level] += 1
        is_transition = rows.price[edge] > 0.0
        # who cannot go on otherwise may always take a transition
        if is_transition and transitions[level] == 0 and not _ends(rows, here):
            continue
        if level == 0:
            begun = edge
        cost, after = stretch(rows, edge, asked, angles[level], wished, manner)
        share = min(1.0, left[level] / rows.length[edge])
        total = spent[level] + rows.price[edge] + share * cost
        if total >= least:
            continue
        remains = left[level] - rows.length[edge]
        if remains <= 0 or level + 1 == size:
            least, taken = total, begun
            continue
        level += 1
        nodes[level], nexts[level], left[level] = rows.target[edge], rows.first[rows.target[edge]], remains
        transitions[level] = max(transitions[level - 1] - (1 if is_transition else 0), 0)
        angles[level], spent[level] = after - rows.angle[edge], total
    return taken


@njit(cache=True, nogil=True)
def _ends(rows: Played, node: int) -> bool:
    """Whether no original motion leads on from a node."""
    return np.all(rows.price[rows.first[node] : rows.first[node + 1]] > 0.0)

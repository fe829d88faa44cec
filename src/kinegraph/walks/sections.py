"""Labels along a path: which edges may be played where, and which nodes lead to the next label in time.

A section of the path confines the walk to the endless part of its label. About the border of two labels lies a zone in
which anything may be played. A walk must be led to the few ways from the one label to the other in good time: so every
node is told how many metres from it the next label begins, and walks that would come too late are dropped as soon as
that is certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.errors import GraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.walks.choice import component
from kinegraph.walks.request import Section
from kinegraph.walks.tables import Tables, tables

# metres that a walk may need more than its own track is long: progress along a path is not exactly what is walked
_SLACK = 0.3
# metres by which a zone is narrower for the search: where exactly a walker is along a path can be told in more than one
# way
_EDGE = 0.05


class Borders(NamedTuple):
    """The labels along a path; the fields are those of `CourseArrays`."""

    section: NDArray[np.int64]
    allowed: NDArray[np.bool_]
    border: NDArray[np.int64]
    due: Array
    needs: Array


def borders(graph: MotionGraph, sections: Sequence[Section], zone: float, where: Array) -> Borders:
    """Sections as a search reads them, for pieces that begin at ``where (M,)`` metres. A `GraphError` tells a border
    that cannot be crossed.
    """
    count = len(where)
    section, border = np.full(count, -1, np.int64), np.full(count, -1, np.int64)
    if not sections:
        return Borders(section, np.ones((1, len(graph.edges)), bool), border, np.zeros(0), np.zeros((0, 2, len(graph))))
    allowed = np.zeros((len(sections), len(graph.edges)), bool)
    for number, part in enumerate(sections):
        allowed[number, component(graph, part.label).edges] = True
        section[(where >= part.first - 1e-9) & (where <= part.last + 1e-9)] = number
    section[where > sections[-1].last] = len(sections) - 1
    due, needs = [], []
    for number, (one, two) in enumerate(pairwise(sections)):
        if one.label == two.label:
            continue
        # no zone takes more than half of a section: something of it must be left
        room = min(zone, 0.5 * (one.last - one.first), 0.5 * (two.last - two.first))
        due.append(two.first + room)
        needs.append(_needed(graph, one.label, two.label, allowed[number], room))
        section[np.abs(where - two.first) <= room - _EDGE] = -1
    for number in range(len(due) - 1, -1, -1):
        border[where < due[number]] = number
    stacked = np.stack(needs) if needs else np.zeros((0, 2, len(graph)))
    return Borders(section, allowed, border, np.array(due) + _SLACK, stacked)


def _needed(graph: MotionGraph, one: str, two: str, inside: NDArray[np.bool_], zone: float) -> Array:
    """The least metres ``(2, N)`` from each node to the endless part of label ``two``: by edges of label ``one`` as far
    as the zone, and by any.
    """
    metres = edge_metres(graph)
    goal = component(graph, two).nodes
    free = _distances(graph, metres, np.ones(len(metres), bool), {int(node): 0.0 for node in goal})
    home = component(graph, one).nodes
    launch = {int(node): float(free[node]) for node in home if free[node] <= 2 * zone}
    if not launch:
        nearest = float(free[home].min())
        if np.isinf(nearest):
            raise GraphError(f"from {one!r} to {two!r} there is no way in this graph")
        raise GraphError(
            f"from {one!r} to {two!r} takes {nearest:.2f} m at least, and the zone of their border has only {2 * zone:.2f}: "
            f"widen it to {nearest / 2 + 0.05:.2f} or more to both sides, and let the sections be twice as long as that"
        )
    return np.stack([_distances(graph, metres, inside, launch), free])


def edge_metres(graph: MotionGraph) -> Array:
    """How many metres ``(E,)`` each edge goes."""
    held: Tables = tables(graph)
    gone = np.concatenate([[0.0], np.cumsum(held.track[:, 2])])
    metres: Array = gone[held.begin + held.length] - gone[held.begin]
    return metres


def _distances(graph: MotionGraph, metres: Array, usable: NDArray[np.bool_], goals: dict[int, float]) -> Array:
    """The least metres ``(N,)`` from each node, by usable edges, to one of the goals and what is left from there."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    size = len(graph)
    edges = np.flatnonzero(usable)
    # one more node, behind all goals; and no way of no length, which a sparse matrix would forget
    tails = np.concatenate([graph.edges.target[edges], np.full(len(goals), size)])
    heads = np.concatenate([graph.edges.source[edges], np.fromiter(goals, np.int64)])
    weights = np.concatenate([metres[edges], np.fromiter(goals.values(), float)]) + 1e-9
    order = np.lexsort((weights, heads, tails))
    tails, heads, weights = tails[order], heads[order], weights[order]
    # of ways between the same nodes the shortest: the matrix would add them up
    first = np.concatenate([[True], (np.diff(tails) != 0) | (np.diff(heads) != 0)])
    backwards = csr_array((weights[first], (tails[first], heads[first])), shape=(size + 1, size + 1))
    found: Array = dijkstra(backwards, indices=size)[:size]
    return found

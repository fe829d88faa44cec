"""Labels along a path: what it costs to lack them, and how far each node of a graph is from the next one.

A frame that lacks the label of its section costs a toll for the metres it gets. So a walk changes from label to label in
as few metres as its clips allow; and where they allow it only in part, it gives what it can. Tolls say where it changes:
they rise from the borders of a section to its midst, so that something is left of every section, and they are higher in a
section between two of another label, which gives way to it.

The ways from label to label are few and must be made for early. So every node is told how many metres it is away from a
label, and what that will cost is added to what a walk has cost when walks are compared (`kinegraph.walks.owing`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Ints, Longs
from kinegraph.errors import GraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.walks.choice import component
from kinegraph.walks.parts import STAND, Part, bearing, borne, entries
from kinegraph.walks.tables import Tables, tables

# what a metre without its label costs at a border, how many times that more it costs in a section's midst, and how many
# times as much where a label lies between two of another
_TOLL, _MIDST, _PAINTED = 1.5, 3.0, 3.0
# what a metre costs on which somebody gets going again, so that it is done
_LEAVING = 3.0
# what a second without its label costs in a halt
_HALT_TOLL = 3.0
# m/s at which who lacks his label pays at least: to stand about must not be cheaper than to get on
AMBLE = 1.0
# metres that nobody walks to a label: there is no way
_FAR = 1e6
# how often the place where labels change is tried
_TRIED = 41
# how much an edge strays from a label: not at all, a little, being on the way from one label to another, more, bearing the
# one before or after; or more than is allowed
BEARS, BETWEEN, ASTRAY, FORBIDDEN = 0, 1, 2, -1


class Borders(NamedTuple):
    """The labels along a path of M pieces; but for the first, the fields are those of `CourseArrays`."""

    place: Longs
    """``(M,)``: which piece of the way each is, halts being pieces of no length."""
    halt: Array
    section: Longs
    strays: NDArray[np.int8]
    toll: Array
    tolls: Array
    part: Longs
    until: Array
    needs: Array
    change: Array


# what a metre that bears its label counts beside one that does not, so that of all ways the shortest is taken
_HARDLY = 1e-3


def borders(
    graph: MotionGraph,
    asked: Sequence[Part],
    zone: float | None,
    hard: bool,
    least: float,
    creep: float,
    step: float,
    count: int,
) -> Borders:
    """Parts as a search reads them, along a way of ``count`` pieces of ``step`` metres.

    hard: whether the label is a must, which is for one alone. least: metres a second that count as progress, and creep: the
    share of them that does where the label lacks. A
    `GraphError` tells labels between which there is no way.
    """
    place, halt, part = _laid(asked, least, step, count)
    anything = [one.label is None and not one.leaving for one in asked]
    section = np.where(anything, -1, np.arange(len(asked)))[part] if asked else part
    toll = np.zeros(len(place))
    strays = _strays(graph, asked, hard)
    if not asked or hard:
        needs, change = np.zeros((0, 5, len(graph))), np.zeros((0, 7))
        return Borders(place, halt, section, strays, toll, toll, part, np.zeros(0), needs, change)
    begins = [int(np.searchsorted(part, number)) for number in range(len(asked))]
    after = [_next_label(asked, number) for number in range(len(asked))]
    followed = [None if number is None else asked[number] for number in after]
    until = np.array([len(place) - 3 if number is None else begins[number] for number in after]) * step
    for number in range(len(asked)):
        own = part == number
        toll[own] = _tolls(asked, number, int(own.sum()), least)
    if zone is not None:
        for number, (one, two) in enumerate(pairwise(asked)):
            if _is_border(one, two):
                # no zone takes more than half of a section: something of it must be left
                room = min(zone, 0.5 * (one.last - one.first), 0.5 * (two.last - two.first))
                inside = np.abs(np.arange(len(place)) - begins[number + 1]) * step < room
                toll[inside] = 0.0
                section[inside] = -1
    toll[-3:] = 0.0
    # who creeps through a halt pays for it all the while
    tolls = np.concatenate([[0.0], np.cumsum(toll / np.where(halt < 0, 1.0, creep))[:-1]]) * step
    needs = np.stack([_needed(graph, one, after) for one, after in zip(asked, followed, strict=True)])
    change = np.zeros((len(asked), 7))
    costs = np.zeros(len(asked))
    for number, (one, then) in enumerate(zip(asked, followed, strict=True)):
        change[number, 4:6] = [creep if each is not None and each.seconds else 1.0 for each in (one, then)]
        if one.label is not None and then is not None:
            change[number, :4], costs[number] = _change(
                graph, one, then, needs[number], tolls, float(until[number]), step
            )
    change[:, 6] = np.cumsum(costs[::-1])[::-1] - costs
    return Borders(place, halt, section, strays, toll, tolls, part, until, needs, change)


def _laid(asked: Sequence[Part], least: float, step: float, count: int) -> tuple[Longs, Array, Longs]:
    """The pieces of a course: which piece of the way each is, how many metres of progress a halt has lasted there, −1
    for none, and which part it belongs to. Three more lie at the end.
    """
    place: list[Longs] = []
    halt: list[Array] = []
    part: list[Longs] = []
    for number, one in enumerate(asked):
        first, last = round(one.first / step), min(round(one.last / step), count)
        if one.seconds:
            lasting = max(1, round(one.seconds * least / step))
            place.append(np.full(lasting, first))
            halt.append(np.asarray(np.arange(lasting) * step, np.float64))
        else:
            place.append(np.arange(first, max(last, first + 1)))
            halt.append(np.full(len(place[-1]), -1.0))
        part.append(np.full(len(place[-1]), number))
    if not asked:
        place, halt, part = [np.arange(count)], [np.full(count, -1.0)], [np.full(count, -1)]
    place.append(np.full(3, count))
    halt.append(np.full(3, -1.0))
    part.append(np.full(3, len(asked) - 1))
    return np.minimum(np.concatenate(place), count), np.concatenate(halt), np.concatenate(part).astype(np.int64)


def _strays(graph: MotionGraph, asked: Sequence[Part], hard: bool) -> NDArray[np.int8]:
    """How far ``(S, E)`` each edge strays from each part's label."""
    found = np.zeros((max(1, len(asked)), len(graph.edges)), np.int8)
    for number, one in enumerate(asked):
        if one.label is None:
            found[number] = BETWEEN
            continue
        if hard:
            found[number] = FORBIDDEN
            found[number, component(graph, one.label).edges] = BEARS
            continue
        found[number] = BETWEEN
        for other in (number - 1, number + 1):
            beside = asked[other].label if 0 <= other < len(asked) else None
            if beside is not None:
                found[number, borne(graph, beside)] = ASTRAY
        found[number, borne(graph, one.label)] = BEARS
    return found


def _is_border(one: Part, two: Part) -> bool:
    return one.label != two.label and not (one.seconds or two.seconds) and None not in (one.label, two.label)


def _tolls(asked: Sequence[Part], number: int, count: int, least: float) -> Array:
    """What a metre without its label costs on each of the ``count`` pieces of a part."""
    one = asked[number]
    if one.label is None:
        return np.full(count, _LEAVING if one.leaving else 0.0)
    if one.seconds:
        return np.full(count, _HALT_TOLL / least)
    before = asked[number - 1].label if number else one.label
    after = asked[number + 1].label if number + 1 < len(asked) else one.label
    place = (np.arange(count) + 0.5) / count
    ends = [place] if before != one.label else []
    ends += [1.0 - place] if after != one.label else []
    depth = len(ends) * np.min(ends, axis=0) if ends else np.ones(count)
    painted = _PAINTED if before == after != one.label and before is not None else 1.0
    return np.asarray(_TOLL * painted * (1.0 + _MIDST * depth**2))


def _next_label(asked: Sequence[Part], number: int) -> int | None:
    """The next part after that of a number that has a label."""
    return next((k for k in range(number + 1, len(asked)) if asked[k].label is not None), None)


def _needed(graph: MotionGraph, one: Part, two: Part | None) -> Array:
    """How far ``(5, N)`` each node is from where a part's label is borne, and from where that of the next comes in; see
    `CourseArrays`.
    """
    # nobody stays where he gets going
    back = np.full((2, len(graph)), _FAR if one.leaving else 0.0)
    on = np.zeros((2, len(graph)))
    if one.label is not None:
        back = _away(graph, tuple(_nodes(graph, one.label).tolist()))
    if two is not None and two.label is not None:
        # who halts does what he halts for from its beginning; to stand has none
        nodes = entries(graph, two.label, 0.0 if two.label == STAND else two.seconds)
        on = _away(graph, tuple(nodes.tolist()))
        if one.label is not None:
            return np.stack([back[0], on[0], back[1], on[1], _unlabelled(graph, one.label, tuple(nodes.tolist()))])
    return np.stack([back[0], on[0], back[1], on[1], np.zeros(len(graph))])


@lru_cache(maxsize=64)
def _unlabelled(graph: MotionGraph, label: str, goals: tuple[int, ...]) -> Array:
    """How many metres more ``(N,)`` than from where it is best must be gone without a label on the way from each node to one
    of the goals: not from all that bears the label is there a way out that bears it as far.
    """
    held: Tables = tables(graph)
    gone = np.concatenate([[0.0], np.cumsum(np.maximum(held.track[:, 2], AMBLE / graph.fps))])
    counted = gone[held.begin + held.length] - gone[held.begin]
    counted[borne(graph, label)] *= _HARDLY
    lacking = _distances(graph, counted, counted, goals)[0]
    return np.asarray(np.maximum(lacking - lacking[_nodes(graph, label)].min(), 0.0))


def _nodes(graph: MotionGraph, label: str) -> Ints:
    """The nodes from which a label is borne."""
    found: Ints = np.unique(graph.edges.source[bearing(graph, label)])
    return found


def _change(
    graph: MotionGraph, one: Part, two: Part, needs: Array, tolls: Array, border: float, step: float
) -> tuple[tuple[float, float, float, float], float]:
    """The metres from a part's label to the next, how many of them had best lie behind the border, how many more are paid
    for, and what one of these costs; and what it costs in all.
    """
    assert one.label is not None
    nodes = _nodes(graph, one.label)
    # of all ways the quickest
    node = nodes[np.argmin(needs[1, nodes] + needs[3, nodes])]
    least, more = float(needs[1, node]), float(needs[3, node])
    if least >= _FAR:
        raise GraphError(f"from {one.label!r} to {two.label!r} there is no way in this graph")
    behind = np.linspace(0.0, least, _TRIED)
    where = np.arange(len(tolls)) * step
    cost = np.interp(border + behind, where, tolls) - np.interp(border + behind - least, where, tolls)
    best = int(np.argmin(cost + 1e-6 * np.abs(behind - 0.5 * least)))
    price = 0.0 if one.seconds or two.seconds else _TOLL
    return (least, float(behind[best]), more, price), float(cost[best]) + more * price


@lru_cache(maxsize=64)
def _away(graph: MotionGraph, goals: tuple[int, ...]) -> Array:
    """The metres ``(2, N)`` from each node to one of the goals by the cheapest way, and how many more are paid for; `_FAR`
    where no way leads to any.
    """
    held: Tables = tables(graph)
    gone = np.concatenate([[0.0], np.cumsum(np.maximum(held.track[:, 2], AMBLE / graph.fps))])
    counted = gone[held.begin + held.length] - gone[held.begin]
    return _distances(graph, counted, edge_metres(graph), goals)


def edge_metres(graph: MotionGraph) -> Array:
    """How many metres ``(E,)`` each edge goes."""
    held: Tables = tables(graph)
    gone = np.concatenate([[0.0], np.cumsum(held.track[:, 2])])
    metres: Array = gone[held.begin + held.length] - gone[held.begin]
    return metres


def _distances(graph: MotionGraph, counted: Array, metres: Array, goals: Sequence[int]) -> Array:
    """For the ways from each node to one of the goals whose edges count least, ``counted (E,)``: their ``metres (E,)``, and
    how many they count more ``(2, N)``.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    size = len(graph)
    # one more node, behind all goals; and no way of no length, which a sparse matrix would forget
    tails = np.concatenate([graph.edges.target, np.full(len(goals), size)])
    heads = np.concatenate([graph.edges.source, np.array(goals, np.int64)])
    weights = np.concatenate([counted, np.zeros(len(goals))]) + 1e-9
    walked = np.concatenate([metres, np.zeros(len(goals))])
    order = np.lexsort((weights, heads, tails))
    tails, heads, weights, walked = tails[order], heads[order], weights[order], walked[order]
    # of ways between the same nodes the shortest: the matrix would add them up
    first = np.concatenate([[True], (np.diff(tails) != 0) | (np.diff(heads) != 0)])
    tails, heads, weights, walked = tails[first], heads[first], weights[first], walked[first]
    backwards = csr_array((weights, (tails, heads)), shape=(size + 1, size + 1))
    found, before = dijkstra(backwards, indices=size, return_predecessors=True)
    # along the same ways, from the goals on
    keys = tails.astype(np.int64) * (size + 1) + heads
    reached = np.flatnonzero(before >= 0)
    step = np.zeros(size + 1)
    step[reached] = walked[np.searchsorted(keys, before[reached].astype(np.int64) * (size + 1) + reached)]
    total = np.full(size + 1, np.inf)
    total[size] = 0.0
    for node in reached[np.argsort(found[reached])].tolist():
        total[node] = total[before[node]] + step[node]
    near = np.isfinite(total)
    away = np.full((2, size + 1), _FAR)
    away[:, near] = total[near], np.maximum(found[near] - total[near], 0.0)
    away = away[:, :size]
    # nothing but what the matrix could not forget
    return np.where(away < 1e-5, 0.0, away)

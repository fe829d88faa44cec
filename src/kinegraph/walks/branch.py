"""The exact search: branch and bound over all walks of a horizon (Dirican 2014, 4.2.1). Compiled; nothing that could be
the best is left out.

Errors never shrink as a walk grows, so a walk that is already worse than the best whole one is dropped. The likeliest
edges are tried first, so that this happens soon. How soon nobody can tell: a search is a piece of work that goes on for
as many walks at a time as it is told, so that somebody can be asked in between whether it is still wanted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.compiled import njit
from kinegraph.walks.course import HASTY, CourseArrays, Prices, laid, play
from kinegraph.walks.outlook import carry_on
from kinegraph.walks.owing import owed
from kinegraph.walks.tables import Tables
from kinegraph.watch import Watch

# columns of a walk's floats and integers
_COSINE, _SINE, _X, _Z, _ALONG, _ERROR, _VALUE, _RANK = range(8)
_NODE, _EDGE, _MOMENT, _FREE, _STAYED, _DONE = range(6)
# what a search has come to
_DEPTH, _FRESH, _EDGES, _FRAMES, _LOOKED = range(5)
# walks that are looked at, some hundredths of a second, before somebody is asked whether to go on
_BUDGET = 50_000


class Search(NamedTuple):
    """A search that is under way, H edges deep at most."""

    floats: Array
    """``(H, degree, 8)``: numbers of the walks to be tried at each depth."""
    ints: Longs
    """``(H, degree, 6)``: their whole numbers."""
    order: Longs
    """``(H, degree)``: the likeliest walks first."""
    listed: Longs
    """``(H,)``: how many walks there are."""
    tried: Longs
    """``(H,)``: how many of them were tried."""
    path: Longs
    """``(H,)``: edges of the walk at hand."""
    own: Array
    """``(8,)``: its numbers."""
    mine: Longs
    """``(6,)``: its whole numbers."""
    found: Longs
    """``(H,)``: edges of the best whole walk so far."""
    best: Array
    """``(1,)``: its error."""
    state: Longs
    """``(5,)``: the depth, whether its walks are still to be listed, edges and frames of the best walk, and walks looked at so far."""

    @classmethod
    def begin(cls, node: int, place: Array, along: float, free: int, horizon: int, degree: int) -> Search:
        """A search that has looked at nothing yet; what it is given is told at `best_walk`."""
        deep = horizon + 2
        own, mine = np.zeros(8), np.zeros(6, np.int64)
        own[:4], own[_ALONG] = place, along
        mine[_NODE], mine[_FREE], mine[_STAYED] = node, free, 1
        state = np.zeros(5, np.int64)
        state[_FRESH] = 1
        return cls(
            np.empty((deep, degree, 8)),
            np.empty((deep, degree, 6), np.int64),
            np.empty((deep, degree), np.int64),
            np.zeros(deep, np.int64),
            np.zeros(deep, np.int64),
            np.empty(deep, np.int64),
            own,
            mine,
            np.empty(deep, np.int64),
            np.array([np.inf]),
            state,
        )


def best_walk(
    tables: Tables,
    course: CourseArrays,
    prices: Prices,
    node: int,
    place: Array,
    along: float,
    free: int,
    horizon: int,
    kind: Longs,
    margin: float,
    keep: int,
    limit: int,
    degree: int,
    watch: Watch,
) -> tuple[Longs, float, int, int]:
    """The edges of the best walk of ``horizon`` frames, or to the end of the path, from a node whose clip lies at
    ``place (4,)`` (cosine, sine, x, z).

    free: frames before it may blend. margin: walks that, with all edges that begin before ``keep``, stay with clips of
    one kind may err by so much more. limit: frames in which the path must be done. degree: most edges that leave any
    node. watch: asked now and then whether to go on. Also its error, how many frames it has if it reaches
    the end (else 0), and how many walks were looked at. No edges where there is no way.
    """
    search = Search.begin(node, place, along, free, horizon, degree)
    while not go_on(search, tables, course, prices, horizon, kind, margin, keep, limit, _BUDGET):
        watch.check()
    state = search.state
    return search.found[: state[_EDGES]], float(search.best[0]), int(state[_FRAMES]), int(state[_LOOKED])


@njit(cache=True, nogil=True)
def go_on(
    search: Search,
    tables: Tables,
    course: CourseArrays,
    prices: Prices,
    horizon: int,
    kind: Longs,
    margin: float,
    keep: int,
    limit: int,
    budget: int,
) -> bool:
    """Look at about ``budget`` walks more; whether that was all of them. What is given is told at `best_walk`, and must
    be the same each time.
    """
    # by their own names, since a look into a tuple of arrays counts references
    floats, ints, order, listed, tried = search.floats, search.ints, search.order, search.listed, search.tried
    path, own, mine, state = search.path, search.own, search.mine, search.state
    best, looked, enough = search.best[0], state[_LOOKED], state[_LOOKED] + budget
    depth = state[_DEPTH]
    trail = np.empty(0)
    fresh = state[_FRESH] != 0
    while depth >= 0 and looked < enough:
        if fresh:
            n = 0
            early = mine[_MOMENT] < mine[_FREE]
            may = not early or tables.blended[tables.first[mine[_NODE]]] or owed(course, mine[_NODE], own[_ALONG])[1]
            paid = own[_ERROR] + (HASTY if early else 0.0)
            for edge in range(tables.first[mine[_NODE]], tables.first[mine[_NODE] + 1]):
                if tables.blended[edge] and not may:
                    continue
                looked += 1
                target = tables.target[edge]
                stayed = mine[_STAYED]
                if mine[_MOMENT] < keep and kind[tables.clip[target]] != kind[tables.clip[mine[_NODE]]]:
                    stayed = 0
                reached, error, noted, frames, c, s, x, z = play(
                    tables,
                    course,
                    prices,
                    edge,
                    own[_COSINE],
                    own[_SINE],
                    own[_X],
                    own[_Z],
                    own[_ALONG],
                    paid if tables.blended[edge] else own[_ERROR],
                    horizon - mine[_MOMENT],
                    np.inf,
                    trail,
                )
                moment = mine[_MOMENT] + frames
                done = moment >= horizon or reached >= course.length
                value = (noted if done else error) - margin * stayed
                debt = 0.0
                if reached < course.length:
                    debt, _ = owed(course, target, reached)
                    value += debt if done else 0.0
                if not value < best or (reached >= course.length and moment > limit):
                    continue
                if reached < course.length and course.lasting[int(reached * course.pieces)] > limit - moment:
                    continue
                child, numbers = floats[depth, n], ints[depth, n]
                if tables.blended[edge]:
                    child[_COSINE], child[_SINE], child[_X], child[_Z] = laid(c, s, x, z, tables.turn, edge)
                    numbers[_FREE] = moment + prices.gap
                else:
                    child[_COSINE], child[_SINE], child[_X], child[_Z] = c, s, x, z
                    numbers[_FREE] = mine[_FREE]
                child[_ALONG], child[_ERROR], child[_VALUE] = reached, error, value
                child[_RANK] = value
                if not done:
                    child[_RANK] += debt + carry_on(
                        tables, course, prices, target, child[_COSINE], child[_SINE], child[_X], child[_Z], reached
                    )
                numbers[_NODE], numbers[_EDGE], numbers[_MOMENT], numbers[_STAYED] = target, edge, moment, stayed
                numbers[_DONE] = 2 if reached >= course.length else (1 if done else 0)
                n += 1
            order[depth, :n] = np.argsort(floats[depth, :n, _RANK])
            listed[depth], tried[depth] = n, 0
            fresh = False
        if tried[depth] == listed[depth]:
            depth -= 1
            continue
        k = order[depth, tried[depth]]
        tried[depth] += 1
        child, numbers = floats[depth, k], ints[depth, k]
        if not child[_VALUE] < best:
            continue
        path[depth] = numbers[_EDGE]
        if numbers[_DONE]:
            best = child[_VALUE]
            search.found[: depth + 1] = path[: depth + 1]
            state[_EDGES], state[_FRAMES] = depth + 1, numbers[_MOMENT] if numbers[_DONE] == 2 else 0
            continue
        own[:], mine[:] = child, numbers
        depth += 1
        fresh = True
    search.best[0] = best
    state[_DEPTH], state[_FRESH], state[_LOOKED] = depth, 1 if fresh else 0, looked
    return bool(depth < 0)

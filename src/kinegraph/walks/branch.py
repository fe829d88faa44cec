"""The exact search: branch and bound over all walks of a horizon (Dirican 2014, 4.2.1). Compiled; nothing that could be
the best is left out.

Errors never shrink as a walk grows, so a walk that is already worse than the best whole one is dropped. The likeliest
edges are tried first, so that this happens soon.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from kinegraph.motion.rotation import Array
from kinegraph.walks.course import HASTY, HURRY, Course, Prices, carry_on, laid, play, spare
from kinegraph.walks.tables import Tables

# columns of a walk's floats and integers
_COSINE, _SINE, _X, _Z, _ALONG, _ERROR, _VALUE, _RANK = range(8)
_NODE, _EDGE, _MOMENT, _FREE, _STAYED, _DONE = range(6)


@njit(cache=True, nogil=True)
def best_walk(
    tables: Tables,
    course: Course,
    prices: Prices,
    node: int,
    place: Array,
    along: float,
    free: int,
    horizon: int,
    kind: NDArray[np.int64],
    margin: float,
    keep: int,
    limit: int,
    degree: int,
) -> tuple[NDArray[np.int64], float, int, int]:
    """The edges of the best walk of ``horizon`` frames, or to the end of the path, from a node whose clip lies at
    ``place (4,)`` (cosine, sine, x, z).

    free: frames before it may blend. margin: walks that, with all edges that begin before ``keep``, stay with clips of
    one kind may err by so much more. limit: frames in which the path must be done. degree: most edges that leave any
    node. Also its error, how many frames it has if it reaches the end (else 0), and how many walks were looked at. No
    edges where there is no way.
    """
    floats = np.empty((horizon + 2, degree, 8))
    ints = np.empty((horizon + 2, degree, 6), np.int64)
    order = np.empty((horizon + 2, degree), np.int64)
    count = np.zeros(horizon + 2, np.int64)
    tried = np.zeros(horizon + 2, np.int64)
    path = np.empty(horizon + 2, np.int64)
    found = np.empty(0, np.int64)
    best, frames_found, looked = np.inf, 0, 0
    own, mine = np.empty(8), np.empty(6, np.int64)
    own[:4] = place
    own[_ALONG], own[_ERROR] = along, 0.0
    mine[_NODE], mine[_MOMENT], mine[_FREE], mine[_STAYED] = node, 0, free, 1
    depth = 0
    fresh = True
    while depth >= 0:
        if fresh:
            n = 0
            early = mine[_MOMENT] < mine[_FREE]
            may = (
                not early or tables.moving[tables.first[mine[_NODE]]] or spare(course, mine[_NODE], own[_ALONG]) < HURRY
            )
            paid = own[_ERROR] + (HASTY if early else 0.0)
            for edge in range(tables.first[mine[_NODE]], tables.first[mine[_NODE] + 1]):
                if tables.moving[edge] and not may:
                    continue
                looked += 1
                target = tables.target[edge]
                stayed = mine[_STAYED]
                if mine[_MOMENT] < keep and kind[tables.clip[target]] != kind[tables.clip[mine[_NODE]]]:
                    stayed = 0
                reached, error, noted, frames = play(
                    tables,
                    course,
                    prices,
                    edge,
                    own[_COSINE],
                    own[_SINE],
                    own[_X],
                    own[_Z],
                    own[_ALONG],
                    paid if tables.moving[edge] else own[_ERROR],
                    horizon - mine[_MOMENT],
                    np.inf,
                )
                moment = mine[_MOMENT] + frames
                done = moment >= horizon or reached >= course.length
                value = (noted if done else error) - margin * stayed
                if not value < best or (reached >= course.length and moment > limit):
                    continue
                if reached < course.length and (
                    spare(course, target, reached) < 0 or course.length - reached > prices.fastest * (limit - moment)
                ):
                    continue
                child, numbers = floats[depth, n], ints[depth, n]
                if tables.moving[edge]:
                    child[_COSINE], child[_SINE], child[_X], child[_Z] = laid(
                        own[_COSINE], own[_SINE], own[_X], own[_Z], tables.turn, edge
                    )
                    numbers[_FREE] = moment + prices.gap
                else:
                    child[:4] = own[:4]
                    numbers[_FREE] = mine[_FREE]
                child[_ALONG], child[_ERROR], child[_VALUE] = reached, error, value
                child[_RANK] = value
                if not done:
                    child[_RANK] += carry_on(
                        tables, course, prices, target, child[_COSINE], child[_SINE], child[_X], child[_Z], reached
                    )
                numbers[_NODE], numbers[_EDGE], numbers[_MOMENT], numbers[_STAYED] = target, edge, moment, stayed
                numbers[_DONE] = 2 if reached >= course.length else (1 if done else 0)
                n += 1
            order[depth, :n] = np.argsort(floats[depth, :n, _RANK])
            count[depth], tried[depth] = n, 0
            fresh = False
        if tried[depth] == count[depth]:
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
            found = path[: depth + 1].copy()
            frames_found = numbers[_MOMENT] if numbers[_DONE] == 2 else 0
            continue
        own[:], mine[:] = child, numbers
        depth += 1
        fresh = True
    return found, best, frames_found, looked

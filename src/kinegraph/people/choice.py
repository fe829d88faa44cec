"""What somebody who wishes to go somewhere does next, compiled: how motion is turned and paced for it, what that costs, what is best.

A wish is a speed and a direction. Seen from the clip that is played it is an angle, and all that a clip does for a wish follows from
speed and angle alone: so what the best way on costs is worked out beforehand, for every node and for some speeds and angles (`values`).

This module is imported where it is used, so that nobody waits for the compiler's library who does not need it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array, Bools, Longs, Singles
from kinegraph.compiled import njit


class Manner(NamedTuple):
    """How wishes are weighed. Costs are in metres a second: one second at 1 m/s off the wish costs 1."""

    fps: float
    horizon: float = 3.0
    """Seconds after which what comes counts for a third."""
    spin: float = 3.6
    """rad/s by which a body is turned at most beyond what it turns itself."""
    pull: float = 8.0
    """m/s² by which such a turn may pull it outwards."""
    gain: float = 5.0
    """By what share of what is missing to the wished direction it is turned in a second."""
    slowest: float = 0.85
    """How slowly clips are played at least, 1 as captured."""
    fastest: float = 1.15
    bend: float = 0.03
    """Cost of being turned by 1 rad/s for a second; it grows with the square."""
    aside: float = 0.3
    """Cost of facing a right angle off where one goes at 1 m/s, for a second."""
    stranger: float = 2.0
    """Cost of a second without the label that is wished."""
    disliked: float = 0.4
    """Cost of a second in another clip than those that are preferred."""
    undone: float = 20.0
    """Cost of a second in which an action that is wished is not done."""
    rough: float = 5.0
    """Cost of a second of frames in which the capture lost a joint, or one jumps."""
    stir: float = 2.0
    """Cost of a second in which a body stirs by 1 m/s and nobody asked for it, see `rows.Rows.stir`."""
    transition: float = 0.1
    """Cost of any transition."""
    unlike: float = 3.0
    """Cost of a transition between motions a metre apart."""


class Asked(NamedTuple):
    """Beside speed and direction: what a table of values was made for."""

    faces: bool
    """Whether it says where to face; otherwise as one goes."""
    facing: float
    """Where to face, against where to go."""
    lacks: Bools
    """``(R,)``: which rows are not where one wishes to be: those without the label; for an action, all but where it begins."""
    outside: Bools
    """``(R,)``: which rows lack the label."""
    price: float
    """Cost of a second without it."""
    stirs: float
    """m/s by which a body stirs that does what is asked."""
    disliked: Bools
    """``(R,)``: which rows are of other clips than those that are preferred."""


class Played(NamedTuple):
    """Rows and edges as the compiled functions take them."""

    speed: Array
    way: Array
    ahead: Array
    facing: Array
    aside: Array
    """``(R,)``: 0 where the body faces where it goes, 1 at a right angle, 2 backwards."""
    rough: Array
    stir: Array
    first: Longs
    target: Longs
    length: Longs
    begin: Longs
    angle: Array
    price: Array
    """``(E,)``: what taking an edge costs."""
    discount: Array
    """``(E,)``: how much what comes after an edge counts."""


@njit(cache=True, nogil=True, fastmath=True)
def wrapped(angle: float) -> float:
    """The same direction within half a turn of 0."""
    return float(angle - 2.0 * np.pi * np.rint(angle / (2.0 * np.pi)))


@njit(cache=True, nogil=True, fastmath=True)
def paced(speed: float, wished: float, manner: Manner) -> float:
    """How fast a row at ``speed`` is played for a wished one."""
    if wished < 0.3:
        # who stops does so soon, and who stands stands as captured
        return manner.fastest if speed > 0.2 else 1.0
    return min(max(wished / max(speed, 0.1), manner.slowest), manner.fastest)


@njit(cache=True, nogil=True, fastmath=True)
def turning(speed: float, off: float, manner: Manner) -> float:
    """rad/s by which somebody at ``speed`` is turned whose way is ``off`` by so many radians. Who stands is not: feet would be dragged."""
    if speed < 0.25:
        return 0.0
    most = min(manner.spin, manner.pull / max(speed, 0.6))
    return min(max(manner.gain * wrapped(off), -most), most)


@njit(cache=True, nogil=True, fastmath=True)
def stretch(rows: Played, edge: int, asked: Asked, angle: float, wished: float, manner: Manner) -> tuple[float, float]:
    """The cost of an edge for a wish at ``angle`` to its clip, and that angle after it."""
    total, discount, fade = 0.0, 1.0, 1.0 - 1.0 / (manner.horizon * manner.fps)
    for row in range(rows.begin[edge], rows.begin[edge] + rows.length[edge]):
        speed = rows.speed[row] * paced(rows.speed[row], wished, manner)
        off = angle - rows.way[row]
        cost = np.sqrt(max(speed * speed + wished * wished - 2.0 * speed * wished * np.cos(off), 0.0))
        turn = 0.0
        if wished > 0.2:
            turn = turning(speed, angle - rows.ahead[row], manner)
            cost += manner.bend * turn * turn
        if asked.faces:
            cost += 2.0 * manner.aside * (1.0 - np.cos(rows.facing[row] - angle - asked.facing))
        else:
            cost += manner.aside * rows.aside[row] * min(speed, 1.5)
        cost += manner.rough * rows.rough[row] + manner.stir * max(rows.stir[row] - asked.stirs, 0.0)
        if asked.lacks[row]:
            cost += asked.price
        if asked.disliked[row]:
            cost += manner.disliked
        total += discount * cost / manner.fps
        angle -= turn / manner.fps
        discount *= fade
    return total, angle


@njit(cache=True, nogil=True, fastmath=True)
def between(values: Singles, angle: float) -> float:
    """One of ``values (H,)``, which lie all round, at an angle."""
    count = len(values)
    at = angle / (2.0 * np.pi) * count
    low = int(np.floor(at))
    share = at - low
    return float((1.0 - share) * values[low % count] + share * values[(low + 1) % count])


@njit(cache=True, nogil=True, fastmath=True)
def stretches(rows: Played, asked: Asked, speeds: Array, angles: int, manner: Manner) -> tuple[Singles, Singles]:
    """Costs of all edges, and angles after them ``(E, K, H)``, for K ``speeds`` and H angles all round."""
    edges = len(rows.begin)
    costs = np.empty((edges, len(speeds), angles), np.float32)
    after = np.empty((edges, len(speeds), angles), np.float32)
    for edge in range(edges):
        for k in range(len(speeds)):
            for h in range(angles):
                cost, angle = stretch(rows, edge, asked, 2.0 * np.pi * h / angles, speeds[k], manner)
                costs[edge, k, h] = cost + rows.price[edge]
                after[edge, k, h] = angle - rows.angle[edge]
    return costs, after


@njit(cache=True, nogil=True, fastmath=True)
def sweep(values: Singles, rows: Played, costs: Singles, after: Singles) -> float:
    """Better ``values (N, K, H)`` of all nodes by those of the nodes they lead to; the most by which one has changed."""
    nodes, speeds, angles = values.shape
    most = 0.0
    # a clip is played forwards: what comes later is known first
    for node in range(nodes - 1, -1, -1):
        for k in range(speeds):
            for h in range(angles):
                best = np.inf
                for edge in range(rows.first[node], rows.first[node + 1]):
                    later = between(values[rows.target[edge], k], after[edge, k, h])
                    best = min(best, costs[edge, k, h] + rows.discount[edge] * later)
                most = max(most, abs(best - values[node, k, h]))
                values[node, k, h] = best
    return most


@njit(cache=True, nogil=True, fastmath=True)
def best(
    rows: Played, node: int, asked: Asked, values: Singles, speeds: Array, angle: float, wished: float, manner: Manner
) -> int:
    """The edge that somebody at a node takes, for a wish at an ``angle`` to its clip. values: ``(N, K, H)``."""
    k = 0
    while k < len(speeds) - 2 and speeds[k + 1] <= wished:
        k += 1
    share = min(max((wished - speeds[k]) / (speeds[k + 1] - speeds[k]), 0.0), 1.0)
    least, taken = np.inf, -1
    for edge in range(rows.first[node], rows.first[node + 1]):
        cost, after = stretch(rows, edge, asked, angle, wished, manner)
        after -= rows.angle[edge]
        there = values[rows.target[edge]]
        later = (1.0 - share) * between(there[k], after) + share * between(there[k + 1], after)
        cost += rows.price[edge] + rows.discount[edge] * later
        if cost < least:
            least, taken = cost, edge
    return taken

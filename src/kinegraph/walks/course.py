"""The course: a path as a search sees it, and what it costs to play an edge along it (Dirican 2014, 4.2.2). Compiled.

Every frame costs the squared distance of the smoothed root from the point of the path it belongs to; a blend costs its
price besides. Which point that is can be told in two ways. *arc*: that of equal arc length, as in the paper; whatever a
walker gains by cutting a corner, or loses by swaying, then stays with it for the rest of the path. *progress*: the
walker's motion along the path's tangent moves the point; nothing adds up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from kinegraph.motion.rotation import Array
from kinegraph.walks.tables import Tables

# metres by which the point on the path may run ahead of what the walker has gone in a frame
_SLACK = 0.01
# metres to spare before the next label below which a walk need not wait between two blends
HURRY = 1.0
# what a blend costs more that comes too soon after another
HASTY = 0.5


class Course(NamedTuple):
    """A path in even pieces. line ``(M, 4)``: where each begins, and its direction; two more than the path has, lest
    its end be missed. step: metres of a piece. pieces: a metre. length: of the path, metres.

    section ``(M,)``: whose label is asked for there, −1 where any will do. allowed ``(S, E)``: which edges bear each
    section's label. border ``(M,)``: the number of the next border of two labels, −1 behind the last. due ``(K,)``:
    metres by which each must be passed. needs ``(K, 2, N)``: the least metres from each node to where the next label
    begins: from outside the border's zone, and from inside. discs ``(D, 3)``: x, z, radius. boxes ``(B, 4)``: lowest x
    and z, highest x and z. heading, strictness: where the body is to face at the end, and what the square of the angle
    by which it does not costs.
    """

    line: Array
    step: float
    pieces: float
    length: float
    section: NDArray[np.int64]
    allowed: NDArray[np.bool_]
    border: NDArray[np.int64]
    due: Array
    needs: Array
    discs: Array
    boxes: Array
    heading: float
    strictness: float


class Prices(NamedTuple):
    """frame: what a square metre of deviation costs a frame. blend: what a square metre of transition cost costs.
    least: metres that a frame counts as progress at least. gap: frames between two blends. ahead, stride: how many
    frames of mere carrying on are looked at, and every which. arc: whether points are told by arc length. speed,
    haste: metres a frame that are wished for, and what the square of missing them costs. fastest: metres that any
    frame gains at most.
    """

    frame: float
    blend: float
    least: float
    gap: int
    ahead: int
    stride: int
    arc: bool
    speed: float
    haste: float
    fastest: float


@njit(cache=True, nogil=True, forceinline=True)
def _blocked(course: Any, x: float, z: float) -> bool:
    for n in range(course.discs.shape[0]):
        dx, dz = x - course.discs[n, 0], z - course.discs[n, 1]
        if dx * dx + dz * dz < course.discs[n, 2] * course.discs[n, 2]:
            return True
    for n in range(course.boxes.shape[0]):
        if course.boxes[n, 0] < x < course.boxes[n, 2] and course.boxes[n, 1] < z < course.boxes[n, 3]:
            return True
    return False


@njit(cache=True, nogil=True, forceinline=True)
def _place(course: Any, along: float) -> tuple[float, float, float, float, int]:
    """The point of the path at ``along`` metres, its tangent there, and the number of the piece it lies on."""
    piece = int(along * course.pieces)
    part = along - piece * course.step
    tx, tz = course.line[piece, 2], course.line[piece, 3]
    return course.line[piece, 0] + part * tx, course.line[piece, 1] + part * tz, tx, tz, piece


@njit(cache=True, nogil=True, forceinline=True)
def play(
    tables: Tables,
    course: Course,
    prices: Prices,
    edge: int,
    cosine: float,
    sine: float,
    x: float,
    z: float,
    along: float,
    error: float,
    left: int,
    bound: float,
) -> tuple[float, float, float, int]:
    """Play an edge from a clip that lies at cosine, sine, x, z: how far along the path it leads, the error then and
    after ``left`` frames, and how many frames it took; fewer than the edge has where the path is done before. The
    error is infinite where the edge may not be played, or where it reaches ``bound``.
    """
    moving = tables.moving[edge]
    tracks = tables.blend if moving else tables.track
    if moving:
        error += prices.blend * tables.cost[edge] * tables.cost[edge]
    begin, length = tables.begin[edge], tables.length[edge]
    noted = np.inf
    px, pz, dx, dz, piece = _place(course, along)
    for k in range(length):
        tx, tz, gone = tracks[begin + k, 0], tracks[begin + k, 1], tracks[begin + k, 2]
        wx, wz = cosine * tx + sine * tz + x, cosine * tz - sine * tx + z
        was = along
        if prices.arc:
            along += max(gone, prices.least)
        else:
            along += min(max((wx - px) * dx + (wz - pz) * dz, prices.least), max(2.0 * gone, prices.least) + _SLACK)
        along = min(along, course.length)
        px, pz, dx, dz, piece = _place(course, along)
        error += prices.frame * ((wx - px) * (wx - px) + (wz - pz) * (wz - pz))
        if error >= bound:
            return along, np.inf, np.inf, length
        if prices.haste > 0.0:
            missed = along - was - prices.speed
            error += prices.haste * missed * missed
        section = course.section[piece]
        if (section >= 0 and not course.allowed[section, edge]) or _blocked(course, wx, wz):
            return along, np.inf, np.inf, length
        if k + 1 == left:
            noted = error
        if along >= course.length:
            if course.strictness > 0.0:
                row = tables.row[tables.target[edge]] - length + k if moving else begin + k
                missed = tables.heading[row] + np.arctan2(sine, cosine) - course.heading
                if moving:
                    missed += np.arctan2(tables.turn[edge, 1], tables.turn[edge, 0])
                missed = (missed + np.pi) % (2 * np.pi) - np.pi
                error += course.strictness * missed * missed
            return along, error, min(noted, error), k + 1
    return along, error, min(noted, error), length


@njit(cache=True, nogil=True, forceinline=True)
def spare(course: Course, node: int, along: float) -> float:
    """Metres that a walk which has come to a node so far along the path can still waste before it must set out for the
    next label; below 0 it is too late, and infinite where there is no next label.
    """
    piece = int(along * course.pieces)
    border = course.border[piece]
    if border < 0:
        return np.inf
    left: float = course.due[border] - along - course.needs[border, 1 if course.section[piece] < 0 else 0, node]
    return left


@njit(cache=True, nogil=True, forceinline=True)
def carry_on(
    tables: Tables,
    course: Course,
    prices: Prices,
    node: int,
    cosine: float,
    sine: float,
    x: float,
    z: float,
    along: float,
) -> float:
    """What the next frames would cost if the clip just played on from a node; beyond its end, straight on."""
    row, end = tables.row[node], tables.end[node]
    error = 0.0
    lx, lz = tables.track[end - 1, 0], tables.track[end - 1, 1]
    vx, vz = lx - tables.track[end - 2, 0], lz - tables.track[end - 2, 1]
    px, pz, dx, dz, _ = _place(course, along)
    for k in range(prices.stride, prices.ahead + 1, prices.stride):
        at = row + k - 1
        gone = prices.stride * tables.track[min(at, end - 1), 2]
        if at < end:
            tx, tz = tables.track[at, 0], tables.track[at, 1]
        else:
            tx, tz = lx + (at - end + 1) * vx, lz + (at - end + 1) * vz
        wx, wz = cosine * tx + sine * tz + x, cosine * tz - sine * tx + z
        least = prices.least * prices.stride
        if prices.arc:
            along += max(gone, least)
        else:
            along += min(max((wx - px) * dx + (wz - pz) * dz, least), max(2.0 * gone, least) + _SLACK)
        if along >= course.length:
            break
        px, pz, dx, dz, _ = _place(course, along)
        error += prices.stride * prices.frame * ((wx - px) * (wx - px) + (wz - pz) * (wz - pz))
    return error

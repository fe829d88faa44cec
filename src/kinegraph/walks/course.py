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

from kinegraph.arrays import Array
from kinegraph.walks.tables import Tables

# metres by which the point on the path may run ahead of what the walker has gone in a frame
_SLACK = 0.01
# metres to spare before the next label below which a walk need not wait between two blends
HURRY = 1.0
# what a blend costs more that comes too soon after another
HASTY = 0.5


class CourseArrays(NamedTuple):
    """A path as the compiled searches take it: M even pieces, S sections with a label, K borders between labels."""

    line: Array
    """``(M, 4)``: where each piece begins, and its direction. Two pieces lie beyond the path, lest its end be missed."""
    step: float
    """Metres of a piece."""
    pieces: float
    """Pieces of a metre."""
    length: float
    """Metres of the path."""
    section: NDArray[np.int64]
    """``(M,)``: the section whose label is asked for, −1 where any will do."""
    allowed: NDArray[np.bool_]
    """``(S, E)``: which edges bear each section's label."""
    border: NDArray[np.int64]
    """``(M,)``: the next border, −1 behind the last."""
    due: Array
    """``(K,)``: metres by which each border must be passed."""
    needs: Array
    """``(K, 2, N)``: the least metres from each node to where the next label begins, from outside a border's zone and from inside."""
    discs: Array
    """``(D, 3)``: x, z and radius of round obstacles."""
    boxes: Array
    """``(B, 4)``: lowest x and z, highest x and z of the others."""
    heading: float
    """Where the body is to face at the end."""
    strictness: float
    """What the square of the angle by which it does not costs."""


class Prices(NamedTuple):
    """What a search weighs against each other."""

    frame: float
    """What a square metre of deviation costs a frame."""
    blend: float
    """What a square metre of a transition's cost costs."""
    least: float
    """Metres that a frame counts as progress at least."""
    gap: int
    """Frames between two transitions."""
    stride: int
    """Frames from one look ahead to the next."""
    arc: bool
    """Whether a frame's point of the path is told by arc length."""
    speed: float
    """Metres a frame that are wished for."""
    haste: float
    """What the square of missing that speed costs."""
    fastest: float
    """Metres that any frame gains at most."""


@njit(cache=True, nogil=True, inline="always")
def _blocked(discs: Any, boxes: Any, x: float, z: float) -> bool:
    blocked = False
    for n in range(discs.shape[0]):
        dx, dz = x - discs[n, 0], z - discs[n, 1]
        blocked = blocked or dx * dx + dz * dz < discs[n, 2] * discs[n, 2]
    for n in range(boxes.shape[0]):
        blocked = blocked or (boxes[n, 0] < x < boxes[n, 2] and boxes[n, 1] < z < boxes[n, 3])
    return blocked


@njit(cache=True, nogil=True, inline="always")
def _place(line: Any, pieces: float, step: float, along: float) -> tuple[float, float, float, float, int]:
    """The point of the path at ``along`` metres, its tangent there, and the number of the piece it lies on."""
    piece = int(along * pieces)
    part = along - piece * step
    tx, tz = line[piece, 2], line[piece, 3]
    return line[piece, 0] + part * tx, line[piece, 1] + part * tz, tx, tz, piece


@njit(cache=True, nogil=True, inline="always")
def play_frames(
    track: Any,
    line: Any,
    sections: Any,
    allowed: Any,
    discs: Any,
    boxes: Any,
    prices: Any,
    pieces: float,
    step: float,
    whole: float,
    edge: int,
    begin: int,
    frames: int,
    cosine: float,
    sine: float,
    x: float,
    z: float,
    along: float,
    error: float,
    left: int,
    bound: float,
) -> tuple[float, float, float, int]:
    """As `play`, without what belongs to the edge as a whole. Arrays come one by one, and it is inlined by numba itself:
    a look into a tuple of arrays, and to hand one to a function, counts references, which takes longer than to play a
    frame.
    """
    arc, least, frame, haste, speed = prices.arc, prices.least, prices.frame, prices.haste, prices.speed
    noted = np.inf
    px, pz, dx, dz, piece = _place(line, pieces, step, along)
    for k in range(frames):
        tx, tz, gone = track[begin + k, 0], track[begin + k, 1], track[begin + k, 2]
        wx, wz = cosine * tx + sine * tz + x, cosine * tz - sine * tx + z
        was = along
        if arc:
            along += max(gone, least)
        else:
            along += min(max((wx - px) * dx + (wz - pz) * dz, least), max(2.0 * gone, least) + _SLACK)
        along = min(along, whole)
        px, pz, dx, dz, piece = _place(line, pieces, step, along)
        error += frame * ((wx - px) * (wx - px) + (wz - pz) * (wz - pz))
        if haste > 0.0:
            error += haste * (along - was - speed) * (along - was - speed)
        section = sections[piece]
        if error >= bound or (section >= 0 and not allowed[section, edge]) or _blocked(discs, boxes, wx, wz):
            error = np.inf
            break
        if k + 1 == left:
            noted = error
        if along >= whole:
            frames = k + 1
            break
    return along, error, min(noted, error), frames


@njit(cache=True, nogil=True)
def play(
    tables: Tables,
    course: CourseArrays,
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
    cost = tables.cost[edge]
    along, error, noted, frames = play_frames(
        tables.track,
        course.line,
        course.section,
        course.allowed,
        course.discs,
        course.boxes,
        prices,
        course.pieces,
        course.step,
        course.length,
        edge,
        tables.begin[edge],
        tables.length[edge],
        cosine,
        sine,
        x,
        z,
        along,
        error + prices.blend * cost * cost,
        left,
        bound,
    )
    if course.strictness > 0.0 and along >= course.length:
        missed = missed_heading(tables, course, edge, frames, np.arctan2(sine, cosine))
        error += missed
        noted = min(noted + missed, error)
    return along, error, noted, frames


@njit(cache=True, nogil=True)
def missed_heading(tables: Tables, course: CourseArrays, edge: int, frames: int, angle: float) -> float:
    """What it costs that the body does not face where it should after ``frames`` of an edge, whose clip is turned by
    ``angle``.
    """
    row = tables.begin[edge] + frames - 1
    if tables.blended[edge]:
        angle += np.arctan2(tables.turn[edge, 1], tables.turn[edge, 0])
        row = tables.row[tables.target[edge]] - tables.length[edge] + frames - 1
    missed = (tables.heading[row] + angle - course.heading + np.pi) % (2 * np.pi) - np.pi
    price: float = course.strictness * missed * missed
    return price


@njit(cache=True, nogil=True, forceinline=True)
def laid(cosine: float, sine: float, x: float, z: float, turn: Any, edge: int) -> tuple[float, float, float, float]:
    """Where the target's clip of a transition lies if the source's lies at cosine, sine, x, z. turn ``(E, 4)``: as in
    `Tables`.
    """
    tc, ts, tx, tz = turn[edge, 0], turn[edge, 1], turn[edge, 2], turn[edge, 3]
    return (
        cosine * tc - sine * ts,
        sine * tc + cosine * ts,
        cosine * tx + sine * tz + x,
        cosine * tz - sine * tx + z,
    )


@njit(cache=True, nogil=True, forceinline=True)
def spare(course: CourseArrays, node: int, along: float) -> float:
    """Metres that a walk which has come to a node so far along the path can still waste before it must set out for the
    next label; below 0 it is too late, and infinite where there is no next label.
    """
    if course.due.size == 0:
        return np.inf
    piece = int(along * course.pieces)
    border = course.border[piece]
    if border < 0:
        return np.inf
    left: float = course.due[border] - along - course.needs[border, 1 if course.section[piece] < 0 else 0, node]
    return left


@njit(cache=True, nogil=True, inline="always")
def look_on(
    look: Any,
    line: Any,
    prices: Any,
    pieces: float,
    step: float,
    whole: float,
    node: int,
    cosine: float,
    sine: float,
    x: float,
    z: float,
    along: float,
) -> float:
    """As `carry_on`; arrays come one by one, see `play_frames`."""
    error = 0.0
    arc = prices.arc
    px, pz, dx, dz, _ = _place(line, pieces, step, along)
    least = prices.least * prices.stride
    for k in range(look.shape[1]):
        tx, tz, gone = look[node, k, 0], look[node, k, 1], look[node, k, 2]
        wx, wz = cosine * tx + sine * tz + x, cosine * tz - sine * tx + z
        if arc:
            along += max(gone, least)
        else:
            along += min(max((wx - px) * dx + (wz - pz) * dz, least), max(2.0 * gone, least) + _SLACK)
        if along >= whole:
            break
        px, pz, dx, dz, _ = _place(line, pieces, step, along)
        error += (wx - px) * (wx - px) + (wz - pz) * (wz - pz)
    cost: float = error * prices.stride * prices.frame
    return cost


@njit(cache=True, nogil=True, forceinline=True)
def carry_on(
    tables: Tables,
    course: CourseArrays,
    prices: Prices,
    node: int,
    cosine: float,
    sine: float,
    x: float,
    z: float,
    along: float,
) -> float:
    """What the next frames would cost if the clip just played on from a node; beyond its end, straight on."""
    return look_on(
        tables.look, course.line, prices, course.pieces, course.step, course.length, node, cosine, sine, x, z, along
    )

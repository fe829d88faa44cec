"""The course: a path as a search sees it, and what it costs to play an edge along it (Dirican 2014, 4.2.2). Compiled.

Every frame costs the squared distance of the smoothed root from the point of the path it belongs to, the square of how
fast it is turned to get there, and what it faces away from the path; a blend costs its price besides.

Which point of the path a frame belongs to can be told in two ways. *arc*: that of equal arc length, as in the paper;
whatever a walker gains by cutting a corner, or loses by swaying, then stays with it for the rest of the path.
*progress*: the walker's motion along the path's tangent moves the point; nothing adds up.

Every clip steers as it is played: it is bent a little, so that a third of a second later it would be on the path. Where the
clip itself goes as the path does there is nothing to bend, so captured turns come cheaper than bent ones.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.compiled import njit
from kinegraph.walks.tables import AHEAD_X, AHEAD_Z, FACING_X, FACING_Z, MOST, REACH, STEADY_X, STEADY_Z, Tables

# metres by which the point on the path may run ahead of what the walker has gone in a frame
SLACK = 0.01
# what a blend costs more that comes too soon after another
HASTY = 0.5
# cosine of the angle by which a body may face away from where it should for nothing: hips and shoulders swing, and
# people look into a bend before they take it
FACING_FREE = 0.87
# how much less it costs to halt beside the place than to be as far off the path
LOOSE = 0.2


class CourseArrays(NamedTuple):
    """A path as the compiled searches take it: M even pieces, S sections with a label, K borders between labels."""

    line: Array
    """``(M, 5)``: where each piece begins, its direction, and how much tighter than at full speed a body may be bent there, since it
    slows down. Some pieces lie beyond the path, lest its end be missed.
    """
    step: float
    """Metres of a piece."""
    pieces: float
    """Pieces of a metre."""
    length: float
    """Metres of progress to its end: those of the path, and what halts take."""
    halt: Array
    """``(M,)``: metres of progress since a halt began, on pieces that only time takes a walker over; −1 elsewhere."""
    section: NDArray[np.int64]
    """``(M,)``: the section whose label is asked for, −1 where any will do."""
    strays: NDArray[np.int8]
    """``(S, E)``: how many tolls each edge pays in each section: none if it bears its label; −1 where it may not be played."""
    toll: Array
    """``(M,)``: what a metre without its label costs."""
    tolls: Array
    """``(M,)``: what all pieces before it would."""
    part: NDArray[np.int64]
    """``(M,)``: which of the K parts it belongs to: sections, halts, and what lies between them."""
    lasting: Array
    """``(M,)``: the least frames from each piece to the end."""
    until: Array
    """``(K,)``: metres of progress at which the next part with a label begins."""
    needs: Array
    """``(K, 5, N)``: the metres from each node to where a part's label is borne and to where the next one's is, by the quickest way;
    how many more metres are paid for; and how many more must be gone without a label than from where it is best.
    """
    change: Array
    """``(K, 7)``: the metres from a part's label to the next one's, how many of them had best lie behind the border, how many more are
    paid for, what one of these costs; by how much less a metre of this part and of the next gets on, where they are halts; and what all
    later changes will cost.
    """
    discs: Array
    """``(D, 3)``: x, z and radius of round obstacles."""
    boxes: Array
    """``(B, 4)``: lowest x and z, highest x and z of the others."""
    facing: Array
    """``(M, 3)``: where a body is to face, as sine and cosine against the way ahead, and what it costs to face away."""
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
    creep: float
    """The same for a frame that lacks its label: changing from one to another may take its time on the spot."""
    looked: float
    """The same where it is only looked ahead."""
    amble: float
    """Metres for which such a frame pays at least."""
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
    arrival: float
    """What a square metre costs by which the end of the path is missed, besides."""
    bend: float
    """What the square of the radians costs by which a frame is turned."""
    bending: float
    """By which share of what a body bears clips may be bent; 0 leaves them as they are."""


@njit(cache=True, nogil=True, inline="always")
def blocked_at(discs: Any, boxes: Any, x: float, z: float) -> bool:
    """Whether an obstacle stands at a place."""
    blocked = False
    for n in range(discs.shape[0]):
        dx, dz = x - discs[n, 0], z - discs[n, 1]
        blocked = blocked or dx * dx + dz * dz < discs[n, 2] * discs[n, 2]
    for n in range(boxes.shape[0]):
        blocked = blocked or (boxes[n, 0] < x < boxes[n, 2] and boxes[n, 1] < z < boxes[n, 3])
    return blocked


@njit(cache=True, nogil=True, inline="always")
def place_on(line: Any, pieces: float, step: float, along: float) -> tuple[float, float, float, float, int]:
    """The point of the path at ``along`` metres, its tangent there, and the number of the piece it lies on."""
    piece = int(along * pieces)
    part = along - piece * step
    tx, tz = line[piece, 2], line[piece, 3]
    return line[piece, 0] + part * tx, line[piece, 1] + part * tz, tx, tz, piece


@njit(cache=True, nogil=True, inline="always")
def turn_towards(
    steer: Any,
    row: int,
    line: Any,
    halt: Any,
    pieces: float,
    step: float,
    whole: float,
    along: float,
    cosine: float,
    sine: float,
    x: float,
    z: float,
) -> float:
    """Radians a metre by which a clip that lies at cosine, sine, x, z must turn from a row of its frames on, to be on
    the path when it has gone as far as it will in the next third of a second; no more than a body bears.
    """
    most = steer[row, MOST] * line[int(along * pieces), 4]
    if most <= 0.0:
        return 0.0
    sx, sz, ax, az, reach = (
        steer[row, STEADY_X],
        steer[row, STEADY_Z],
        steer[row, AHEAD_X],
        steer[row, AHEAD_Z],
        steer[row, REACH],
    )
    wx, wz = cosine * sx + sine * sz + x, cosine * sz - sine * sx + z
    gx, gz = cosine * (ax - sx) + sine * (az - sz), cosine * (az - sz) - sine * (ax - sx)
    beyond = max(along + reach - whole, 0.0)
    qx, qz, tx, tz, piece = place_on(line, pieces, step, along + reach - beyond)
    # who is about to halt makes straight for a place as far behind it
    beyond += max(halt[piece], 0.0)
    qx, qz = qx + beyond * tx - wx, qz + beyond * tz - wz
    # a chord turns by half of what its curve does; who looks backwards turns as hard as he may
    aside, onward = qx * gz - qz * gx, qx * gx + qz * gz
    if onward <= 0.0:
        onward = 1e-9
    turn: float = max(min(2.0 * aside / (onward * reach), most), -most)
    return turn


@njit(cache=True, nogil=True, inline="always")
def play_frames(
    track: Any,
    steer: Any,
    line: Any,
    halt: Any,
    sections: Any,
    strays: Any,
    toll: Any,
    facing: Any,
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
    trail: Any,
) -> tuple[float, float, float, int, float, float, float, float]:
    """As `play`, without what belongs to the edge as a whole. Arrays come one by one, and it is inlined by numba itself:
    a look into a tuple of arrays, and to hand one to a function, counts references, which takes longer than to play a
    frame. trail: where the turn of each frame is written, if it has room.
    """
    arc, least, frame, haste, speed = prices.arc, prices.least, prices.frame, prices.haste, prices.speed
    bend, bending, creep, amble = prices.bend, prices.bending, prices.creep, prices.amble
    noted = np.inf
    px, pz, dx, dz, piece = place_on(line, pieces, step, along)
    for k in range(frames):
        row = begin + k
        tx, tz, gone = track[row, 0], track[row, 1], track[row, 2]
        wx, wz = cosine * tx + sine * tz + x, cosine * tz - sine * tx + z
        was = along
        section = sections[piece]
        stray = 0
        slow = least
        if section >= 0:
            stray = strays[section, edge]
            if stray > 0:
                slow = creep
        if halt[piece] >= 0.0:
            along += slow
        elif arc:
            along += max(gone, slow)
        else:
            along += min(max((wx - px) * dx + (wz - pz) * dz, slow), max(2.0 * gone, slow) + SLACK)
        along = min(along, whole)
        if stray > 0:
            error += stray * toll[piece] * max(along - was, amble)
        px, pz, dx, dz, piece = place_on(line, pieces, step, along)
        off = (wx - px) * (wx - px) + (wz - pz) * (wz - pz)
        error += frame * (off if halt[piece] < 0.0 else LOOSE * off)
        if haste > 0.0 and halt[piece] < 0.0:
            error += haste * (along - was - speed) * (along - was - speed)
        price = facing[piece, 2]
        if price > 0.0:
            fx, fz = steer[row, FACING_X], steer[row, FACING_Z]
            fx, fz = cosine * fx + sine * fz, cosine * fz - sine * fx
            # the way the body is to face: the path's own, turned
            ox, oz = facing[piece, 1] * dx + facing[piece, 0] * dz, facing[piece, 1] * dz - facing[piece, 0] * dx
            error += price * max(FACING_FREE - (fx * ox + fz * oz), 0.0)
        if error >= bound or stray < 0 or blocked_at(discs, boxes, wx, wz):
            error = np.inf
            break
        if bending > 0.0:
            turn = bending * gone * turn_towards(steer, row, line, halt, pieces, step, whole, along, cosine, sine, x, z)
            error += bend * turn * turn
            # turned about where the walker is: to the second order, as no frame turns by much
            ct, st = 1.0 - 0.5 * turn * turn, turn
            cosine, sine = cosine * ct - sine * st, sine * ct + cosine * st
            grown = 1.5 - 0.5 * (cosine * cosine + sine * sine)
            cosine, sine = grown * cosine, grown * sine
            x, z = wx - cosine * tx - sine * tz, wz - cosine * tz + sine * tx
            if k < trail.size:
                trail[k] = turn
        if k + 1 == left:
            noted = error
        if along >= whole:
            error += prices.arrival * off
            frames = k + 1
            break
    return along, error, min(noted, error), frames, cosine, sine, x, z


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
    trail: Array,
) -> tuple[float, float, float, int, float, float, float, float]:
    """Play an edge from a clip that lies at cosine, sine, x, z: how far along the path it leads, the error then and
    after ``left`` frames, how many frames it took (fewer than the edge has where the path is done before), and where
    its clip lies then. The error is infinite where the edge may not be played, or where it reaches ``bound``. trail:
    where the turns of its frames are written, if it has room.
    """
    cost = tables.cost[edge]
    along, error, noted, frames, cosine, sine, x, z = play_frames(
        tables.track,
        tables.steer,
        course.line,
        course.halt,
        course.section,
        course.strays,
        course.toll,
        course.facing,
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
        trail,
    )
    if course.strictness > 0.0 and along >= course.length:
        missed = missed_heading(tables, course, edge, frames, np.arctan2(sine, cosine))
        error += missed
        noted = min(noted + missed, error)
    return along, error, noted, frames, cosine, sine, x, z


@njit(cache=True, nogil=True)
def turns_along(
    track: Array,
    steer: Array,
    course: CourseArrays,
    prices: Prices,
    edges: NDArray[np.int64],
    lengths: NDArray[np.int64],
) -> tuple[Array, int]:
    """Radians ``(F,)`` by which each frame of a way that is known to its end must turn, and with how many frames it
    passes the end of the path, F + 1 if it does not. track ``(F, 3)``, steer ``(F, 8)``: as in `Tables`, laid on the
    floor. edges, lengths ``(n,)``: whose frames these are, and how many of each.
    """
    turns = np.zeros(len(track))
    cosine, sine, x, z, along, begin = 1.0, 0.0, 0.0, 0.0, 0.0, 0
    for k in range(len(edges)):
        along, _, _, frames, cosine, sine, x, z = play_frames(
            track, steer, course.line, course.halt, course.section, course.strays, course.toll, course.facing,
            np.zeros((0, 3)), np.zeros((0, 4)), prices, course.pieces, course.step, course.length, edges[k], begin,
            lengths[k], cosine, sine, x, z, along, 0.0, 0, np.inf, turns[begin : begin + lengths[k]],
        )  # fmt: skip
        if along >= course.length:
            return turns, begin + frames
        begin += lengths[k]
    return turns, len(track) + 1


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

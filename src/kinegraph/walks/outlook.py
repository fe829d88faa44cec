"""The outlook along a course: what the next frames would cost if a clip just played on. Compiled."""

from __future__ import annotations

from typing import Any

from kinegraph.compiled import njit
from kinegraph.walks.course import SLACK, CourseArrays, Prices, place_on, turn_towards
from kinegraph.walks.tables import STEADY_X, STEADY_Z, Tables


@njit(cache=True, nogil=True, inline="always")
def look_on(
    look: Any,
    steer: Any,
    line: Any,
    halt: Any,
    prices: Any,
    pieces: float,
    step: float,
    whole: float,
    node: int,
    row: int,
    cosine: float,
    sine: float,
    x: float,
    z: float,
    along: float,
) -> float:
    """As `carry_on`; arrays come one by one, see `kinegraph.walks.course.play_frames`."""
    error = 0.0
    arc = prices.arc
    px, pz, dx, dz, piece = place_on(line, pieces, step, along)
    least = prices.looked * prices.stride
    # bent evenly all the way, as it would be at first
    turn = 0.0
    if prices.bending > 0.0:
        turn = prices.bending * turn_towards(steer, row, line, halt, pieces, step, whole, along, cosine, sine, x, z)
    sx, sz = steer[row, STEADY_X], steer[row, STEADY_Z]
    bx, bz = cosine * sx + sine * sz + x, cosine * sz - sine * sx + z
    walked = 0.0
    for k in range(look.shape[1]):
        tx, tz, gone = look[node, k, 0] - sx, look[node, k, 1] - sz, look[node, k, 2]
        ox, oz = cosine * tx + sine * tz, cosine * tz - sine * tx
        walked += gone
        # a chord turns by half of what its curve does; the sine and cosine of that, near enough
        half = 0.5 * turn * walked
        st, ct = half * (1.0 - half * half / 6.0), 1.0 - 0.5 * half * half * (1.0 - half * half / 12.0)
        wx, wz = bx + ct * ox + st * oz, bz + ct * oz - st * ox
        if halt[piece] >= 0.0:
            along += least
        elif arc:
            along += max(gone, least)
        else:
            along += min(max((wx - px) * dx + (wz - pz) * dz, least), max(2.0 * gone, least) + SLACK)
        if along >= whole:
            break
        px, pz, dx, dz, piece = place_on(line, pieces, step, along)
        bent = turn * gone / prices.stride
        error += prices.frame * ((wx - px) * (wx - px) + (wz - pz) * (wz - pz)) + prices.bend * bent * bent
    cost: float = error * prices.stride
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
        tables.look, tables.steer, course.line, course.halt, prices, course.pieces, course.step, course.length, node,
        tables.row[node], cosine, sine, x, z, along,
    )  # fmt: skip

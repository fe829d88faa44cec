"""Where a body gets that holds a stick, compiled: it turns quickly, but needs a second or more to stop and to set out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array
from kinegraph.compiled import njit

# m/s below which who goes on has to set out anew
_SETS_OUT = 0.6


class Response(NamedTuple):
    """How bodies answer a stick."""

    least: float = 0.88
    """m/s of a slow walk that they fall into soon."""
    turns: float = 3.5
    """rad/s by which they turn as they walk."""
    stop: float = 1.6
    """Seconds until who walks stands."""
    stop_way: float = 1.03
    """Metres that they get until then."""
    start: float = 1.8
    """Seconds until who stands walks."""
    start_way: float = 0.66
    """Metres that they get until then, at 1.3 m/s."""


@njit(cache=True, nogil=True)
def outlook(v_x: float, v_z: float, x: float, z: float, heading: float, own: Response, plan: Array) -> None:
    """Where a body that goes at ``v`` gets on the way to the stick ``x, z``.

    Fills a plan ``(8,)``: velocity until a time, velocity until a later time, velocity after it. Turns are two chords of their arc: it
    bulges by a quarter of a metre.
    """
    now, then = np.hypot(v_x, v_z), np.hypot(x, z)
    plan[:] = 0.0
    plan[6], plan[7] = x, z
    if then < 0.1:
        # stopping takes its time whatever the speed; who is slower has it half behind them
        time = own.stop * min(now / own.least, 1.0)
        mean = own.stop_way / own.stop
        if now <= own.least:
            mean = min(mean, 0.5 * now)
        share = mean / max(now, 1e-6)
        plan[0], plan[1], plan[2] = share * v_x, share * v_z, time
        plan[5] = time
        return
    if now < _SETS_OUT:
        # who sets out goes where they face, slowly at first, and turns as soon as they walk
        d_x, d_z = np.sin(heading), np.cos(heading)
        time = own.start * (1.0 - 0.5 * now / _SETS_OUT)
        mean = own.start_way / own.start + 0.3 * now
        first, second = 0.5 * mean, 1.5 * mean
    else:
        d_x, d_z = v_x / now, v_z / now
        time = -1.0
        first, second = 0.75 * now + 0.25 * then, 0.25 * now + 0.75 * then
    angle = np.arctan2(d_z * x - d_x * z, d_x * x + d_z * z)
    if time < 0.0:
        time = abs(angle) / own.turns + 0.1
    quarter = 0.25 * angle
    chord = np.sin(quarter) / quarter if abs(quarter) > 1e-3 else 1.0
    for k in range(2):
        part = quarter if k == 0 else 3.0 * quarter
        speed = chord * (first if k == 0 else second)
        cosine, sine = np.cos(part), np.sin(part)
        plan[3 * k], plan[3 * k + 1] = speed * (cosine * d_x + sine * d_z), speed * (cosine * d_z - sine * d_x)
    plan[2], plan[5] = 0.5 * time, time


@njit(cache=True, nogil=True)
def turned_outlook(x: float, z: float, time: float, own: Response, plan: Array) -> None:
    """The same for who stands, turns on their feet for a ``time`` and sets out by the stick ``x, z`` then."""
    share = own.start_way / own.start / max(np.hypot(x, z), 1e-6)
    plan[0], plan[1], plan[2] = 0.0, 0.0, time
    plan[3], plan[4], plan[5] = share * x, share * z, time + own.start
    plan[6], plan[7] = x, z


@njit(cache=True, nogil=True)
def part_at(plan: Array, now: float) -> int:
    """Which part of a plan goes on just after now: where its velocity begins."""
    return 0 if now < plan[2] else (3 if now < plan[5] else 6)


@njit(cache=True, nogil=True)
def nearest_on(x: float, z: float, v_x: float, v_z: float, time: float) -> tuple[float, float]:
    """The least distance, squared, of something at ``x, z`` that moves at ``v`` for a ``time``, and when."""
    speed = v_x * v_x + v_z * v_z
    when = 0.0
    if speed > 1e-12:
        when = min(max(-(x * v_x + z * v_z) / speed, 0.0), time)
    n_x, n_z = x + when * v_x, z + when * v_z
    return n_x * n_x + n_z * n_z, when

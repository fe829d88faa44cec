"""The velocity nearest to a wished one that half planes allow, compiled: linear programs in two and three dimensions.

A half plane is ``n · v >= b`` with a unit normal, kept as rows ``n_x, n_z, b``. They are taken one after another (Seidel 1991): as long as
the best velocity so far obeys the next one it stays, otherwise the best one lies on that one's border, which is a problem in one dimension.
Where no velocity obeys all (van den Berg and others 2011, section 5.3), walls are kept to and the others are violated as little as can be.
"""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.compiled import njit

_PARALLEL = 1e-9


@njit(cache=True, nogil=True)
def on_border(
    planes: Array, number: int, most: float, aim_x: float, aim_z: float, far: bool
) -> tuple[bool, float, float]:
    """The best velocity on the border of half plane ``number`` that those before it and the speed ``most`` allow; whether there is one.

    Best is nearest to ``aim``, or, with ``far``, furthest along it.
    """
    n_x, n_z, b = planes[number]
    room = most * most - b * b
    if room < 0.0:
        return False, 0.0, 0.0
    # points of the border are b·n + t·d
    d_x, d_z = -n_z, n_x
    high = np.sqrt(room)
    low = -high
    for other in range(number):
        o_x, o_z, o_b = planes[other]
        along, rest = o_x * d_x + o_z * d_z, o_b - b * (o_x * n_x + o_z * n_z)
        if abs(along) < _PARALLEL:
            if rest > 1e-12:
                return False, 0.0, 0.0
        elif along > 0.0:
            low = max(low, rest / along)
        else:
            high = min(high, rest / along)
        if low > high:
            return False, 0.0, 0.0
    t = aim_x * d_x + aim_z * d_z
    if far:
        t = high if t > 0.0 else low
    else:
        t = min(max(t, low), high)
    return True, b * n_x + t * d_x, b * n_z + t * d_z


@njit(cache=True, nogil=True)
def nearest(planes: Array, count: int, most: float, aim_x: float, aim_z: float, far: bool) -> tuple[int, float, float]:
    """The first half plane of ``count`` that cannot be obeyed, or count, and the best velocity within those before it."""
    length = np.hypot(aim_x, aim_z)
    if far or length > most:
        scale = most / max(length, 1e-12)
        x, z = aim_x * scale, aim_z * scale
    else:
        x, z = aim_x, aim_z
    for number in range(count):
        if planes[number, 0] * x + planes[number, 1] * z < planes[number, 2]:
            found, new_x, new_z = on_border(planes, number, most, aim_x, aim_z, far)
            if not found:
                return number, x, z
            x, z = new_x, new_z
    return count, x, z


@njit(cache=True, nogil=True)
def least_bad(
    planes: Array, count: int, firm: int, begin: int, most: float, x: float, z: float, spare: Array
) -> tuple[float, float]:
    """The velocity that violates half planes least, by the worst of them; the first ``firm`` of them are obeyed.

    begin: the half plane at which there was nothing left, with the best velocity ``x, z`` until then. spare: room for ``count`` rows.
    """
    worst = 0.0
    for number in range(begin, count):
        n_x, n_z, b = planes[number]
        if b - n_x * x - n_z * z <= worst:
            continue
        # where this one is violated as much as any: each of the others, less this one, is a half plane of its own
        spare[:firm] = planes[:firm]
        used = firm
        for other in range(firm, number):
            d_x, d_z = planes[other, 0] - n_x, planes[other, 1] - n_z
            length = np.hypot(d_x, d_z)
            if length > _PARALLEL:
                spare[used, 0], spare[used, 1] = d_x / length, d_z / length
                spare[used, 2] = (planes[other, 2] - b) / length
                used += 1
        reached, new_x, new_z = nearest(spare, used, most, n_x, n_z, True)
        if reached == used:
            x, z = new_x, new_z
        worst = b - n_x * x - n_z * z
    return x, z


@njit(cache=True, nogil=True)
def chosen(
    planes: Array, count: int, firm: int, most: float, aim_x: float, aim_z: float, spare: Array
) -> tuple[float, float]:
    """The velocity nearest to ``aim`` within half planes; where there is none, that which violates all but the ``firm`` first least."""
    reached, x, z = nearest(planes, count, most, aim_x, aim_z, False)
    if reached < count:
        x, z = least_bad(planes, count, firm, max(reached, firm), most, x, z, spare)
    return x, z

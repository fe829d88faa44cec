"""How crowded it will be where, compiled: everybody goes on by their stick for a while."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array
from kinegraph.compiled import njit

# seconds from now at which it is looked how crowded it will be
_AHEAD = np.array([1.5, 3.0])


class Press(NamedTuple):
    """How many people there will be where, on a grid of square metres."""

    x: float
    z: float
    people: Array
    """``(len(_AHEAD), H, W)``: people on a square metre, so many seconds from now."""


@njit(cache=True, nogil=True)
def pressing(place: Array, stick: Array) -> Press:
    """Where people at ``place (N, 2)`` crowd in a while if they go on by their ``stick (N, 2)``."""
    margin = 8.0
    low_x, low_z = place[:, 0].min() - margin, place[:, 1].min() - margin
    width = min(int(place[:, 0].max() + margin - low_x) + 2, 4096)
    height = min(int(place[:, 1].max() + margin - low_z) + 2, 4096)
    people = np.zeros((len(_AHEAD), height, width))
    for k in range(len(_AHEAD)):
        for person in range(len(place)):
            u = place[person, 0] + _AHEAD[k] * stick[person, 0] - low_x
            v = place[person, 1] + _AHEAD[k] * stick[person, 1] - low_z
            u, v = min(max(u, 0.0), width - 1.001), min(max(v, 0.0), height - 1.001)
            column, row = int(u), int(v)
            u, v = u - column, v - row
            people[k, row, column] += (1.0 - u) * (1.0 - v)
            people[k, row, column + 1] += u * (1.0 - v)
            people[k, row + 1, column] += (1.0 - u) * v
            people[k, row + 1, column + 1] += u * v
    return Press(low_x, low_z, people)


@njit(cache=True, nogil=True)
def pressed(
    press: Press, x: float, z: float, own_x: float, own_z: float, c_x: float, c_z: float, dense: float
) -> float:
    """How many people more than ``dense`` there will be on a square metre where the stick ``c`` leads, at all those moments together.

    own: the stick held, which is part of it.
    """
    more = 0.0
    height, width = press.people.shape[1:]
    for k in range(len(_AHEAD)):
        u, v = x + _AHEAD[k] * c_x - press.x, z + _AHEAD[k] * c_z - press.z
        u, v = min(max(u, 0.0), width - 1.001), min(max(v, 0.0), height - 1.001)
        column, row = int(u), int(v)
        fu, fv = u - column, v - row
        own = press.people[k]
        there = (1.0 - fv) * ((1.0 - fu) * own[row, column] + fu * own[row, column + 1]) + fv * (
            (1.0 - fu) * own[row + 1, column] + fu * own[row + 1, column + 1]
        )
        # less what one has put there oneself
        o_u, o_v = x + _AHEAD[k] * own_x - press.x, z + _AHEAD[k] * own_z - press.z
        apart_u, apart_v = abs(o_u - u), abs(o_v - v)
        there -= max(1.0 - apart_u, 0.0) * max(1.0 - apart_v, 0.0) * 0.44
        more += max(there - dense, 0.0)
    return more

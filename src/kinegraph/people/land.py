"""The ground on which people are steered, compiled: its height on a grid, and between four places of it as a plane bent through them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array
from kinegraph.compiled import njit
from kinegraph.paths.ground import Ground
from kinegraph.people.quaternions import Turn, Vector, aiming

# Metres between two places of the grid, and how far it reaches from the origin to all sides.
_STEP, FAR = 0.08, 60.0
# Metres about a body over which the ground is averaged that it follows.
_AROUND = 0.25
# By which part of what it rises within that a body goes lower on steep ground: its legs are not longer there.
_CROUCH = 0.5
# In leg lengths, how high above the ground an ankle is that no longer tilts with it, and up to which height it does.
_AIRY, _STANDING = 0.3, 0.14


class Land(NamedTuple):
    """Heights of the ground. Beyond its edges they stay as they are there."""

    heights: Array
    """``(R, C)``: in metres; row r and column c are at z0 + r · step and x0 + c · step. A single one is level ground."""
    x0: float
    z0: float
    step: float
    size: float = 1.0
    """How many of these metres one of those is in which somebody lives: the ground is smaller for who is larger, see `seen_by`."""


def land_of(ground: Ground | None) -> Land:
    """A ground as people are held on it, within 60 m of the origin.

    >>> from kinegraph.paths.ground import ground
    >>> float(round(height(land_of(ground("slope:10%")), 0.3, 2.0), 6))
    0.2
    """
    if ground is None:
        return Land(np.zeros((1, 1)), 0.0, 0.0, 1.0, 1.0)
    along = np.arange(-FAR, FAR + 0.5 * _STEP, _STEP)
    x, z = np.meshgrid(along, along)
    heights = np.ascontiguousarray(ground(np.stack([x, z], axis=-1)), np.float64)
    return Land(heights, -FAR, -FAR, _STEP, 1.0)


@njit(cache=True, nogil=True)
def seen_by(land: Land, size: float) -> Land:
    """The land as somebody sees it who is ``size`` times as large as the clips, in units in which they are as large as the clips."""
    return Land(land.heights, land.x0, land.z0, land.step, size)


@njit(cache=True, nogil=True)
def is_flat(land: Land) -> bool:
    """Whether it is level everywhere."""
    return land.heights.size == 1


@njit(cache=True, nogil=True)
def height(land: Land, x: float, z: float) -> float:
    """Metres, at a place."""
    if land.heights.size == 1:
        return float(land.heights[0, 0])
    rows, columns = land.heights.shape
    column = min(max((land.size * x - land.x0) / land.step, 0.0), columns - 1.000001)
    row = min(max((land.size * z - land.z0) / land.step, 0.0), rows - 1.000001)
    r, c = int(row), int(column)
    down, right = row - r, column - c
    near = (1.0 - right) * land.heights[r, c] + right * land.heights[r, c + 1]
    far = (1.0 - right) * land.heights[r + 1, c] + right * land.heights[r + 1, c + 1]
    return float(((1.0 - down) * near + down * far) / land.size)


@njit(cache=True, nogil=True)
def about_height(land: Land, x: float, z: float) -> float:
    """Metres at which a body goes about a place: the ground on average, and lower where it is steep, for the foot that is further down."""
    if land.heights.size == 1:
        return float(land.heights[0, 0])
    left, right = height(land, x - _AROUND, z), height(land, x + _AROUND, z)
    behind, ahead = height(land, x, z - _AROUND), height(land, x, z + _AROUND)
    across = np.hypot(left - right, behind - ahead)
    return float(0.2 * (height(land, x, z) + left + right + behind + ahead) - _CROUCH * across)


@njit(cache=True, nogil=True)
def raised(land: Land, sizes: Array, root: Array) -> None:
    """Bring bodies ``root (N, 3)`` that are on level ground to the height that it has about them. sizes: ``(N,)``, as in `seen_by`."""
    for person in range(len(root)):
        root[person, 1] += about_height(seen_by(land, sizes[person]), root[person, 0], root[person, 2])


@njit(cache=True, nogil=True)
def tilt(land: Land, ankle: Vector, above: float, leg: float) -> Turn:
    """The turn that tilts a foot as the ground is; less the higher its ankle is ``above`` it. leg: its length in metres."""
    share = min(max((_AIRY - above / leg) / (_AIRY - _STANDING), 0.0), 1.0)
    reach = 0.4 * _AROUND
    rise_x = height(land, ankle[0] + reach, ankle[2]) - height(land, ankle[0] - reach, ankle[2])
    rise_z = height(land, ankle[0], ankle[2] + reach) - height(land, ankle[0], ankle[2] - reach)
    return aiming((0.0, 1.0, 0.0), (-share * rise_x, 2.0 * reach, -share * rise_z))

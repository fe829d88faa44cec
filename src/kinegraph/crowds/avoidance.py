"""Who goes how fast where so that nobody is run into, compiled: optimal reciprocal collision avoidance (ORCA).

After van den Berg, Guy, Lin and Manocha, "Reciprocal n-body collision avoidance" (2011). Each of two who would collide within a while takes
its share of the smallest change of their relative velocity that prevents it; so each other person allows a half plane of velocities, each
wall a half plane, and the velocity nearest to the wished one within all of them is taken (`halfplanes`).

Two things differ from the paper, both because bodies are steered here and not discs. Shares need not be halves: who stands gives way less.
And walls are kept to by their nearest points, with as much speed towards them as is left until one would touch them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array
from kinegraph.compiled import njit
from kinegraph.crowds.grid import grid_of, rows_of, run_of
from kinegraph.crowds.halfplanes import chosen

# walls that are looked at for a person, the nearest ones
_WALLS = 8


class Care(NamedTuple):
    """How avoidance looks at the world."""

    reach: float = 5.0
    """Metres within which others are seen."""
    most: int = 10
    """How many of them are looked at, the nearest ones."""
    horizon: float = 2.5
    """Seconds for which others are not run into."""
    wall_horizon: float = 0.8
    """Seconds for which walls are not run into."""
    apart: float = 0.5
    """Seconds within which those who touch already get out of each other."""


class Movers(NamedTuple):
    """N people as discs."""

    place: Array
    """``(N, 2)``: x and z."""
    velocity: Array
    """``(N, 2)``: m/s, as it is."""
    radius: Array
    """``(N,)``"""
    fastest: Array
    """``(N,)``: m/s that each may go."""
    yields: Array
    """``(N,)``: how readily each gives way, against the others: two who are equal share evenly."""


@njit(cache=True, nogil=True)
def allowed(
    x: float, z: float, own_x: float, own_z: float, v_x: float, v_z: float, both: float, share: float, care: Care
) -> tuple[float, float, float]:
    """The half plane of velocities for somebody who goes at ``own``, with another at ``x, z`` from them.

    v: own velocity less the other's. both: the sum of radii. share: the part of the change that is one's own.
    """
    apart = x * x + z * z
    within = care.horizon if apart > both * both else care.apart
    # velocities that collide within that time: a disc about x/within, and the cone from the origin that touches it
    w_x, w_z = v_x - x / within, v_z - z / within
    along = w_x * x + w_z * z
    length = np.hypot(w_x, w_z)
    if apart <= both * both or (along < 0.0 and along * along > both * both * length * length):
        if length < 1e-9:
            # on the spot of the disc's middle every way out is as good
            w_x, w_z, length = -x, -z, max(np.sqrt(apart), 1e-9)
            if apart < 1e-18:
                w_x, length = 1.0, 1.0
            change = both / within
        else:
            change = both / within - length
        n_x, n_z = w_x / length, w_z / length
    else:
        # the leg of the cone on this side: the direction to the other, turned until it grazes the disc
        leg = np.sqrt(apart - both * both)
        side = 1.0 if x * w_z - z * w_x > 0.0 else -1.0
        d_x, d_z = (x * leg - side * z * both) / apart, (z * leg + side * x * both) / apart
        n_x, n_z = -side * d_z, side * d_x
        change = -(n_x * v_x + n_z * v_z)
    return n_x, n_z, n_x * own_x + n_z * own_z + share * change


@njit(cache=True, nogil=True)
def toward(wall: Array, x: float, z: float) -> tuple[float, float]:
    """From the nearest point of a wall ``x, z, x, z`` to ``x, z``."""
    a_x, a_z, b_x, b_z = wall
    d_x, d_z = b_x - a_x, b_z - a_z
    t = ((x - a_x) * d_x + (z - a_z) * d_z) / max(d_x * d_x + d_z * d_z, 1e-12)
    t = min(max(t, 0.0), 1.0)
    return x - a_x - t * d_x, z - a_z - t * d_z


@njit(cache=True, nogil=True)
def _walled(planes: Array, walls: Array, x: float, z: float, radius: float, reach: float, within: float) -> int:
    """Fill half planes with those of the nearest walls; how many."""
    count = 0
    far = np.empty(_WALLS)
    for number in range(len(walls)):
        d_x, d_z = toward(walls[number], x, z)
        apart = np.hypot(d_x, d_z)
        if apart > reach or (count == _WALLS and apart >= far[count - 1]):
            continue
        k = count if count < _WALLS else count - 1
        while k > 0 and far[k - 1] > apart:
            far[k], planes[k] = far[k - 1], planes[k - 1]
            k -= 1
        far[k] = apart
        planes[k, 0], planes[k, 1] = d_x / max(apart, 1e-9), d_z / max(apart, 1e-9)
        planes[k, 2] = (radius - apart) / within
        count = min(count + 1, _WALLS)
    return count


@njit(cache=True, nogil=True)
def avoid(movers: Movers, wished: Array, walls: Array, care: Care) -> Array:
    """The velocities ``(N, 2)`` that are nearest to ``wished (N, 2)`` and run into nobody and into no wall ``(W, 4)``.

    Walls are x, z, x, z of their ends.
    """
    count = len(movers.place)
    chose = np.zeros((count, 2))
    if count == 0:
        return chose
    grid = grid_of(movers.place, 0.5 * care.reach)
    place, velocity = movers.place[grid.order], movers.velocity[grid.order]
    planes, spare = np.empty((_WALLS + care.most, 3)), np.empty((_WALLS + care.most, 3))
    near, far = np.empty(care.most, np.int64), np.empty(care.most)
    for own in range(count):
        person = grid.order[own]
        x, z = place[own]
        own_x, own_z = velocity[own]
        radius, fastest = movers.radius[person], movers.fastest[person]
        beyond = radius + care.wall_horizon * fastest
        firm = _walled(planes, walls, x, z, radius, beyond, care.wall_horizon)
        seen, limit = 0, care.reach * care.reach
        low, high = rows_of(grid, z, care.reach)
        for row in range(low, high):
            begin, end = run_of(grid, x, care.reach, row)
            for other in range(begin, end):
                d_x, d_z = place[other, 0] - x, place[other, 1] - z
                apart = d_x * d_x + d_z * d_z
                if apart >= limit or other == own:
                    continue
                k = seen if seen < care.most else seen - 1
                while k > 0 and far[k - 1] > apart:
                    far[k], near[k] = far[k - 1], near[k - 1]
                    k -= 1
                far[k], near[k] = apart, other
                seen = min(seen + 1, care.most)
                if seen == care.most:
                    limit = far[seen - 1]
        for k in range(seen):
            other = near[k]
            whom = grid.order[other]
            share = movers.yields[person] / (movers.yields[person] + movers.yields[whom])
            n_x, n_z, b = allowed(
                place[other, 0] - x,
                place[other, 1] - z,
                own_x,
                own_z,
                own_x - velocity[other, 0],
                own_z - velocity[other, 1],
                radius + movers.radius[whom],
                share,
                care,
            )
            planes[firm + k, 0], planes[firm + k, 1], planes[firm + k, 2] = n_x, n_z, b
        chose[person] = chosen(planes, firm + seen, firm, fastest, wished[person, 0], wished[person, 1], spare)
    return chose

"""Who is about to touch somebody is drawn aside as they walk, compiled: a little at a time, so that held feet stay where they are."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.compiled import njit
from kinegraph.crowds.field import Field, clearing
from kinegraph.crowds.grid import Cells, rows_of, run_of
from kinegraph.people.stepping import Cursors

NEARER = 0.48
"""Metres between two people below which they are drawn apart."""
# by how much of what is missing in a second, m/s at most, and metres from walls that are kept to
_GAIN, _MOST, _WALL = 5.0, 0.6, 0.25
# metres between two people below which they touch, and m/s at most by which they then push each other away
_TOUCH, _PUSH = 0.38, 1.5
# m/s below which somebody stands, and is not drawn aside by who walks
_STANDS = 0.2


@njit(cache=True, nogil=True)
def draw_aside(
    cursors: Cursors,
    place: Array,
    velocity: Array,
    size: Array,
    grid: Cells,
    there: Longs,
    field: Field,
    more: float,
    fps: float,
) -> None:
    """Move people who are too near to one another apart. ``there``: which person each point of the grid is.

    place, velocity: in the world, of which the cursors of a person of ``size (N,)`` s see 1 / s. more: metres that they keep apart beyond
    what is usual.
    """
    nearer, touch = NEARER + more, _TOUCH + more
    for k in range(len(there)):
        person = there[k]
        x, z = place[person]
        own = np.hypot(velocity[person, 0], velocity[person, 1])
        s_x = s_z = 0.0
        most = _MOST
        low, high = rows_of(grid, z, nearer)
        for row in range(low, high):
            begin, end = run_of(grid, x, nearer, row)
            for at in range(begin, end):
                other = there[grid.order[at]]
                d_x, d_z = x - place[other, 0], z - place[other, 1]
                apart = np.hypot(d_x, d_z)
                if other == person or apart >= nearer or apart < 1e-6:
                    continue
                if own < _STANDS and np.hypot(velocity[other, 0], velocity[other, 1]) >= _STANDS:
                    continue
                pull = _GAIN * (nearer - apart) / apart
                if apart < touch:
                    # nobody walks through anybody, even if a foot has to be let go for it
                    most = _PUSH
                    pull *= _PUSH / _MOST
                s_x += pull * d_x
                s_z += pull * d_z
        speed = np.hypot(s_x, s_z)
        if speed == 0.0:
            continue
        scale = min(speed, most) / speed / fps
        s_x, s_z = s_x * scale, s_z * scale
        if field.clear.size and clearing(field, x + 5.0 * s_x, z + 5.0 * s_z) < min(_WALL, clearing(field, x, z)):
            continue
        for row in range(2):
            cursors.place[person, row, 1] += s_x / size[person]
            cursors.place[person, row, 2] += s_z / size[person]

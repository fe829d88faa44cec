"""How a walk that was found is bent onto its path.

While it searches, a walk steers by where its clip would go; it does not know yet what comes next. Of the walk that was
chosen all is known, so it is steered once more by where it will really go.
"""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.motion.floor import FloorTransform
from kinegraph.walks.course import CourseArrays, Prices, laid, turns_along
from kinegraph.walks.tables import AHEAD_X, AHEAD_Z, FACING_X, REACH, STEADY_X, STEERED, Tables, onward


def turns(
    tables: Tables, course: CourseArrays, prices: Prices, edges: Longs, start: FloorTransform, fps: float
) -> tuple[Array, int]:
    """Radians by which each frame of a walk turns all that comes after it, all edges whole, and with how many frames it
    passes the end of its path, one more than it has if it does not. start: where the clip of the first edge lies.
    """
    places = np.empty((len(edges), 4))
    place = float(np.cos(start.angle)), float(np.sin(start.angle)), start.x, start.z
    for number, edge in enumerate(edges.tolist()):
        places[number] = place
        if tables.blended[edge]:
            place = laid(*place, tables.turn, edge)
    lengths = tables.length[edges]
    order = np.repeat(np.arange(len(edges)), lengths)
    rows = tables.begin[edges][order] + np.arange(len(order)) - (np.cumsum(lengths) - lengths)[order]
    floor = places[order]
    track, steer = tables.track[rows], tables.steer[rows]
    track[:, :2] = _laid(floor, track[:, :2])
    steer[:, STEADY_X : STEADY_X + 2] = _laid(floor, steer[:, STEADY_X : STEADY_X + 2])
    steer[:, FACING_X : FACING_X + 2] = _laid(floor * [1, 1, 0, 0], steer[:, FACING_X : FACING_X + 2])
    steer[:, [AHEAD_X, AHEAD_Z, REACH]] = onward(steer[:, STEADY_X : STEADY_X + 2], max(1, round(STEERED * fps)))
    return turns_along(track, steer, course, prices, edges, lengths)


def _laid(floor: Array, points: Array) -> Array:
    """``points (F, 2)`` laid on the floor by cosine, sine, x and z ``(F, 4)``."""
    cosine, sine, x, z = floor.T
    return np.stack(
        [cosine * points[:, 0] + sine * points[:, 1] + x, cosine * points[:, 1] - sine * points[:, 0] + z], axis=-1
    )

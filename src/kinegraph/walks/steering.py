"""How a walk that was found is bent onto its path.

While it searches, a walk steers by where its clip would go; it does not know yet what comes next. Of the walk that was
chosen all is known, so it is steered once more by where it will really go. Where it is bent more tightly than it was
captured it is played more slowly, as people slow down in bends.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.editing.bends import paced
from kinegraph.walks.course import CourseArrays, Prices, laid, turns_along
from kinegraph.walks.tables import AHEAD_X, AHEAD_Z, FACING_X, REACH, STEADY_X, Tables, onward, spell

# m/s below which a body stands and has no way that bends; and a pace that nobody tells from the captured one.
_SLOW, _NEARLY = 0.3, 0.98


@dataclass(frozen=True, eq=False)
class Steered:
    """How the frames of a walk are bent, all its edges whole."""

    turns: Array
    """``(F,)``: radians by which each frame turns all that comes after it."""
    pace: Array | None
    """``(F,)``: how fast it is played, None where it is as captured all the way."""
    passed: int
    """With how many frames it passes the end of its path, F + 1 if it does not."""


def laid_rows(tables: Tables, edges: Longs, start: FloorTransform) -> tuple[Array, Array, Longs]:
    """Track and steering of all frames of a walk, laid on the floor, and how many frames each of its edges has."""
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
    track[:, :2] = laid_on(floor, track[:, :2])
    for first, lie in ((STEADY_X, floor), (AHEAD_X, floor), (FACING_X, floor * [1, 1, 0, 0])):
        steer[:, first : first + 2] = laid_on(lie, steer[:, first : first + 2])
    return track, steer, lengths


def steered(
    tables: Tables, course: CourseArrays, prices: Prices, edges: Longs, start: FloorTransform, fps: float
) -> Steered:
    """How a walk is bent onto its path. start: where the clip of the first edge lies."""
    track, steer, lengths = laid_rows(tables, edges, start)
    steer[:, [AHEAD_X, AHEAD_Z, REACH]] = onward(steer[:, STEADY_X : STEADY_X + 2], spell(fps))
    turns, passed = turns_along(track, steer, course, prices, edges, lengths)
    pace = _pace(steer[:, STEADY_X : STEADY_X + 2], turns, fps)
    return Steered(turns, pace if pace.min(initial=1.0) < _NEARLY else None, passed)


def _pace(points: Array, turns: Array, fps: float) -> Array:
    """How fast ``(F,)`` a way through ``points (F, 2)`` is walked that is turned by ``turns (F,)``: as captured, or more slowly where
    it becomes tighter.
    """
    if len(points) < 2:
        return np.ones(len(points))
    steps = np.gradient(points, axis=0)
    metres = np.maximum(np.linalg.norm(steps, axis=1), _SLOW / fps)
    own = np.gradient(np.unwrap(np.arctan2(steps[:, 0], steps[:, 1]))) * (np.linalg.norm(steps, axis=1) > _SLOW / fps)
    slower: Array = np.minimum(paced(own / metres, (own + turns) / metres, fps), 1.0)
    return slower


def laid_on(floor: Array, points: Array) -> Array:
    """``points (F, 2)`` laid on the floor by cosine, sine, x and z ``(F, 4)``."""
    cosine, sine, x, z = floor.T
    return np.stack(
        [cosine * points[:, 0] + sine * points[:, 1] + x, cosine * points[:, 1] - sine * points[:, 0] + z], axis=-1
    )

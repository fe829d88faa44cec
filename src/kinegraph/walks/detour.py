"""Around obstacles: the path bent aside where something stands in its way, for the search to follow.

Without it every walk of a search would be on the path, and all would end at the obstacle together.
"""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import GraphError
from kinegraph.motion.filters import highest, smoothed
from kinegraph.paths.path import Path

# metres between the points at which the way is looked at, and over which the path swerves before and after an obstacle
_STEP, _SWERVE = 0.05, 1.2
# metres beyond the clearance that the bent path keeps: walks stray by as much
_ROOM = 0.1
# metres that the path may be bent aside; and how often it is looked at again, since a detour may run into the next
# obstacle
_FARTHEST, _ROUNDS = 6.0, 8


def detour(path: Path, discs: Array, boxes: Array) -> Path:
    """The path bent around discs ``(D, 3)`` (x, z, radius) and boxes ``(B, 4)`` (lowest x and z, highest x and z).

    A `GraphError` where it begins or ends in one, or there is no way around.
    """
    things = [*_padded(discs, boxes)]
    if not things:
        return path
    bare = [*_padded(discs, boxes, 0.0)]
    for end, where in ((path.points[:1], "begins"), (path.points[-1:], "ends")):
        if any(_inside(end, thing)[0] for thing in bare):
            x, z = end[0]
            raise GraphError(f"the path {where} in an obstacle, at ({x:.2f}, {z:.2f})")
    for _ in range(_ROUNDS):
        clear = True
        for thing in things:
            count = max(4, round(path.length / _STEP))
            points = path.at(np.linspace(0.0, path.length, count + 1))
            if _inside(points, thing).any():
                path = Path(points + _aside(points, thing, path.length / count))
                clear = False
        if clear:
            return path
    points = path.at(np.linspace(0.0, path.length, round(path.length / _STEP) + 1))
    for thing in bare:
        inside = _inside(points, thing)
        if inside.any():
            x, z = points[np.argmax(inside)]
            raise GraphError(
                f"the obstacles leave no way along the path near ({x:.2f}, {z:.2f}): make room, or draw it elsewhere"
            )
    return path


def _padded(discs: Array, boxes: Array, room: float = _ROOM) -> list[Array]:
    """Obstacles of either kind, grown by so many metres: three numbers are a disc, four a box."""
    grown = room * np.array([-1.0, -1.0, 1.0, 1.0])
    return [*(disc + room * np.array([0.0, 0.0, 1.0]) for disc in discs), *(box + grown for box in boxes)]


def _inside(points: Array, thing: Array) -> Array:
    """``(N,)``: which of points ``(N, 2)`` lie in an obstacle."""
    if len(thing) == 3:
        return np.asarray(np.hypot(*(points - thing[:2]).T) < thing[2])
    return np.asarray(((points > thing[:2]) & (points < thing[2:])).all(axis=1))


def _aside(points: Array, thing: Array, step: float) -> Array:
    """By how much ``(N, 2)`` points of a path go aside, all to the nearer side, to pass an obstacle; eased in and out."""
    ahead = np.gradient(points, axis=0)
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-12)
    # +X is to the left of +Z
    left = np.stack([ahead[:, 1], -ahead[:, 0]], axis=1)
    reach = max(1, round(_SWERVE / step))
    # as far as the swerve reaches the path must be clear at once, not only where it was hit
    offsets = [highest(_way_out(points, side * left, thing), reach) for side in (1.0, -1.0)]
    side = 0 if offsets[0].max() <= offsets[1].max() else 1
    if offsets[side].max() > _FARTHEST:
        hit = points[np.argmax(offsets[side])]
        raise GraphError(f"there is no way around the obstacle at ({hit[0]:.2f}, {hit[1]:.2f}) within {_FARTHEST:g} m")
    eased = smoothed(offsets[side], reach / 3, reach)
    # where it begins and ends the path stays
    ends = np.minimum(np.arange(len(points)), np.arange(len(points))[::-1]) / reach
    eased *= np.clip(ends, 0.0, 1.0)
    aside: Array = (1.0, -1.0)[side] * left * eased[:, None]
    return aside


def _way_out(points: Array, way: Array, thing: Array) -> Array:
    """How far ``(N,)`` points in an obstacle must go along unit vectors ``way (N, 2)`` to leave it; 0 for those
    outside.
    """
    inside = _inside(points, thing)
    out = np.zeros(len(points))
    own, way = points[inside], way[inside]
    if len(thing) == 3:
        from_centre = own - thing[:2]
        along = np.sum(from_centre * way, axis=1)
        square = np.sum(from_centre**2, axis=1) - thing[2] ** 2
        out[inside] = -along + np.sqrt(np.maximum(along**2 - square, 0.0))
    else:
        with np.errstate(divide="ignore"):
            walls = np.where(way > 0, (thing[2:] - own) / way, (thing[:2] - own) / np.where(way == 0, -0.0, way))
        out[inside] = np.where(np.abs(way) < 1e-9, np.inf, walls).min(axis=1)
    return out

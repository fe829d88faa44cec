"""Bodies as capsules, and how deep they are in one another, compiled.

A person is a trunk and limbs: segments between joints with a radius each, from the skeleton's stature.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array, Bools, Ints, Longs, Singles
from kinegraph.compiled import njit
from kinegraph.crowds.grid import grid_of, rows_of, run_of
from kinegraph.motion.body import SIDES
from kinegraph.motion.skeleton import Skeleton

TRUNK = 0.09
"""Radius of a trunk as a share of the stature: half of the mean of a chest's breadth and depth (0.18 and 0.14 of it), and a little more."""
# radii of limbs as shares of the stature, by the roles of their ends
_LIMBS = (
    ("neck", "head", 0.055),
    *((f"{side}_shoulder", f"{side}_elbow", 0.028) for side in SIDES),
    *((f"{side}_elbow", f"{side}_wrist", 0.023) for side in SIDES),
    *((f"{side}_hip", f"{side}_knee", 0.045) for side in SIDES),
    *((f"{side}_knee", f"{side}_ankle", 0.032) for side in SIDES),
)
# metres from one root to another beyond which bodies cannot touch
_REACH = 1.8
FREE = -1.0
"""How deep somebody is in others who has nobody within a metre: this, or less, metres out of them."""


class Capsules(NamedTuple):
    """The capsules of a skeleton, the trunk first."""

    parents: Longs
    """``(J,)``"""
    ends: Longs
    """``(C, 2)``: the joints at the ends of each."""
    radius: Array
    """``(C,)``: metres."""


def capsules_of(skeleton: Skeleton) -> Capsules:
    """The trunk and the limbs of a skeleton; what it lacks is left out.

    >>> import kinegraph as kg
    >>> len(capsules_of(kg.samples.make("walk").motion.skeleton).radius)
    10
    """
    roles, stature = skeleton.roles, skeleton.stature
    top = next((roles[role] for role in ("neck", "chest", "spine", "head") if role in roles), len(skeleton) - 1)
    parts = [(roles.get("hips", 0), top, TRUNK)]
    parts += [(roles[a], roles[b], radius) for a, b, radius in _LIMBS if a in roles and b in roles]
    return Capsules(
        np.asarray(skeleton.parents, np.int64),
        np.array([(a, b) for a, b, _ in parts], np.int64),
        stature * np.array([radius for _, _, radius in parts]),
    )


@njit(cache=True, nogil=True)
def _posed(
    own: Capsules, offsets: Array, root: Singles, rotations: Singles, place: Array, turn: Array, ends: Singles
) -> None:
    """Fill the ends ``(C, 2, 3)`` of one body's capsules; place ``(J, 3)`` and turn ``(J, 4)`` are room to work in."""
    for joint in range(len(own.parents)):
        w, x, y, z = rotations[joint]
        above = own.parents[joint]
        if above < 0:
            place[0] = root
            turn[0, 0], turn[0, 1], turn[0, 2], turn[0, 3] = w, x, y, z
            continue
        a, b, c, d = turn[above]
        turn[joint, 0] = a * w - b * x - c * y - d * z
        turn[joint, 1] = a * x + b * w + c * z - d * y
        turn[joint, 2] = a * y - b * z + c * w + d * x
        turn[joint, 3] = a * z + b * y - c * x + d * w
        o_x, o_y, o_z = offsets[joint]
        # v + 2 q × (q × v + w v)
        t_x, t_y, t_z = c * o_z - d * o_y + a * o_x, d * o_x - b * o_z + a * o_y, b * o_y - c * o_x + a * o_z
        place[joint, 0] = place[above, 0] + o_x + 2.0 * (c * t_z - d * t_y)
        place[joint, 1] = place[above, 1] + o_y + 2.0 * (d * t_x - b * t_z)
        place[joint, 2] = place[above, 2] + o_z + 2.0 * (b * t_y - c * t_x)
    for k in range(len(own.ends)):
        for end in range(2):
            for axis in range(3):
                ends[k, end, axis] = place[own.ends[k, end], axis]


@njit(cache=True, nogil=True)
def between(p: Singles, q: Singles) -> float:
    """Metres between two segments ``(2, 3)`` (Ericson, "Real-Time Collision Detection", 5.1.9)."""
    a = e = f = b = c = 0.0
    for k in range(3):
        d1, d2, r = p[1, k] - p[0, k], q[1, k] - q[0, k], p[0, k] - q[0, k]
        a += d1 * d1
        e += d2 * d2
        f += d2 * r
        b += d1 * d2
        c += d1 * r
    a, e = max(a, 1e-12), max(e, 1e-12)
    room = a * e - b * b
    s = min(max((b * f - c * e) / room, 0.0), 1.0) if room > 1e-12 else 0.0
    t = (b * s + f) / e
    if t < 0.0:
        t, s = 0.0, min(max(-c / a, 0.0), 1.0)
    elif t > 1.0:
        t, s = 1.0, min(max((b - c) / a, 0.0), 1.0)
    apart = 0.0
    for k in range(3):
        d = p[0, k] + s * (p[1, k] - p[0, k]) - q[0, k] - t * (q[1, k] - q[0, k])
        apart += d * d
    return float(np.sqrt(apart))


@njit(cache=True, nogil=True)
def depths(
    own: Capsules, root: Singles, rotations: Singles, present: Bools, stature: Array, offsets: Array
) -> tuple[Singles, Singles, Ints]:
    """How deep people are in one another, with ``root (F, N, 3)``, ``rotations (F, N, J, 4)`` and ``present (F, N)``.

    stature: ``(N,)``, 1 as stout as the skeleton. offsets: ``(N, J, 3)``, of each one's joints.

    Gives ``(F, N)`` each: metres that a trunk is in another, below 0 where there is room; the same for whole bodies; and in whose trunk.
    """
    frames, count = present.shape
    trunk = np.full((frames, count), FREE, np.float32)
    body = np.full((frames, count), FREE, np.float32)
    whom = np.full((frames, count), -1, np.int32)
    parts = len(own.radius)
    ends = np.empty((count, parts, 2, 3), np.float32)
    # of each capsule its middle and half its length
    around = np.empty((count, parts, 4))
    place, turn = np.empty((len(own.parents), 3)), np.empty((len(own.parents), 4))
    for frame in range(frames):
        who = np.flatnonzero(present[frame])
        if len(who) < 2:
            continue
        points = np.empty((len(who), 2))
        for k in range(len(who)):
            person = who[k]
            _posed(own, offsets[person], root[frame, person], rotations[frame, person], place, turn, ends[person])
            for part in range(parts):
                half = 0.0
                for axis in range(3):
                    one, other_end = ends[person, part, 0, axis], ends[person, part, 1, axis]
                    around[person, part, axis] = 0.5 * (one + other_end)
                    half += (0.5 * (one - other_end)) ** 2
                around[person, part, 3] = np.sqrt(half)
            points[k, 0], points[k, 1] = root[frame, person, 0], root[frame, person, 2]
        grid = grid_of(points, _REACH)
        for k in range(len(who)):
            low, high = rows_of(grid, points[k, 1], _REACH)
            for row in range(low, high):
                begin, end_ = run_of(grid, points[k, 0], _REACH, row)
                for at in range(begin, end_):
                    other = grid.order[at]
                    if other <= k:
                        continue
                    apart = np.hypot(points[k, 0] - points[other, 0], points[k, 1] - points[other, 1])
                    if apart > _REACH:
                        continue
                    a, b = who[k], who[other]
                    deep = own.radius[0] * (stature[a] + stature[b]) - between(ends[a, 0], ends[b, 0])
                    if deep > trunk[frame, a]:
                        trunk[frame, a], whom[frame, a] = deep, b
                    if deep > trunk[frame, b]:
                        trunk[frame, b], whom[frame, b] = deep, a
                    worst = deep
                    for i in range(parts):
                        for j in range(parts):
                            touch = own.radius[i] * stature[a] + own.radius[j] * stature[b]
                            # what is further apart than both are long cannot be the worst
                            room = touch + around[a, i, 3] + around[b, j, 3] - worst
                            d_x, d_y = around[a, i, 0] - around[b, j, 0], around[a, i, 1] - around[b, j, 1]
                            d_z = around[a, i, 2] - around[b, j, 2]
                            if d_x * d_x + d_y * d_y + d_z * d_z < room * room:
                                worst = max(worst, touch - between(ends[a, i], ends[b, j]))
                    body[frame, a], body[frame, b] = max(body[frame, a], worst), max(body[frame, b], worst)
    return trunk, body, whom

"""Strikes aligned in place, feet on feet, in one frame in which targets are given.

A strike is thrown from where the feet stand, so it is the feet that are aligned, by the closed form of a least-squares turn
and shift along the floor: if the feet of all strikes agree, the feet of a blend stand still. Aligning whole bodies would
follow how far each strike was wound up, and move the feet by centimetres.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import SpaceError
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.strikes.strike import Side, end_role, other, standing_side

Forward = Literal["auto", "facing", "strikes"]
FORWARDS: tuple[Forward, ...] = get_args(Forward)

# Radians. A fighter's ready pose may be side-on: where the strikes go this far from where the body faces, they tell
# what forward is.
_SIDE_ON = np.radians(15.0)


def check_forward(forward: str) -> Forward:
    """``forward`` itself if it is one of `FORWARDS`, otherwise a `SpaceError`."""
    for known in FORWARDS:
        if forward == known:
            return known
    raise SpaceError(f"unknown forward {forward!r}: expected {', '.join(FORWARDS)}")


def placed(
    motions: Sequence[Motion], hits: Sequence[int], kind: str, side: Side, forward: Forward = "auto"
) -> list[Motion]:
    """The strikes with their feet aligned, in the space's frame: X to the left, Y up from the floor, Z forward.

    The origin is below the root of the mean ready pose. motions: strikes that begin with the ready pose. hits: the frame of
    each hit. forward: "facing" is where the mean ready pose faces, "strikes" is where the strikes go on average from there;
    "auto" takes the former unless the two are more than 15 degrees apart.
    """
    feet = [_anchors(motion, hit, kind, side) for motion, hit in zip(motions, hits, strict=True)]
    mean = feet[0]
    # twice: the first strike's feet, then the mean of all laid on them
    for _ in range(2):
        moves = [overlay(mean, points) for points in feet]
        mean = np.mean([move.apply(points) for move, points in zip(moves, feet, strict=True)], axis=0)
    laid = [motion.place(move) for motion, move in zip(motions, moves, strict=True)]
    origin = np.mean([motion.root[0] for motion in laid], axis=0)
    facing = np.mean([motion[:1].facing()[0] for motion in laid], axis=0)
    end = end_role(kind, side)
    ahead = np.mean([motion.position(end)[hit] for motion, hit in zip(laid, hits, strict=True)], axis=0) - origin
    angle = _heading(facing)
    if forward != "facing":
        aside = (_heading(ahead) - angle + np.pi) % (2 * np.pi) - np.pi
        if forward == "strikes" or abs(aside) > _SIDE_ON:
            angle += aside
    frame = FloorTransform(-angle) @ FloorTransform(0.0, -float(origin[0]), -float(origin[2]))
    return [motion.place(frame) for motion in laid]


def overlay(still: Array, moved: Array) -> FloorTransform:
    """The turn and shift along the floor that bring points ``moved (P, 3)`` as near as possible to ``still (P, 3)``."""
    centre, other_centre = still.mean(axis=0), moved.mean(axis=0)
    a, b = (still - centre)[:, ::2], (moved - other_centre)[:, ::2]
    turn = np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a * b))
    spin = FloorTransform(float(turn))
    shift = centre - spin.apply(other_centre)
    return FloorTransform(float(turn), float(shift[0]), float(shift[2]))


def _anchors(motion: Motion, hit: int, kind: str, side: Side) -> Array:
    """Ankle and ball of both feet ``(4, 3)``, each foot when it is sure to stand: the standing one at the hit, the
    other in the ready pose.
    """
    standing = standing_side(kind, side)
    parts = ("ankle", "toe") if motion.skeleton.has_roles("left_toe", "right_toe") else ("ankle",)
    points = [motion.position(f"{standing}_{part}")[hit] for part in parts]
    return np.array(points + [motion.position(f"{other(standing)}_{part}")[0] for part in parts])


def _heading(direction: Array) -> float:
    return float(np.arctan2(direction[0], direction[2]))

"""Legs one at a time, compiled: where a leg is in a pose, about what its knee bends, what of its foot is lowest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.compiled import njit
from kinegraph.people.quaternions import Turn, Vector, across, added, carried, dot, less, product

# How much of its own plane a knee has at which it is bent about it, rather than across the foot.
_STRAIGHT_KNEE = 0.05


class LegPair(NamedTuple):
    """Two legs of a skeleton, left and right."""

    offsets: Array
    """``(J, 3)``"""
    chain: Longs
    """``(2, C)``: joints from the root down to the hip, the hip itself not among them; filled up with −1."""
    joints: Longs
    """``(2, 4)``: hip, knee, ankle and toe; the toe −1 where there is none."""
    heel: Array
    """``(2, 3)``: in the ankle's frame."""
    tip: Array
    """``(2, 3)``: the end of the toes in the toe's frame."""
    rest: Array
    """``(2, 3)``: heights of heel, ball and tip while the foot stands."""
    hinge: Array
    """``(2, 3)``: the axis about which the knee bends, in the hip's frame, of length 1; or 0 where it is another from pose to pose."""
    knee: float
    """rad/s that no knee should exceed."""
    jolt: float
    """m/s² that joints seldom exceed."""
    length: float
    """Of a leg, in metres."""


@njit(cache=True, nogil=True)
def leg(legs: LegPair, side: int, root: Array, rotations: Array) -> tuple[Turn, Vector, Turn, Vector, Turn, Vector]:
    """A leg as it is: orientation of what is above it, place of the hip, then orientation and bone of thigh and shin."""
    hip, knee, ankle = legs.joints[side, 0], legs.joints[side, 1], legs.joints[side, 2]
    place, above = (root[0], root[1], root[2]), turn_of(rotations, 0)
    for joint in legs.chain[side]:
        if joint < 0:
            break
        place = added(place, carried(above, offset_of(legs, joint)))
        above = product(above, turn_of(rotations, joint))
    at_hip = added(place, carried(above, offset_of(legs, hip)))
    thigh_turn = product(above, turn_of(rotations, hip))
    shin_turn = product(thigh_turn, turn_of(rotations, knee))
    return (
        above,
        at_hip,
        thigh_turn,
        carried(thigh_turn, offset_of(legs, knee)),
        shin_turn,
        carried(shin_turn, offset_of(legs, ankle)),
    )


@njit(cache=True, nogil=True)
def hinge_of(legs: LegPair, side: int, thigh_turn: Turn, thigh: Vector, shin: Vector, foot: Turn) -> Vector:
    """The axis about which a knee bends, of length 1: its own, or else that of the pose; where it is straight, across the foot."""
    own = (legs.hinge[side, 0], legs.hinge[side, 1], legs.hinge[side, 2])
    if dot(own, own) > 0.0:
        return carried(thigh_turn, own)
    leg, bent = added(thigh, shin), across(thigh, shin)
    aside = across(carried(foot, ahead_of(legs, side)), leg)
    share = _STRAIGHT_KNEE / max(np.sqrt(dot(aside, aside)), 1e-9)
    whole = 1.0 / np.sqrt(dot(thigh, thigh) * dot(shin, shin))
    axis = (
        whole * bent[0] + share * aside[0],
        whole * bent[1] + share * aside[1],
        whole * bent[2] + share * aside[2],
    )
    size = max(np.sqrt(dot(axis, axis)), 1e-9)
    return (axis[0] / size, axis[1] / size, axis[2] / size)


@njit(cache=True, nogil=True)
def ahead_of(legs: LegPair, side: int) -> Vector:
    """From heel to ball, or to where the ankle is, in the ankle's frame."""
    toe = legs.joints[side, 3]
    heel = (legs.heel[side, 0], legs.heel[side, 1], legs.heel[side, 2])
    return less(offset_of(legs, toe), heel) if toe >= 0 else (-heel[0], -heel[1], -heel[2])


@njit(cache=True, nogil=True)
def point_of(legs: LegPair, side: int, toe: int, foot: Turn, rotations: Array, k: int) -> Vector:
    """Heel, ball or tip of the toes, seen from the ankle."""
    if k == 0 or toe < 0:
        return carried(foot, (legs.heel[side, 0], legs.heel[side, 1], legs.heel[side, 2]))
    ball = carried(foot, offset_of(legs, toe))
    if k == 1:
        return ball
    return added(
        ball, carried(product(foot, turn_of(rotations, toe)), (legs.tip[side, 0], legs.tip[side, 1], legs.tip[side, 2]))
    )


@njit(cache=True, nogil=True)
def turn_of(rotations: Array, joint: int) -> Turn:
    """The rotation of a joint, of ``rotations (J, 4)``."""
    return (rotations[joint, 0], rotations[joint, 1], rotations[joint, 2], rotations[joint, 3])


@njit(cache=True, nogil=True)
def offset_of(legs: LegPair, joint: int) -> Vector:
    """Where a joint is, seen from its parent."""
    return (legs.offsets[joint, 0], legs.offsets[joint, 1], legs.offsets[joint, 2])


@njit(cache=True, nogil=True)
def put(rotations: Array, joint: int, turn: Turn) -> None:
    """Write the rotation of a joint into ``rotations (J, 4)``."""
    rotations[joint, 0], rotations[joint, 1], rotations[joint, 2], rotations[joint, 3] = turn

"""A leg brings its foot to where it should be, compiled: as far as it reaches, and as fast as its knee is."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.compiled import njit
from kinegraph.people.held import LET_GO, Feet
from kinegraph.people.land import Land, height
from kinegraph.people.legs import LegPair, ahead_of, hinge_of, leg, point_of, put, turn_of
from kinegraph.people.quaternions import (
    Turn,
    Vector,
    about,
    across,
    added,
    aiming,
    back,
    between,
    carried,
    dot,
    less,
    product,
)

STRAIGHT = 0.985
"""How straight a leg may be drawn, as a share of its length, unless the clip has it straighter."""
# The share of how far a foot is twisted by which the whole leg turns about itself: the knee looks where the foot does.
_ROLLED = 0.5
# How far a foot that is lifted by so many leg lengths hangs from its leg as the clip has it; else it is held as level as there.
_HANGING, _HANGS = 0.4, 0.08
# Metres by which a foot may miss its place and still be said to be held.
_MISSED = 5e-4
# Radians by which a foot is tilted at most to keep it out of the floor where its knee is not quick enough.
_TIPPED = 0.4
# Radians of a knee below which a leg that is held is nearly straight, and the share of its fastest at which it gets there at most.
_SNAPS, _STRAIGHTENS = 0.4, 0.6


@njit(cache=True, nogil=True)
def reach(
    legs: LegPair,
    feet: Feet,
    land: Land,
    person: int,
    side: int,
    root: Array,
    rotations: Array,
    fps: float,
    goal: Array,
    turned: Array,
) -> None:
    """Bring a foot to its ``goal (4,)``, as far as the leg reaches and its knee is quick enough."""
    above, at_hip, thigh_turn, thigh, shin_turn, shin = leg(legs, side, root, rotations)
    away = (goal[0] - at_hip[0], goal[1] - at_hip[1], goal[2] - at_hip[2])
    clip = added(thigh, shin)
    distance, length = np.sqrt(dot(away, away)), np.sqrt(dot(thigh, thigh)) + np.sqrt(dot(shin, shin))
    reached = min(distance, max(STRAIGHT * length, np.sqrt(dot(clip, clip))))
    hinge = hinge_of(legs, side, thigh_turn, thigh, shin, product(shin_turn, turn_of(rotations, legs.joints[side, 2])))
    along_thigh, along_shin = dot(thigh, hinge), dot(shin, hinge)
    flat_thigh = less(thigh, (along_thigh * hinge[0], along_thigh * hinge[1], along_thigh * hinge[2]))
    flat_shin = less(shin, (along_shin * hinge[0], along_shin * hinge[1], along_shin * hinge[2]))
    sizes = np.sqrt(dot(flat_thigh, flat_thigh) * dot(flat_shin, flat_shin))
    bent_now = np.arctan2(dot(across(flat_thigh, flat_shin), hinge), dot(flat_thigh, flat_shin))
    both = dot(thigh, thigh) + dot(shin, shin) + 2.0 * along_thigh * along_shin
    bent = np.arccos(min(max((reached * reached - both) / (2.0 * sizes), -1.0), 1.0))
    before = feet.bend[person, side]
    if before >= 0.0:
        quick = legs.knee / fps
        # a leg that is drawn straight by what it stands on would snap back the moment that it is let go
        snaps = feet.held[person, side] > 0 and bent < _SNAPS
        bent = min(max(bent, before - (_STRAIGHTENS * quick if snaps else quick)), before + quick)
    feet.bend[person, side] = bent
    reached = np.sqrt(max(both + 2.0 * sizes * np.cos(bent), 0.0))
    was = feet.held[person, side]
    away = (away[0] * reached / distance, away[1] * reached / distance, away[2] * reached / distance)
    if was > 0 and abs(reached - distance) > _MISSED:
        feet.held[person, side] = LET_GO
        feet.spot[person, side, 0], feet.spot[person, side, 1] = at_hip[0] + away[0], at_hip[2] + away[2]
    for axis in range(3):
        # against where the clip has it, whose body has not come down, on ground as high; what a step lifts it is no part of it
        done = away[axis] - clip[axis]
        if axis == 1:
            done -= feet.drop[person] + goal[3] + feet.lift[person, side]
        if was > 0:
            # when it is let go, it goes on from where and how it was held
            feet.drift[person, side, axis] = (done - feet.shift[person, side, axis]) * fps
        feet.shift[person, side, axis] = done

    folded = about(hinge, bent - bent_now)
    shin = carried(folded, shin)
    swing = product(_rolled(away, reached, _ROLLED * feet.twist[person, side, 0]), aiming(added(thigh, shin), away))
    thigh_turn = product(swing, thigh_turn)
    shin_turn = product(product(swing, folded), shin_turn)
    put(rotations, legs.joints[side, 0], product(back(above), thigh_turn))
    put(rotations, legs.joints[side, 1], product(back(thigh_turn), shin_turn))
    foot = (turned[0], turned[1], turned[2], turned[3])
    hangs = _HANGING * min(feet.lift[person, side] / (_HANGS * length), 1.0)
    if hangs > 0.0:
        foot = between(foot, product(shin_turn, turn_of(rotations, legs.joints[side, 2])), hangs)
    if hangs > 0.0 or abs(reached - distance) > _MISSED:
        foot = _tipped(legs, land, side, rotations, added(at_hip, away), foot)
    put(rotations, legs.joints[side, 2], product(back(shin_turn), foot))


@njit(cache=True, nogil=True)
def _tipped(legs: LegPair, land: Land, side: int, rotations: Array, ankle: Vector, foot: Turn) -> Turn:
    """The direction of a foot that did not get as high as it should: tilted until neither toes nor heel are in the floor."""
    toe = legs.joints[side, 3]
    if toe < 0:
        return foot
    for _ in range(2):
        ahead = carried(foot, ahead_of(legs, side))
        size = max(np.hypot(ahead[0], ahead[2]), 1e-9)
        up = 0.0
        for k in range(3):
            point = point_of(legs, side, toe, foot, rotations, k)
            sunk = legs.rest[side, k] + height(land, ankle[0] + point[0], ankle[2] + point[2]) - ankle[1] - point[1]
            reach = (point[0] * ahead[0] + point[2] * ahead[2]) / size
            angle = min(max(sunk, 0.0) / max(abs(reach), 0.03), _TIPPED)
            # toes come up rather than the heel, where both would have to
            up = max(up, angle) if reach > 0.0 else (up if up != 0.0 else -angle)
        foot = product(about((-ahead[2] / size, 0.0, ahead[0] / size), up), foot)
    return foot


@njit(cache=True, nogil=True)
def _rolled(leg: Vector, length: float, angle: float) -> Turn:
    """The turn of a leg about itself by an ``angle`` seen from above."""
    return about((-leg[0] / length, -leg[1] / length, -leg[2] / length), angle)

"""Feet that stand still while nobody knows what comes next, compiled.

A foot that comes down is held where it is: by its heel until its ball comes down, then by that. While both are down it keeps its direction
too. Where its leg does not reach the body comes down a little. Where that is not enough, where the foot would be drawn too far from where
the clip has it, or where a knee would turn too fast, it is let go; what was left to hold it then fades, at the velocity that it had: it
takes a step of its own to where the clip has it, and is held there.

The ground may have height (`Land`). The body is as high as the ground about it, feet are where the ground is under them, and tilt with it.
"""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.compiled import njit
from kinegraph.people.choice import wrapped
from kinegraph.people.held import HELD_BY_BALL, HELD_BY_HEEL, LET_GO, Feet
from kinegraph.people.land import Land, about_height, height, is_flat, seen_by, tilt
from kinegraph.people.legs import LegPair, ahead_of, leg, offset_of, point_of, put, turn_of
from kinegraph.people.quaternions import (
    Turn,
    Vector,
    about,
    added,
    back,
    carried,
    dot,
    less,
    product,
)
from kinegraph.people.reach import STRAIGHT, reach

# In leg lengths, how far a foot is held from where the clip has it.
_FAR = 0.2
# Radians by which a foot is held off the direction that the clip gives it; beyond, it pivots.
_TWISTED = 0.35
# A foot that is about to pivot does so on its ball: from this share of that on its heel comes up, to so many radians, as fast as a step.
_PIVOTS, _HEEL_UP = 0.5, 0.25
# Seconds in which what is left of holding is halved, twice over: of a foot that lifts, and of one that takes a step of its own.
_FADE, _STEP = 0.07, 0.12
# How high that step is at most, as a share of how far, and in leg lengths; leg lengths a second by which it gets there at most; the share
# of what is missing that it gets on in a thirtieth of a second at most; and of how fast joints of the clips change their velocity.
_HIGH, _HIGHEST, _RISES, _NEARS, _JOLTS = 0.6, 0.14, 2.0, 0.9, 0.5
# Seconds in which what a foot that comes down is above the floor is halved.
_SETTLE = 0.03
# In leg lengths, how far the body comes down; in leg lengths a second, how fast; and seconds in which it is half way up again.
_LOWEST, _DOWN, _UP = 0.06, 0.5, 0.1
# Metres by which parts of a foot may be in ground that is steep, at most, and for each radian of its tilt.
_SLACK, _UNEVEN = 0.003, 0.1
# In leg lengths: how near a foot that was let go must be to where the clip has it to be held again, and how low.
_THERE, _LOW = 0.02, 0.005
# Seconds in which the height of a step that is no longer needed is halved.
_LANDS = 0.04


@njit(cache=True, nogil=True)
def lock(
    legs: LegPair, feet: Feet, ground: Land, sizes: Array, down: Bools, root: Array, rotations: Array, fps: float
) -> None:
    """Hold the feet of N people, whose poses are ``root (N, 3)`` and ``rotations (N, J, 4)``; changes them.

    sizes: ``(N,)``, how large each is against the clips, in whose units they are; the ground is in metres. down: ``(N, 4)``.
    """
    goals, turns, drop = np.empty((2, 4)), np.empty((2, 4)), np.zeros(2)
    for person in range(len(root)):
        body, pose, land = root[person], rotations[person], seen_by(ground, sizes[person])
        base = about_height(land, body[0], body[2])
        body[1] += base
        for side in range(2):
            drop[side] = _aim(
                legs, feet, land, base, person, side, down[person], body, pose, fps, goals[side], turns[side]
            )
        feet.drop[person] = _lowered(feet.drop[person], max(drop[0], drop[1]), legs.length, fps)
        body[1] -= feet.drop[person]
        for side in range(2):
            reach(legs, feet, land, person, side, body, pose, fps, goals[side], turns[side])


@njit(cache=True, nogil=True)
def _lowered(drop: float, wished: float, length: float, fps: float) -> float:
    """How far a body that is ``drop`` lower comes down where ``wished`` would be right."""
    wished = min(wished, _LOWEST * length)
    if wished > drop:
        return min(wished, drop + _DOWN * length / fps)
    return float(max(wished, drop * 0.5 ** (1.0 / (_UP * fps))))


@njit(cache=True, nogil=True)
def _aim(
    legs: LegPair,
    feet: Feet,
    land: Land,
    base: float,
    person: int,
    side: int,
    down: Bools,
    root: Array,
    rotations: Array,
    fps: float,
    goal: Array,
    turned: Array,
) -> float:
    """Where a foot should be: its ankle and how much of its height is the ground's, ``goal (4,)``, and its direction ``turned (4,)``.
    How far the body should come down for it. base: the height of the ground on which the body is.
    """
    ankle, toe = legs.joints[side, 2], legs.joints[side, 3]
    _, at_hip, _, thigh, shin_turn, shin = leg(legs, side, root, rotations)
    foot = product(shin_turn, turn_of(rotations, ankle))
    at_ankle = added(added(at_hip, thigh), shin)
    # the clip knows of level ground only: where it has the foot, the ground is as high as it is there
    goal[3] = height(land, at_ankle[0], at_ankle[2]) - base
    at_ankle = (at_ankle[0], at_ankle[1] + goal[3], at_ankle[2])

    # which part of the foot is held
    heel_down, ball_down = down[2 * side], down[2 * side + 1] and toe >= 0
    was = feet.held[person, side]
    now = was
    if was != LET_GO or not (heel_down or ball_down) or _has_landed(feet, person, side, legs.length):
        # the ball stays down until the foot leaves, so it is what is held as soon as it can be
        now = HELD_BY_BALL if ball_down else (HELD_BY_HEEL if heel_down else 0)

    # its direction
    forward = carried(foot, ahead_of(legs, side))
    heading = np.arctan2(forward[0], forward[2])
    twist, rate = feet.twist[person, side, 0], feet.twist[person, side, 1]
    pivots = 0.0
    if now > 0 and heel_down and ball_down:
        if was <= 0 or np.isnan(feet.twist[person, side, 2]):
            feet.twist[person, side, 2] = heading + twist
        wished = wrapped(feet.twist[person, side, 2] - heading)
        if abs(wished) > _TWISTED:
            wished = min(max(wished, -_TWISTED), _TWISTED)
            feet.twist[person, side, 2] = heading + wished
        pivots = max(abs(wished) / _TWISTED - _PIVOTS, 0.0) / (1.0 - _PIVOTS)
        twist, rate = wished, (wished - twist) * fps
    else:
        feet.twist[person, side, 2] = np.nan
        twist, rate = _faded(twist, rate, _FADE, fps)
    feet.twist[person, side, 0], feet.twist[person, side, 1] = twist, rate
    turned_foot = product(about((0.0, 1.0, 0.0), twist), foot)
    turned_foot = _pivoted(legs, side, feet.heel_up[person, side], _HEEL_UP * pivots, turned_foot, rotations, fps)
    slack = 0.0
    if not is_flat(land):
        tilted = tilt(land, at_ankle, at_ankle[1] - goal[3] - base, legs.length)
        turned_foot = product(tilted, turned_foot)
        # a sole is stiff, and the ground is not even: the steeper, the less it fits
        slack = min(_UNEVEN * np.hypot(tilted[1], tilted[3]), _SLACK)

    # its place
    arm = carried(turned_foot, _part(legs, side, toe, now))
    length = np.sqrt(dot(thigh, thigh)) + np.sqrt(dot(shin, shin))
    wish_x, wish_y, wish_z = 0.0, 0.0, 0.0
    if now > 0:
        spot = feet.spot[person, side]
        if now != was:
            if was > 0:
                # it rolls: from where the one part holds it, the other is held where it is now
                arm_was = carried(turned_foot, _part(legs, side, toe, was))
                from_x, from_z = spot[0] - arm_was[0], spot[1] - arm_was[2]
                from_y = (
                    legs.rest[side, was - 1] + height(land, spot[0], spot[1]) + feet.rise[person, side] - arm_was[1]
                )
            else:
                from_x, from_z = at_ankle[0] + feet.shift[person, side, 0], at_ankle[2] + feet.shift[person, side, 2]
                from_y = at_ankle[1] + feet.shift[person, side, 1] + feet.lift[person, side]
            spot[0], spot[1] = from_x + arm[0], from_z + arm[2]
            feet.rise[person, side] = from_y + arm[1] - legs.rest[side, now - 1] - height(land, spot[0], spot[1])
            feet.lift[person, side] = 0.0
        rest = legs.rest[side, now - 1] + height(land, spot[0], spot[1])
        wish_x, wish_z = spot[0] - at_ankle[0] - arm[0], spot[1] - at_ankle[2] - arm[2]
        # it settles onto the floor
        feet.rise[person, side] *= 0.5 ** (1.0 / (_SETTLE * fps))
        wish_y = rest + feet.rise[person, side] - at_ankle[1] - arm[1]
        if wish_x * wish_x + wish_z * wish_z > (_FAR * length) ** 2:
            now = LET_GO
            spot[0], spot[1] = at_ankle[0] + wish_x, at_ankle[2] + wish_z
    if now <= 0:
        shift, drift, half = feet.shift[person, side], feet.drift[person, side], _STEP if now == LET_GO else _FADE
        wish_x, drift[0] = _faded(shift[0], drift[0], half, fps)
        wish_z, drift[2] = _faded(shift[2], drift[2], half, fps)
        wish_y, drift[1] = _faded(shift[1], drift[1], half, fps)
        if now != LET_GO:
            feet.lift[person, side] *= 0.5 ** (1.0 / (_LANDS * fps))
            feet.rises[person, side] = 0.0
        if now == LET_GO:
            # a step: up as it leaves where it was, and down as it comes to where it should be
            left = np.hypot(
                at_ankle[0] + wish_x - feet.spot[person, side, 0], at_ankle[2] + wish_z - feet.spot[person, side, 1]
            )
            missing = np.hypot(wish_x, wish_z)
            high = min(4.0 * _HIGH * left * missing / max(left + missing, 1e-9), _HIGHEST * length)
            now_high = feet.lift[person, side]
            rises = min(feet.rises[person, side] + _JOLTS * legs.jolt / fps, _RISES * length)
            rises = min(rises, max(high - now_high, 0.0) * _NEARS * 30.0)
            feet.lift[person, side], feet.rises[person, side] = min(high, now_high + rises / fps), rises
        wish_y += feet.lift[person, side]
    # no part of it in the floor
    for k in range(3):
        point = point_of(legs, side, toe, turned_foot, rotations, k)
        floor = height(land, at_ankle[0] + wish_x + point[0], at_ankle[2] + wish_z + point[2])
        sunk = legs.rest[side, k] + floor - slack - at_ankle[1] - point[1] - wish_y
        if sunk > 0.0:
            wish_y += sunk
            if now > 0:
                feet.rise[person, side] += sunk
    feet.held[person, side] = now
    goal[0], goal[1], goal[2] = at_ankle[0] + wish_x, at_ankle[1] + wish_y, at_ankle[2] + wish_z
    turned[0], turned[1], turned[2], turned[3] = turned_foot
    if now <= 0:
        return 0.0
    away, clip = (goal[0] - at_hip[0], goal[1] - at_hip[1], goal[2] - at_hip[2]), less(at_ankle, at_hip)
    most = max(STRAIGHT * length, np.sqrt(dot(clip, clip)))
    flat = away[0] * away[0] + away[2] * away[2]
    if dot(away, away) <= most * most or flat > 0.64 * most * most:
        return 0.0
    return float(max(-away[1] - np.sqrt(most * most - flat), 0.0))


@njit(cache=True, nogil=True)
def _pivoted(legs: LegPair, side: int, heel_up: Array, wished: float, foot: Turn, rotations: Array, fps: float) -> Turn:
    """The direction of a ``foot`` whose heel comes up by ``wished`` radians; its toes stay as they are."""
    toe = legs.joints[side, 3]
    away, heel_up[1] = _faded(heel_up[0] - wished, heel_up[1], _STEP, fps)
    heel_up[0] = wished + away
    if toe < 0 or abs(heel_up[0]) < 1e-6:
        return foot
    ahead = carried(foot, ahead_of(legs, side))
    size = max(np.hypot(ahead[0], ahead[2]), 1e-9)
    raised = product(about((ahead[2] / size, 0.0, -ahead[0] / size), heel_up[0]), foot)
    put(rotations, toe, product(product(back(raised), foot), turn_of(rotations, toe)))
    return raised


@njit(cache=True, nogil=True)
def _has_landed(feet: Feet, person: int, side: int, length: float) -> bool:
    """Whether a foot that was let go is where the clip has it."""
    away = np.hypot(feet.shift[person, side, 0], feet.shift[person, side, 2])
    return bool(away < _THERE * length and feet.lift[person, side] < _LOW * length)


@njit(cache=True, nogil=True)
def _faded(value: float, rate: float, half: float, fps: float) -> tuple[float, float]:
    """A value that goes to 0 like a damped spring, a frame later, and its rate. half: seconds in which it is halved, twice over."""
    damping = 4.0 * 0.6931472 / half * 0.5
    pull = rate + value * damping
    fade = np.exp(-damping / fps)
    return fade * (value + pull / fps), fade * (rate - pull * damping / fps)


@njit(cache=True, nogil=True)
def _part(legs: LegPair, side: int, toe: int, held: int) -> Vector:
    """Heel or ball, by which a foot is held, in the ankle's frame."""
    return (
        offset_of(legs, toe) if held == HELD_BY_BALL else (legs.heel[side, 0], legs.heel[side, 1], legs.heel[side, 2])
    )

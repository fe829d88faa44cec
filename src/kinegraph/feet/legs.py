"""Legs: bring the ankles to where the feet should be, and change as little else as possible.

Where a leg cannot reach, the body is lowered a little. What is still missing is made up by bones that grow by a few per
cent, as Kovar, Schreiner and Gleicher do it, rather than by a knee that snaps straight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.feet import knees
from kinegraph.feet.sole import Sole, underfoot
from kinegraph.feet.targets import Led, Target
from kinegraph.motion import filters, limb, rotation
from kinegraph.motion.clip import Motion

# As straight as a leg may become at all.
_STRAIGHTEST = 0.9995
# Metres by which a foot must be led for that to hold in full: what needs no help is left as straight as it is.
_LED = 0.015
# Parts of a leg: a lengthening that nobody sees is not worth bones that change.
_HARDLY_LONGER = 1e-3
# Seconds before and after a plant within which a leg may still be longer or shorter than it is.
_LINGER = 0.1
# Seconds before and after a moment within which the body is lowered for its sake.
_AHEAD = 0.15
# How much of a foot's turn about its leg is made at the hip; the rest is left to the ankle, which hardly turns.
_AT_HIP = 0.65
# Radians by which an ankle makes up for what its leg turns; beyond, a foot in the air goes along with the leg, fully where it is so many
# metres clear of the floor.
_ANKLE, _CLEAR = 0.2, 0.04
# Metres, and radians: where no more is asked for, all stays as it is.
_NOTHING = 1e-12


@dataclass(frozen=True)
class Lowering:
    """How far a body may be lowered so that its feet reach the floor."""

    lowest: float = 0.1
    """The most that it may be lowered, in leg lengths."""
    straight: float | Array = 0.99
    """How straight a leg with a target may become: the distance from hip to ankle, in leg lengths; ``(F, 1)`` if it depends on the frame.

    If it were straighter, every millimetre that the hip sways would open and close the knee by more than a degree.
    """


LEVEL = Lowering()
"""On a level floor."""


@dataclass(frozen=True, eq=False)
class Reached:
    """A body whose feet are where they should be, and what that took."""

    root: Array
    """``(F, 3)``."""
    rotations: Array
    """``(F, J, 4)``, local to the parent."""
    lowered: Array
    """``(F,)``: metres by which the body was lowered."""
    longer: Array
    """``(F, 2)``: the share of their length by which the bones of the left and the right leg grew."""
    missed: Array
    """``(F, 2)``: metres by which a planted ankle falls short of its target."""


@dataclass(frozen=True, eq=False)
class _Legs:
    """S legs."""

    joints: tuple[list[int], list[int], list[int]]
    """Hips, knees and ankles."""
    hip: Array
    """``(F, S, 3)``: where the hips are."""
    thigh: Array
    """``(F, S, 3)``: from hip to knee."""
    shin: Array
    """``(F, S, 3)``: from knee to ankle."""
    bones: tuple[Array, Array]
    """``(F, S)`` each: the lengths of thigh and shin."""


def reach(
    motion: Motion,
    feet: Led,
    stretch: float,
    knee_limit: float | None,
    stance: Lowering = LEVEL,
    level: bool = True,
) -> Reached:
    """Bend the legs so that both feet are at their targets.

    stretch: the share of their length by which bones may change. knee_limit: as in `knees.limits`. stance: how far the
    body may be lowered. level: whether the floor is flat, at a height of 0.

    Where a knee would snap, a foot in the air misses its target; for a standing foot the bones change.
    """
    # both feet at once, in arrays (F, S, …): for a short clip it is the calls that take the time
    soles, foot = [sole for sole, _ in feet], _together([target for _, target in feet])
    legs = _legs(motion, soles)
    lowered = _envelope(_missing(legs, foot, stance).max(axis=1), motion.fps)
    down = lowered[:, None] * [0.0, -1.0, 0.0]
    # from here on all places are seen from the hips
    away = foot.ankle - (legs.hip + down[:, None])
    asked = rotation.length(away)
    eased = _eased(legs, asked, knees.limits(motion, knee_limit)[:, : len(soles)], motion.fps)
    longer = _longer(asked / eased - 1.0, foot.planted, stretch, motion.fps)
    grown = 1.0 + longer
    given = np.where(foot.planted, asked, grown * eased)
    goal = np.where((given == asked)[..., None], away, away * (given / np.maximum(asked, 1e-9))[..., None])
    missed = np.where(foot.planted, np.maximum(asked - sum(legs.bones) * grown, 0.0), 0.0)
    thigh, shin = grown[..., None] * legs.thigh, grown[..., None] * legs.shin
    turns = limb.bend(np.zeros(3), thigh, thigh + shin, goal, hinges(motion, soles))
    turns = _swivelled(turns, goal, foot.turn)
    moved = np.abs(goal - legs.thigh - legs.shin).max(axis=-1)
    for turn in (foot.turn, foot.toes):
        moved = np.maximum(moved, 2.0 * rotation.length(turn[..., 1:]))
    still = (moved < _NOTHING) & (longer == 0.0)
    return Reached(motion.root + down, _posed(motion, soles, legs, foot, turns, still, level), lowered, longer, missed)


def _swivelled(turns: tuple[Array, Array], goal: Array, foot: Array) -> tuple[Array, Array]:
    """The ``turns (F, S, 4)`` of `limb.bend`, with the leg turned about the line from hip to ankle, ``goal (F, S, 3)``, by most of
    what the ``foot (F, S, 4)`` is turned about it: where a foot stands while the body turns, it is the hip that turns.
    """
    upper, lower = turns
    axis = goal / np.maximum(rotation.length(goal), 1e-9)[..., None]
    left = rotation.multiply(foot, rotation.inverse(rotation.multiply(upper, lower)))
    angle = 2.0 * np.arctan2(np.einsum("fsi,fsi->fs", left[..., 1:], axis), left[..., 0])
    angle = (angle + np.pi) % (2 * np.pi) - np.pi
    return rotation.multiply(rotation.from_axis_angle(axis, _AT_HIP * angle), upper), lower


def _together(feet: Sequence[Target]) -> Target:
    """The targets of S feet as one, of arrays ``(F, S, …)``."""
    return Target(*(np.stack([getattr(foot, part.name) for foot in feet], axis=1) for part in fields(Target)))


def _legs(motion: Motion, soles: Sequence[Sole]) -> _Legs:
    joints = [sole.hip for sole in soles], [sole.knee for sole in soles], [sole.ankle for sole in soles]
    hip, knee, ankle = (motion.positions.take(of, axis=1) for of in joints)
    thigh, shin = knee - hip, ankle - knee
    return _Legs(joints, hip, thigh, shin, (rotation.length(thigh), rotation.length(shin)))


def _eased(legs: _Legs, asked: Array, limit: Array, fps: float) -> Array:
    """How far ``(F, S)`` from the hips feet that should be ``asked (F, S)`` away get with knees no faster than ``limit
    (F - 1, S)``.
    """
    had = rotation.length(legs.thigh + legs.shin)
    straight = np.minimum(asked, np.maximum(_STRAIGHTEST * sum(legs.bones), had))
    bent = knees.bend(straight, *legs.bones)
    calm = knees.calmed(bent, limit, fps)
    as_bent = calm == bent
    return straight if as_bent.all() else np.where(as_bent, straight, knees.distance(calm, *legs.bones))


def _longer(wanted: Array, planted: Bools, stretch: float, fps: float) -> Array:
    """The share of their length ``(F, S)`` by which the bones of each leg grow, where ``wanted (F, S)`` is needed."""
    if stretch == 0.0:
        return np.zeros(wanted.shape)
    longer = np.minimum(np.maximum(_lingering(planted, fps) * wanted, -stretch), stretch)
    longer[:, np.abs(longer).max(axis=0) < _HARDLY_LONGER] = 0.0
    return longer


def _posed(
    motion: Motion,
    soles: Sequence[Sole],
    legs: _Legs,
    foot: Target,
    turns: tuple[Array, Array],
    still: Bools,
    level: bool,
) -> Array:
    """Local rotations ``(F, J, 4)`` of the motion with its legs turned as `limb.bend` says, its feet and toes as they
    should be.

    Frames in which a leg is ``still (F, S)`` keep its rotations to the last digit.
    """
    skeleton, orientations, rotations = motion.skeleton, motion.orientations, motion.rotations.copy()

    def put(joints: Any, made: Array, kept: Bools) -> None:
        rotations[:, joints] = np.where(kept[..., None], rotations[:, joints], made)

    turn = _along_with_leg(motion, soles, legs, foot, turns) if level else foot.turn
    ankles = rotation.multiply(turn, orientations.take(legs.joints[2], axis=1))
    put(legs.joints, limb.local(skeleton, orientations, legs.joints, turns, ankles), still[:, None])
    toed = [column for column, sole in enumerate(soles) if sole.toe is not None]
    if toed:
        toes = [sole.toe for sole in soles if sole.toe is not None]
        above = rotation.multiply(turn[:, toed], orientations.take(skeleton.parents[toes], axis=1))
        made = rotation.multiply(foot.toes[:, toed], orientations.take(toes, axis=1))
        put(toes, rotation.multiply(rotation.inverse(above), made), still[:, toed])
    return rotations


def _along_with_leg(
    motion: Motion, soles: Sequence[Sole], legs: _Legs, foot: Target, turns: tuple[Array, Array]
) -> Array:
    """The turns ``(F, S, 4)`` of the feet, those in the air carried along by legs that turn more than an ankle should.

    Only as far as they are clear of the floor: a foot near it keeps to how it should come down.
    """
    apart = rotation.log(rotation.multiply(rotation.multiply(*turns), rotation.inverse(foot.turn)))
    more = np.maximum(1.0 - _ANKLE / np.maximum(rotation.length(apart), 1e-9), 0.0)
    if not more.any():
        return foot.turn
    arms = underfoot(motion, soles) - motion.positions.take(legs.joints[2], axis=1)[:, :, None]
    heights = foot.ankle[..., None, 1] + rotation.rotate(np.repeat(foot.turn[:, :, None], 3, axis=2), arms)[..., 1]
    clear = (heights - np.stack([sole.rest for sole in soles])).min(axis=-1) / _CLEAR
    free = more * np.clip(clear, 0.0, 1.0) * (1.0 - _lingering(foot.planted, motion.fps))
    return rotation.multiply(rotation.exp(free[..., None] * apart), foot.turn)


def _lingering(planted: Bools, fps: float) -> Array:
    """1 where a foot stands ``(F, S)``, falling to 0 soon before and after."""
    around = max(round(0.5 * _LINGER * fps), 1)
    return filters.smoothed(filters.highest(planted.astype(np.float64), around), 0.5 * around, around)


def _missing(legs: _Legs, foot: Target, stance: Lowering) -> Array:
    """How far ``(F, S)`` each hip has to come down for the leg to reach the foot without being straighter than it
    should.
    """
    length = sum(legs.bones)
    away = foot.ankle - legs.hip
    led = np.minimum(rotation.length(away - legs.thigh - legs.shin) / _LED, 1.0)
    allowed = stance.straight * length
    level = np.hypot(away[..., 0], away[..., 2])
    upright = np.sqrt(np.maximum(allowed**2 - level**2, 0.0))
    # a leg kicked forwards reaches no further from a lower body
    helps = (level < 0.8 * allowed) & (rotation.length(away) > allowed)
    drop = np.minimum(np.maximum(-away[..., 1] - upright, 0.0), stance.lowest * length)
    return np.where(helps, led * drop, 0.0)


def _envelope(values: Array, fps: float) -> Array:
    """The smooth curve ``(F,)`` that nowhere lies below ``values (F,)``."""
    if not values.any():
        return values
    around = max(round(_AHEAD * fps), 1)
    return filters.smoothed(filters.highest(values, around), 0.4 * around, around)


def hinges(motion: Motion, soles: Sequence[Sole]) -> Array:
    """The axes ``(F, S, 3)`` about which the knees bend; for a knee that never bends, the line through the hips."""
    legs = _legs(motion, soles)
    axes = limb.hinges(legs.thigh, legs.shin, motion.orientations.take(legs.joints[0], axis=1), motion.fps)
    stiff = rotation.length(axes).max(axis=0) < 1e-9
    if stiff.any():
        axes[:, stiff] = (motion.position("left_hip") - motion.position("right_hip"))[:, None]
    return axes

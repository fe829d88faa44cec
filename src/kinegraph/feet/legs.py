"""Legs: bring the ankles where the feet should be, and as little else as possible out of its way.

The body is lowered a little where a leg cannot reach; what is still missing is made up by bones that grow by a few per cent, as Kovar,
Schreiner and Gleicher do, rather than by a knee that snaps straight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.feet import knees
from kinegraph.feet.contacts import Bools
from kinegraph.feet.sole import Sole
from kinegraph.feet.targets import Target
from kinegraph.motion import filters, limb, rotation
from kinegraph.motion.clip import Motion
from kinegraph.motion.rotation import Array

# How straight a leg may be drawn whose foot is led, as the distance from hip to ankle in leg lengths. Beyond, every millimetre that the
# hip sways opens and shuts the knee by more than a degree.
_STRAIGHT = 0.99
# As straight as a leg may become at all.
_STRAIGHTEST = 0.9995
# Metres by which a foot must be led for that to hold in full: what needs no help is left as straight as it is.
_LED = 0.015
# Leg lengths: as far as the body may be lowered.
_LOWEST = 0.1
# Parts of a leg: a lengthening that nobody sees is not worth bones that change.
_HARDLY_LONGER = 1e-3
# Seconds before and after a plant within which a leg may still be longer or shorter than it is.
_LINGER = 0.1
# Seconds before and after a moment within which the body is lowered for its sake.
_AHEAD = 0.15


@dataclass(frozen=True, eq=False)
class Reached:
    """root ``(F, 3)`` and local rotations ``(F, J, 4)`` of a body whose feet are where they should be; lowered ``(F,)`` metres; longer
    ``(F, 2)``, by which part of themselves the bones of the left and the right leg grew; missed ``(F, 2)``, metres by which a planted ankle
    falls short of its target.
    """

    root: Array
    rotations: Array
    lowered: Array
    longer: Array
    missed: Array


def reach(motion: Motion, feet: Sequence[tuple[Sole, Target]], stretch: float, knee_limit: float | None) -> Reached:
    """Bend the legs so that both feet are at their targets.

    stretch: by which part of themselves bones may change. knee_limit: as in `knees.limits`. A foot in the air gives way to a knee that
    would snap; for one that stands the bones change.
    """
    frames = len(motion)
    lowered = _envelope(np.max([_missing(motion, sole, foot) for sole, foot in feet], axis=0), motion.fps)
    down = lowered[:, None] * [0.0, -1.0, 0.0]
    root, rotations = motion.root + down, motion.rotations
    placed = motion.positions + down[:, None]
    longer, missed = np.zeros((frames, len(feet))), np.zeros((frames, len(feet)))
    limit = knees.limits(motion, knee_limit)
    for column, (sole, foot) in enumerate(feet):
        hip, knee, ankle = (placed[:, joint] for joint in (sole.hip, sole.knee, sole.ankle))
        thigh, shin = knee - hip, ankle - knee
        bones = rotation.length(thigh), rotation.length(shin)
        away = foot.ankle - hip
        asked = rotation.length(away)
        straight = np.minimum(asked, np.maximum(_STRAIGHTEST * sum(bones), rotation.length(ankle - hip)))
        bent = knees.bend(straight, *bones)
        calm = knees.calmed(bent, limit[:, column], motion.fps)
        eased = np.where(calm == bent, straight, knees.distance(calm, *bones))
        longer[:, column] = np.clip(_lingering(foot.planted, motion.fps) * (asked / eased - 1.0), -stretch, stretch)
        if np.abs(longer[:, column]).max() < _HARDLY_LONGER:
            longer[:, column] = 0.0
        grown = 1.0 + longer[:, column]
        given = np.where(foot.planted, asked, grown * eased)
        goal = np.where((given == asked)[:, None], foot.ankle, hip + away * (given / np.maximum(asked, 1e-9))[:, None])
        missed[:, column] = np.where(foot.planted, np.maximum(asked - sum(bones) * grown, 0.0), 0.0)
        still = (np.abs(goal - ankle).max(axis=-1) < 1e-12) & (longer[:, column] == 0.0)
        for turn in (foot.turn, foot.toes):
            still &= rotation.angle_between(turn, rotation.IDENTITY) < 1e-12
        stretched = placed.copy()
        stretched[:, sole.knee] = hip + grown[:, None] * thigh
        stretched[:, sole.ankle] = stretched[:, sole.knee] + grown[:, None] * shin
        reached = limb.reach(
            motion.skeleton,
            root,
            rotations,
            (sole.hip, sole.knee, sole.ankle),
            goal,
            rotation.multiply(foot.turn, motion.orientations[:, sole.ankle]),
            hinge(motion, sole),
            (stretched, motion.orientations),
        )
        if sole.toe is not None:
            above = rotation.multiply(foot.turn, motion.orientations[:, motion.skeleton.parents[sole.toe]])
            toes = rotation.multiply(foot.toes, motion.orientations[:, sole.toe])
            reached[:, sole.toe] = rotation.multiply(rotation.inverse(above), toes)
        # frames that need nothing stay as they are to the last digit
        rotations = np.where(still[:, None, None], rotations, reached)
    return Reached(root, rotations, lowered, longer, missed)


def _lingering(planted: Bools, fps: float) -> Array:
    """1 where a foot stands ``(F,)``, falling to 0 soon before and after."""
    around = max(round(0.5 * _LINGER * fps), 1)
    return filters.smoothed(filters.highest(planted.astype(np.float64), around), 0.5 * around, around)


def _missing(motion: Motion, sole: Sole, foot: Target) -> Array:
    """How far ``(F,)`` the hip has to come down for the leg to reach the foot without being straighter than it should."""
    hip, knee, ankle = (motion.positions[:, joint] for joint in (sole.hip, sole.knee, sole.ankle))
    length = rotation.length(knee - hip) + rotation.length(ankle - knee)
    led = np.minimum(rotation.length(foot.ankle - ankle) / _LED, 1.0)
    allowed = _STRAIGHT * length
    away = foot.ankle - hip
    level = np.hypot(away[:, 0], away[:, 2])
    upright = np.sqrt(np.maximum(allowed**2 - level**2, 0.0))
    # a leg kicked forwards reaches no further from a lower body
    helps = (level < 0.8 * allowed) & (rotation.length(away) > allowed)
    drop: Array = np.where(helps, led * np.clip(-away[:, 1] - upright, 0.0, _LOWEST * length), 0.0)
    return drop


def _envelope(values: Array, fps: float) -> Array:
    """The smooth curve ``(F,)`` that nowhere lies below ``values (F,)``."""
    if not values.any():
        return values
    around = max(round(_AHEAD * fps), 1)
    return filters.smoothed(filters.highest(values, around), 0.4 * around, around)


def hinge(motion: Motion, sole: Sole) -> Array:
    """The axis ``(F, 3)`` about which the knee bends: the one it bends about in this motion, seen from the thigh."""
    hip, knee, ankle = (motion.positions[:, joint] for joint in (sole.hip, sole.knee, sole.ankle))
    thigh = motion.orientations[:, sole.hip]
    seen = rotation.rotate(rotation.inverse(thigh), rotation.cross(knee - hip, ankle - knee)).sum(axis=0)
    if np.linalg.norm(seen) < 1e-6 * len(motion):
        return motion.position("left_hip") - motion.position("right_hip")
    return rotation.rotate(thigh, seen)

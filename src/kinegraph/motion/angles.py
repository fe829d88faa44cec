"""Anatomical joint angles from joint positions alone, so that they mean the same on any skeleton, whatever its rest pose.

Angles are radians, as a goniometer laid along the limbs would read them. Positions do not show how a bone turns about itself, nor how the
pelvis is tilted under the spine; so the body's lower axis is taken to run from the middle between the hips to the chest.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion.body import SIDES
from kinegraph.motion.clip import Motion

# The line from the ankle to the ball of the foot runs down as well as forward: at a right angle between shin and sole it makes
# this angle with the shin.
_NEUTRAL_ANKLE = np.radians(120.0)

# Metres: below this two joints stand for one, and the line between them has no direction.
_NO_BONE = 1e-4

_DEGREES = {
    "knee_flexion": (-10.0, 155.0),
    "hip_flexion": (-45.0, 140.0),
    "hip_abduction": (-40.0, 65.0),
    "ankle_dorsiflexion": (-65.0, 50.0),
    "elbow_flexion": (0.0, 155.0),
    "shoulder_elevation": (0.0, 180.0),
}
_CENTRAL_DEGREES = {
    "trunk_flexion": (-45.0, 90.0),
    "trunk_side_bend": (-45.0, 45.0),
    "trunk_twist": (-60.0, 60.0),
    "neck_bend": (0.0, 85.0),
}
HUMAN_LIMITS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        name: (float(np.radians(low)), float(np.radians(high)))
        for name, (low, high) in (
            *((f"{side}_{part}", limits) for side in SIDES for part, limits in _DEGREES.items()),
            *_CENTRAL_DEGREES.items(),
        )
    }
)
"""The smallest and largest value of each angle that a healthy adult reaches.

From the ranges of the American Academy of Orthopaedic Surgeons ("Joint motion: method of measuring and recording", 1965) and Norkin and
White, "Measurement of joint motion": knee 10° of hyperextension to 150° of flexion, hip 30° of extension to 120°, 45° of abduction,
30° of adduction, elbow 150°, ankle 20° (40° under load) to −50°, thoracolumbar spine 80° of flexion, 30° of extension, 35° to the side,
45° of rotation, neck 45° to 60° each way. Five to fifteen degrees are added where an angle, as it is measured here, includes the movement
of neighbouring joints: the lumbar spine in hip flexion, the shoulder blades in the twist, the ankle's place in the foot in dorsiflexion.
"""


def anatomical_angles(motion: Motion) -> dict[str, Array]:
    """Joint angles ``(F,)`` in radians by name, as listed in `HUMAN_LIMITS`; those whose body roles the skeleton lacks are left out.

    - ``*_knee_flexion``: 0 is straight; negative is bent the wrong way
    - ``*_hip_flexion``: the thigh forward of the body's axis; ``*_hip_abduction``: away from the middle
    - ``*_ankle_dorsiflexion``: toes up, from a right angle to the shin
    - ``*_elbow_flexion``: 0 is straight
    - ``*_shoulder_elevation``: 0 is hanging, π is overhead
    - ``trunk_flexion``, ``trunk_side_bend`` (to the left), ``trunk_twist`` (of the shoulders, to the left): chest against pelvis
    - ``neck_bend``: from the line of the upper spine, in any direction
    """
    angles: dict[str, Array] = {}
    axes = _pelvis_axes(motion)
    for side in SIDES:
        sign = 1.0 if side == "left" else -1.0
        angles |= _leg(motion, side, sign, axes)
        angles |= _arm(motion, side)
    return angles | _trunk(motion, axes)


def beyond_limits(motion: Motion) -> dict[str, float]:
    """By how many radians each angle exceeds `HUMAN_LIMITS` at its worst; empty if the whole motion is within them."""
    excess: dict[str, float] = {}
    for name, angle in anatomical_angles(motion).items():
        low, high = HUMAN_LIMITS[name]
        worst = float(max(low - angle.min(), angle.max() - high))
        if worst > 0:
            excess[name] = worst
    return excess


def _pelvis_axes(motion: Motion) -> Array | None:
    """Rows left, up and forward of the pelvis, ``(F, 3, 3)``; None where hips or chest are unknown."""
    if not motion.skeleton.has_roles("left_hip", "right_hip", "chest"):
        return None
    hips = motion.position("left_hip"), motion.position("right_hip")
    left = _unit(hips[0] - hips[1])
    up = motion.position("chest") - 0.5 * (hips[0] + hips[1])
    up = _unit(up - _dot(up, left)[:, None] * left)
    return np.stack([left, up, np.cross(left, up)], axis=1)


def _leg(motion: Motion, side: str, sign: float, axes: Array | None) -> dict[str, Array]:
    if not motion.skeleton.has_roles(f"{side}_hip", f"{side}_knee", f"{side}_ankle"):
        return {}
    hip, knee, ankle = (motion.position(f"{side}_{part}") for part in ("hip", "knee", "ankle"))
    thigh, shin = knee - hip, ankle - knee
    angles: dict[str, Array] = {}
    across = None if axes is None else axes[:, 0]
    if motion.skeleton.has_roles(f"{side}_toe"):
        foot = motion.position(f"{side}_toe") - ankle
        angles[f"{side}_ankle_dorsiflexion"] = _NEUTRAL_ANKLE - _angle(-shin, foot)
        # toes show where the knee points better than the pelvis does, unless the foot is in line with the shin
        sideways = np.cross(_unit(-shin), _unit(foot))
        across = sideways if across is None else sideways + 0.2 * across
    if across is not None:
        bent = np.cross(thigh, shin)
        angles[f"{side}_knee_flexion"] = np.where(_dot(bent, across) < 0, -1.0, 1.0) * _angle(thigh, shin)
    if axes is not None:
        left, up, ahead = np.moveaxis(np.einsum("fij,fj->fi", axes, _unit(thigh)), -1, 0)
        angles[f"{side}_hip_flexion"] = np.arctan2(ahead, -up)
        angles[f"{side}_hip_abduction"] = np.arcsin(np.clip(sign * left, -1.0, 1.0))
    return angles


def _arm(motion: Motion, side: str) -> dict[str, Array]:
    if not motion.skeleton.has_roles(f"{side}_shoulder", f"{side}_elbow", f"{side}_wrist"):
        return {}
    shoulder, elbow, wrist = (motion.position(f"{side}_{part}") for part in ("shoulder", "elbow", "wrist"))
    angles = {f"{side}_elbow_flexion": _angle(elbow - shoulder, wrist - elbow)}
    upper = _upper_spine(motion)
    if upper is not None:
        angles[f"{side}_shoulder_elevation"] = _angle(-upper, elbow - shoulder)
    return angles


def _trunk(motion: Motion, axes: Array | None) -> dict[str, Array]:
    angles: dict[str, Array] = {}
    upper = _upper_spine(motion)
    if upper is None:
        return angles
    if axes is not None:
        left, up, ahead = np.moveaxis(np.einsum("fij,fj->fi", axes, _unit(upper)), -1, 0)
        angles["trunk_flexion"] = np.arctan2(ahead, up)
        angles["trunk_side_bend"] = np.arcsin(np.clip(left, -1.0, 1.0))
        if motion.skeleton.has_roles("left_shoulder", "right_shoulder"):
            line = motion.position("left_shoulder") - motion.position("right_shoulder")
            left, _, ahead = np.moveaxis(np.einsum("fij,fj->fi", axes, line), -1, 0)
            angles["trunk_twist"] = np.arctan2(-ahead, left)
    if motion.skeleton.has_roles("neck", "head"):
        below = motion.position("neck") - motion.position("chest")
        neck = motion.position("head") - motion.position("neck")
        if _has_length(below) and _has_length(neck):
            angles["neck_bend"] = _angle(below, neck)
    return angles


def _upper_spine(motion: Motion) -> Array | None:
    """From the chest up, ``(F, 3)``: to the neck, or to the head where a conversion has put the neck into the chest; None if unknown."""
    for role in ("neck", "head"):
        if motion.skeleton.has_roles("chest", role):
            upper = motion.position(role) - motion.position("chest")
            if _has_length(upper):
                return upper
    return None


def _has_length(bone: Array) -> bool:
    return bool(np.median(np.linalg.norm(bone, axis=-1)) > _NO_BONE)


def _dot(a: Array, b: Array) -> Array:
    product: Array = np.einsum("fi,fi->f", a, b)
    return product


def _unit(v: Array) -> Array:
    unit: Array = v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12)
    return unit


def _angle(a: Array, b: Array) -> Array:
    """Angle ``(F,)`` between vectors ``(F, 3)``, exact also where they are nearly parallel."""
    angle: Array = np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), _dot(a, b))
    return angle

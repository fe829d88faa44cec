"""Poses that a tool put before the capture: the T-pose of the CMU conversion and its kin."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import body, kinematics, rotation
from kinegraph.motion.skeleton import Skeleton

# How the body leaps out of the pose: mean joint rotation to the first real frame, in degrees and against the clip's usual step (a few
# captures hold leaps of their own, so it is the median that counts).
_LEAST_DEGREES, _LEAST_RATIO = 2.0, 5.0
# Share of joints that are not turned at all, where the rest pose itself is the T-pose.
_STILL_SHARE = 0.5
# Frames looked at to learn the usual step.
_LOOKED_AT = 100


def leading_poses(skeleton: Skeleton, root: Array, rotations: Array) -> int:
    """How many frames at the beginning are no capture: a T-pose from which the body leaps, and blank frames behind it.

    root ``(F, 3)``, rotations ``(F, J, 4)``. A T-pose is a frame in which at least half of the joints are not turned at all, or in which
    arms and legs are straight and the arms level. Blank frames are all zeros. 0 where the clip begins like any other.
    """
    count = len(root)
    if count < 3:
        return 0
    # hardly any clip begins with a leap: a glance spares those that do not the rest
    if _step(rotations, 0, 1) <= np.deg2rad(_LEAST_DEGREES) and not _is_blank(root[1], rotations[1]):
        return 0
    still = float(np.mean(rotation.angle_between(rotations[0], rotation.IDENTITY) < 1e-6))
    if still < _STILL_SHARE and not _is_geometric_t(skeleton, rotations[0]):
        return 0
    real = 1
    while real < count - 2 and _is_blank(root[real], rotations[real]):
        real += 1
    before = np.unique(np.linspace(real, count - 2, _LOOKED_AT).astype(np.intp))
    usual = np.median(rotation.angle_between(rotations[before], rotations[before + 1]).mean(axis=1))
    leap = _step(rotations, 0, real)
    return real if leap > max(np.deg2rad(_LEAST_DEGREES), _LEAST_RATIO * float(usual)) else 0


def _step(rotations: Array, a: int, b: int) -> float:
    """Mean rotation in radians of the joints from one frame to another."""
    return float(rotation.angle_between(rotations[a], rotations[b]).mean())


def _is_blank(root: Array, rotations: Array) -> bool:
    return not root.any() and bool(np.all(np.abs(rotations[:, 1:]) < 1e-6))


def _is_geometric_t(skeleton: Skeleton, rotations: Array) -> bool:
    """Whether a pose ``(J, 4)`` has straight limbs, the arms opposite to each other and at right angles to the legs."""
    parts = (("shoulder", "elbow", "wrist"), ("hip", "knee", "ankle"))
    if not skeleton.has_roles(*(f"{side}_{part}" for side in body.SIDES for limb in parts for part in limb)):
        return False
    positions, _ = kinematics.forward(skeleton, np.zeros(3), rotations)

    def direction(start: str, end: str) -> Array:
        line = positions[skeleton.joint(end)] - positions[skeleton.joint(start)]
        unit: Array = line / max(float(np.linalg.norm(line)), 1e-12)
        return unit

    straight = all(
        direction(f"{side}_{top}", f"{side}_{middle}") @ direction(f"{side}_{middle}", f"{side}_{end}") > 0.97
        for side in body.SIDES
        for top, middle, end in parts
    )
    left, right = (direction(f"{side}_shoulder", f"{side}_wrist") for side in body.SIDES)
    leg = direction("left_hip", "left_ankle")
    return straight and bool(left @ right < -0.95 and abs(left @ leg) < 0.2)

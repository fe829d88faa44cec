"""The performer's skeleton: 24 joints, 1.75 m tall. Its rest pose is a T-pose that faces +Z; its left side is +X."""

from __future__ import annotations

from functools import cache

import numpy as np

from kinegraph.motion.body import SIDES
from kinegraph.motion.skeleton import Skeleton

# Lengths in metres, after the segment tables of Winter, "Biomechanics and motor control of human movement", 4.1, for 1.75 m.
THIGH = 0.43
SHIN = 0.415
LEG = THIGH + SHIN
UPPER_ARM = 0.29
FOREARM = 0.255
ARM = UPPER_ARM + FOREARM
ANKLE_HEIGHT = 0.08
HIP_WIDTH = 0.09
HIP_DROP = 0.03
"""How far the hip joints lie below the root."""
STANDING_ROOT = ANKLE_HEIGHT + LEG + HIP_DROP
STANDING_HEIGHT = ANKLE_HEIGHT + 0.994 * LEG + HIP_DROP
"""Height of the root when the performer stands at ease, with knees not quite straight."""
ANKLE_BEHIND = 0.03
"""How far the ankles are behind the hips when standing: the weight rests on the middle of the feet."""

# The sole, in the foot's own frame with the ankle at the origin: heel, ball and toe tip touch the floor in the rest pose.
HEEL_BACK = 0.05
BALL_AHEAD = 0.135
TOE_LENGTH = 0.07

_SPINE: tuple[tuple[str, str, tuple[float, float, float]], ...] = (
    ("spine", "hips", (0.0, 0.09, -0.012)),
    ("upper_spine", "spine", (0.0, 0.12, -0.006)),
    ("chest", "upper_spine", (0.0, 0.13, 0.004)),
    ("neck", "chest", (0.0, 0.205, 0.002)),
    ("head", "neck", (0.0, 0.09, 0.018)),
)
_ARM: tuple[tuple[str, str, tuple[float, float, float]], ...] = (
    ("collar", "chest", (0.025, 0.145, 0.016)),
    ("shoulder", "collar", (0.155, -0.005, -0.016)),
    ("elbow", "shoulder", (UPPER_ARM, 0.0, 0.0)),
    ("wrist", "elbow", (FOREARM, 0.0, 0.0)),
    ("fingers", "wrist", (0.095, 0.0, 0.0)),
)
_LEG: tuple[tuple[str, str, tuple[float, float, float]], ...] = (
    ("hip", "hips", (HIP_WIDTH, -HIP_DROP, 0.0)),
    ("knee", "hip", (0.0, -THIGH, 0.0)),
    ("ankle", "knee", (0.0, -SHIN, 0.0)),
    ("toe", "ankle", (0.0, -ANKLE_HEIGHT, BALL_AHEAD)),
)
_CROWN = (0.0, 0.16, 0.0)
_FINGERTIP = (0.085, 0.0, 0.0)
_HEEL = (0.0, -ANKLE_HEIGHT, -HEEL_BACK)
_TOE_TIP = (0.0, 0.0, TOE_LENGTH)


@cache
def skeleton() -> Skeleton:
    """The skeleton that all samples share; joints are named after their body roles.

    >>> import kinegraph as kg
    >>> kg.samples.skeleton()
    Skeleton(24 joints, 7 tips, samples)
    """
    names, parents, offsets = ["hips"], [-1], [(0.0, STANDING_ROOT, 0.0)]
    for name, parent, offset in _SPINE:
        names.append(name)
        parents.append(names.index(parent))
        offsets.append(offset)
    for limb in (_ARM, _LEG):
        for side in SIDES:
            sign = 1.0 if side == "left" else -1.0
            for part, parent, (x, y, z) in limb:
                names.append(f"{side}_{part}")
                parents.append(names.index(parent if parent in ("chest", "hips") else f"{side}_{parent}"))
                offsets.append((sign * x, y, z))
    tips = [("head", _CROWN)]
    for side in SIDES:
        sign = 1.0 if side == "left" else -1.0
        for part, (x, y, z) in (("fingers", _FINGERTIP), ("ankle", _HEEL), ("toe", _TOE_TIP)):
            tips.append((f"{side}_{part}", (sign * x, y, z)))
    return Skeleton(
        names=tuple(names),
        parents=np.array(parents, np.intp),
        offsets=np.array(offsets) + 0.0,
        tip_parents=np.array([names.index(name) for name, _ in tips], np.intp),
        tip_offsets=np.array([offset for _, offset in tips]) + 0.0,
    )

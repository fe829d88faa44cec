"""The measures of a person as shares of their height, after common artists' and ergonomic proportions; and the colours of a figure.

The rows of a table are: place along the line, half the width, depth in front, depth behind.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array


def _table(rows: ArrayLike) -> Array:
    table = np.array(rows, dtype=np.float64)
    table.setflags(write=False)
    return table


@dataclass(frozen=True)
class Limb:
    """The form of an arm or a leg."""

    table: Array
    rings: Array
    """Where its rings are."""
    caps: tuple[float, float]
    """How far its rounded ends reach out."""
    reach: float
    """How gradually it bends."""
    segments: int
    """Vertices of a ring."""


def _linear(code: str) -> tuple[float, float, float]:
    """A colour as screens have it, in linear light (the curve of IEC 61966-2-1)."""
    screen = np.array([int(code[i : i + 2], 16) / 255 for i in (0, 2, 4)])
    red, green, blue = np.where(screen <= 0.04045, screen / 12.92, ((screen + 0.055) / 1.055) ** 2.4).tolist()
    return red, green, blue


# Left is a light orange and right a deep blue, as in rendered pictures: told apart by every common kind of colour blindness.
_LEFT, _LEFT_END = _linear("f3a552"), _linear("d98a3a")
_RIGHT, _RIGHT_END = _linear("4b82bd"), _linear("386aa3")
COLOURS = {
    "torso": _linear("dedbd6"),
    "head": _linear("dedbd6"),
    "left arm": _LEFT,
    "left hand": _LEFT_END,
    "left leg": _LEFT,
    "left foot": _LEFT_END,
    "right arm": _RIGHT,
    "right hand": _RIGHT_END,
    "right leg": _RIGHT,
    "right foot": _RIGHT_END,
    "bones": _linear("6f9c97"),
}

# Places: 0 hip, 1 knee, 2 ankle.
_LEG_TABLE = _table(
    [
        (0.00, 0.0385, 0.0425, 0.0490),
        (0.22, 0.0465, 0.0485, 0.0525),
        (0.35, 0.0450, 0.0475, 0.0475),
        (0.65, 0.0375, 0.0405, 0.0375),
        (0.88, 0.0312, 0.0335, 0.0318),
        (1.00, 0.0300, 0.0320, 0.0300),
        (1.12, 0.0292, 0.0290, 0.0320),
        (1.30, 0.0310, 0.0260, 0.0385),
        (1.55, 0.0260, 0.0225, 0.0305),
        (1.80, 0.0190, 0.0190, 0.0210),
        (2.00, 0.0175, 0.0185, 0.0195),
    ]
)
LEG = Limb(
    table=_LEG_TABLE,
    rings=_table([0, 0.12, 0.27, 0.45, 0.65, 0.82, 0.92, 0.97, 1.02, 1.07, 1.16, 1.3, 1.46, 1.65, 1.84, 2.0]),
    caps=(0.046, 0.015),
    reach=0.024,
    segments=12,
)

# Places: 0 shoulder, 1 elbow, 2 wrist. In a T-pose the width is upright.
_ARM_TABLE = _table(
    [
        (0.00, 0.0260, 0.0300, 0.0300),
        (0.20, 0.0300, 0.0320, 0.0310),
        (0.45, 0.0260, 0.0270, 0.0255),
        (0.80, 0.0215, 0.0215, 0.0210),
        (1.00, 0.0200, 0.0205, 0.0205),
        (1.12, 0.0210, 0.0225, 0.0215),
        (1.30, 0.0210, 0.0235, 0.0220),
        (1.60, 0.0175, 0.0195, 0.0180),
        (1.90, 0.0130, 0.0155, 0.0150),
        (2.00, 0.0125, 0.0155, 0.0150),
    ]
)
ARM = Limb(
    table=_ARM_TABLE,
    rings=_table([0, 0.12, 0.28, 0.46, 0.66, 0.84, 0.94, 1.0, 1.06, 1.16, 1.32, 1.55, 1.8, 2.0]),
    caps=(0.026, 0.011),
    reach=0.019,
    segments=10,
)
# How gradually joints between hip and knee or the like take over: they are there for the limb's twist.
TWIST_REACH = 0.035
# Where a limb takes over from the trunk: inside it, before the joint, so that the ball of the joint keeps its form.
SOCKET = -0.022
SOCKET_REACH = 0.022

# Places: 0 between the hips, 1 between the shoulders, 2 the head's joint.
TRUNK = _table(
    [
        (-0.040, 0.0985, 0.061, 0.070),
        (0.040, 0.1000, 0.062, 0.071),
        (0.120, 0.0960, 0.062, 0.066),
        (0.250, 0.0870, 0.058, 0.053),
        (0.430, 0.0715, 0.055, 0.045),
        (0.620, 0.0830, 0.063, 0.053),
        (0.780, 0.0950, 0.067, 0.058),
        (0.900, 0.0970, 0.057, 0.055),
        (1.000, 0.0900, 0.044, 0.048),
        (1.070, 0.0790, 0.038, 0.044),
        (1.150, 0.0580, 0.034, 0.040),
        (1.270, 0.0400, 0.031, 0.036),
        (1.450, 0.0330, 0.031, 0.032),
        (1.700, 0.0310, 0.031, 0.031),
        (2.000, 0.0290, 0.030, 0.030),
    ]
)
_TO_SHOULDERS = (-0.04, 0.04, 0.10, 0.17, 0.25, 0.34, 0.44, 0.54, 0.63, 0.72, 0.80, 0.87, 0.93, 0.98)
TRUNK_RINGS = _table([*_TO_SHOULDERS, 1.03, 1.07, 1.12, 1.18, 1.28, 1.5, 1.9])
TRUNK_CAPS = (0.040, 0.012)
TRUNK_SQUARE = (2.25, 2.35)
SPINE_REACH = 0.045
# The joints' half distances that the table is made for; where they differ, the trunk is as much wider, by these shares at these places.
HALF_HIPS, HALF_SHOULDERS = 0.053, 0.110
HIPS_SHARE = _table([(0.10, 1.0), (0.45, 0.0)])
SHOULDERS_SHARE = _table([(0.45, 0.0), (0.85, 0.85), (1.0, 0.8), (1.2, 0.0)])

# Chin 0, crown 1; all in heights of the head.
HEAD_HEIGHT = 0.130
HEAD = _table(
    [
        (0.015, 0.120, 0.350, 0.020),
        (0.06, 0.200, 0.385, 0.130),
        (0.15, 0.250, 0.398, 0.240),
        (0.25, 0.285, 0.398, 0.330),
        (0.36, 0.308, 0.405, 0.390),
        (0.50, 0.328, 0.405, 0.425),
        (0.60, 0.338, 0.420, 0.435),
        (0.68, 0.336, 0.412, 0.432),
    ]
)
HEAD_RINGS = _table([0.015, 0.06, 0.11, 0.17, 0.24, 0.30, 0.35, 0.40, 0.46, 0.53, 0.60, 0.68])
HEAD_CAPS = (0.015, 0.32)
# The nose: how far it stands out along the height of the head, and half its width.
NOSE = _table([(0.31, 0.0), (0.36, 0.062), (0.41, 0.052), (0.56, 0.005), (0.6, 0.0)])
NOSE_WIDTH = 0.05
# From the head's joint up to the crown, where the skeleton does not reach as high, and at most.
CROWN, HIGHEST_CROWN = 0.095, 0.105

# Wrist 0, fingertips 1; half the thickness, half the width towards the thumb and away from it.
HAND_LENGTH = 0.103
HAND = _table(
    [
        (0.00, 0.0125, 0.0155, 0.0150),
        (0.15, 0.0130, 0.0190, 0.0180),
        (0.35, 0.0130, 0.0235, 0.0215),
        (0.52, 0.0115, 0.0240, 0.0225),
        (0.72, 0.0092, 0.0215, 0.0200),
        (0.92, 0.0072, 0.0165, 0.0150),
    ]
)
HAND_RINGS = _table([0.0, 0.15, 0.32, 0.46, 0.56, 0.68, 0.80, 0.92])
HAND_CAPS = (0.010, 0.0085)
# How far the fingertips of a hand at rest bend towards the palm, in lengths of the hand.
CURL = 0.16
THUMB_LENGTH, THUMB_RADII = 0.046, (0.0105, 0.0085)
FINGER_RADII = (0.0082, 0.0060)

# Back of the heel −1, ankle 0, ball 1, tips of the toes 2; half the width, top and sole above the floor.
ANKLE_HEIGHT = 0.039
HEEL_BACK = 0.032
BALL_AHEAD = 0.075
TOE_LENGTH = 0.040
FOOT = _table(
    [
        (-0.90, 0.0140, 0.036, 0.0030),
        (-0.50, 0.0190, 0.047, 0.0000),
        (0.00, 0.0205, 0.055, 0.0000),
        (0.35, 0.0215, 0.047, 0.0015),
        (0.70, 0.0245, 0.032, 0.0015),
        (1.00, 0.0275, 0.0235, 0.0000),
        (1.50, 0.0255, 0.0175, 0.0000),
        (1.80, 0.0195, 0.0150, 0.0010),
    ]
)
FOOT_RINGS = _table([-0.9, -0.65, -0.35, 0.0, 0.25, 0.5, 0.75, 0.92, 1.08, 1.3, 1.55, 1.8])
FOOT_CAPS = (0.008, 0.009)
FOOT_SQUARE = (2.2, 4.0)
BALL_REACH = 0.012

"""Leaps: where a joint turns faster than any body can, as it does where a capture lost its markers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion

# The fastest rotation measured in people, the shoulder's in a baseball pitch, is about 7,000°/s; elbows and knees stay below 3,000.
_FASTEST = np.deg2rad(7000.0)
# At low rates a single step may be large without being wrong; at high rates a small one may be mere noise.
_LEAST = np.deg2rad(20.0)


@dataclass(frozen=True)
class Leap:
    """Joint ``joint`` turns by ``angle`` radians from ``frame`` to the next."""

    frame: int
    joint: int
    angle: float


def leaps(motion: Motion) -> list[Leap]:
    """The impossibly fast turns of single joints, in order of time."""
    if len(motion) < 2:
        return []
    steps = rotation.angle_between(motion.rotations[:-1], motion.rotations[1:])
    found = np.argwhere(steps > max(_FASTEST / motion.fps, _LEAST))
    return [Leap(int(frame), int(joint), float(steps[frame, joint])) for frame, joint in found]

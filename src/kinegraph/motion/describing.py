"""What a motion holds, in facts that people and scripts ask for first."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinegraph.motion.clip import Motion
from kinegraph.motion.leaps import Leap, leaps

# joints that leap and are named
_MOST_LEAPS = 4


def describe(motion: Motion) -> dict[str, Any]:
    """What a motion holds, by the names that ``kinegraph info --json`` uses.

    >>> import kinegraph as kg
    >>> facts = kg.describe(kg.samples.make("walk").motion)
    >>> facts["frames"], facts["height_m"], facts["roles"]["left_ankle"]
    (257, 1.721, 'left_ankle')
    """
    skeleton = motion.skeleton
    low, high = motion.positions.min(axis=(0, 1)), motion.positions.max(axis=(0, 1))
    speed = motion.speed()
    travelled = float(np.linalg.norm(np.diff(motion.root[:, [0, 2]], axis=0), axis=-1).sum())
    return {
        "joints": len(skeleton),
        "frames": len(motion),
        "fps": motion.fps,
        "seconds": round(motion.seconds, 6),
        "height_m": round(skeleton.stature, 4),
        "extent_m": {"min": np.round(low, 4).tolist(), "max": np.round(high, 4).tolist()},
        "path_m": round(travelled, 4),
        "speed_mps": {"mean": round(float(speed.mean()), 4), "max": round(float(speed.max()), 4)},
        "naming": skeleton.naming,
        "roles": {role: skeleton.names[index] for role, index in skeleton.roles.items()},
        "notices": [*motion.notices, *_leap_notices(motion)],
    }


def _leap_notices(motion: Motion) -> list[str]:
    """One sentence for each joint that leaps, for the first few."""
    by_joint: dict[int, list[Leap]] = {}
    for leap in leaps(motion):
        by_joint.setdefault(leap.joint, []).append(leap)
    sentences = []
    for joint, found in list(by_joint.items())[:_MOST_LEAPS]:
        worst = max(found, key=lambda leap: leap.angle)
        often = f", and {len(found) - 1} times more" if len(found) > 1 else ""
        sentences.append(
            f"{motion.skeleton.names[joint]} leaps by {np.degrees(worst.angle):.0f}° from frame {worst.frame} to the next{often}: "
            "the capture lost it there"
        )
    if len(by_joint) > _MOST_LEAPS:
        sentences.append(f"{len(by_joint) - _MOST_LEAPS} more joints leap")
    return sentences

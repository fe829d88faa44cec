"""Leaps: where a joint turns faster than any body can, as it does where a capture lost its markers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion

# The fastest rotation measured in people, the shoulder's in a baseball pitch, is about 7,000°/s; elbows and knees stay below 3,000.
_FASTEST = np.deg2rad(7000.0)
# A stretch between two leaps, or between one and an end of the clip, that lasts no longer (seconds) was lost as a whole.
_BRIEF = 0.15
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


def sound_frames(motion: Motion, fps: float | None = None) -> NDArray[np.bool_]:
    """``(F,)``: False where the capture lost a joint: at leaps, and in brief stretches between them or before the first.

    Only joints with a body role count, where any has one: a thumb that flickers spoils no transition.
    fps: the answer for the motion resampled to that rate. Leaps must be looked for at the captured rate: at 30 frames/s no turn
    is impossible.
    """
    lost = np.zeros(len(motion), bool)
    known = set(motion.skeleton.roles.values()) or set(range(len(motion.skeleton)))
    marks = sorted({leap.frame for leap in leaps(motion) if leap.joint in known})
    brief = _BRIEF * motion.fps
    before = -1  # the last frame of the stretch before
    for mark in marks:
        lost[mark : mark + 2] = True
        if mark - before <= brief:
            lost[before + 1 : mark + 1] = True
        before = mark
    if marks and len(motion) - 1 - before <= brief:
        lost[before:] = True
    if fps is None or fps == motion.fps:
        return ~lost
    count = len(motion.resample(fps))
    at = np.minimum(np.arange(count) * (motion.fps / fps), len(motion) - 1)
    low, high = np.floor(at + 1e-6).astype(int), np.ceil(at - 1e-6).astype(int)
    return np.asarray(~(lost[low] | lost[np.minimum(high, len(motion) - 1)]))

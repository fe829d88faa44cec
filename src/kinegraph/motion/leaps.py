"""Leaps: where a joint turns faster than any body can. This happens where a capture lost its markers."""

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
    before, after = motion.rotations[:-1], motion.rotations[1:]
    limit = min(max(_FASTEST / motion.fps, _LEAST), np.pi)
    # the cosine of half the angle tells nearly all of them from slower ones; only those few are measured
    cosine = np.einsum("fji,fji->fj", before, after)
    likely = np.argwhere(np.abs(cosine) < np.cos(0.5 * limit) + 1e-6)
    frames, joints = likely.T
    angles = rotation.angle_between(before[frames, joints], after[frames, joints])
    return [
        Leap(int(frame), int(joint), float(angle))
        for (frame, joint), angle in zip(likely, angles, strict=True)
        if angle > limit
    ]


def sound_frames(motion: Motion, fps: float | None = None) -> NDArray[np.bool_]:
    """``(F,)``: False where the capture lost a joint, which is at leaps, and in brief stretches between two leaps or before the first.

    Only joints with a body role count, if any joint has one: a thumb that flickers spoils no transition.
    fps: answer for the motion resampled to this rate. Leaps themselves are always looked for at the captured rate: at 30 frames/s no
    turn is too fast to be possible.
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
    at = np.minimum(np.arange(motion.frames_at(fps)) * (motion.fps / fps), len(motion) - 1)
    low, high = np.floor(at + 1e-6).astype(int), np.ceil(at - 1e-6).astype(int)
    return np.asarray(~(lost[low] | lost[np.minimum(high, len(motion) - 1)]))

"""Windows: how many frames are compared at once, and how much each of them counts."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion.clip import Motion

# The part of a window over which its weights rise, and fall again.
_RAMP = 0.25

# A window shrinks to this part of itself where a gait is quick or a clip is short: a running stride lasts as much less
# than a walking one.
_BRISK = 0.6
# Froude number speed² / (gravity · leg) of the change from walking to running.
_RUNNING = 0.5
_GRAVITY = 9.81
# A clip shorter than this many windows would lose most of its places to its ends.
_FEWEST_WINDOWS = 6


def taper(frames: int) -> Array:
    """``(frames,)`` weights that sum to 1 and fall off towards both ends, by a cosine over a quarter of the window.

    >>> (taper(10) / taper(10).max()).round(2).tolist()
    [0.1, 0.65, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.65, 0.1]
    """
    inside = (np.arange(frames) + 0.5) / frames
    edge = np.minimum(inside, 1 - inside) / _RAMP
    weights = np.where(edge < 1, (1 - np.cos(np.pi * np.minimum(edge, 1))) / 2, 1.0)
    return np.asarray(weights / weights.sum())


def window_frames(motion: Motion, seconds: float, *, adapt: bool = True) -> int:
    """Frames of the window of a clip: ``seconds`` long, or 0.6 of that if the clip is a run or shorter than six windows."""
    if adapt and (_runs(motion) or motion.seconds < _FEWEST_WINDOWS * seconds):
        seconds *= _BRISK
    return max(2, round(seconds * motion.fps))


def _runs(motion: Motion) -> bool:
    leg = motion.skeleton.leg_length
    speed = float(np.median(motion.speed()))
    return bool(leg > 0 and speed * speed > _RUNNING * _GRAVITY * leg)

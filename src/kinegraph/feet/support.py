"""Support: what bears the body while neither foot is known to. Who does not fall freely stands on something."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Bools
from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans

# Leg lengths per second squared, of a grown-up: bodies are judged alike whatever unit their file has.
_GRAVITY = 11.5
# How much of the bend of a free fall the way of the hips must have for a flight. Captured runs and jumps have 0.8 to 1.2, the crest of a
# walker's step has up to 0.4.
_FREELY = 0.5
# Seconds without support that are too few to tell a fall by.
_BRIEF = 0.1


def unsupported(motion: Motion, down: Bools) -> Bools:
    """The frames ``(F,)`` in which no point of a foot is ``down (F, P)``, though the body does not fly.

    A body in flight falls freely: over T seconds the way of its hips is bent by g T²/8. One that is carried all the while is bent less.
    """
    hips = 0.5 * (motion.position("left_hip") + motion.position("right_hip"))[:, 1] / motion.skeleton.leg_length
    aloft = np.zeros(len(motion), np.bool_)
    standing: Bools = np.logical_or.reduce(down, axis=1)
    for first, last in spans(~standing):
        before, after = max(first - 1, 0), min(last, len(motion) - 1)
        seconds = (after - before) / motion.fps
        if last - first < _BRIEF * motion.fps:
            continue
        bend = float(hips[(before + after) // 2] - 0.5 * (hips[before] + hips[after]))
        aloft[first:last] = bend < _FREELY * _GRAVITY * seconds**2 / 8
    return aloft

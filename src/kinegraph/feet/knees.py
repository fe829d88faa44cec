"""Knees: how far one bends for a distance from hip to ankle, and how to keep it from snapping."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import filters, rotation
from kinegraph.motion.clip import Motion

# How much of a limit that was given is made use of: what is lost to rounding, and to bones that need not change for so little.
_MARGIN = 0.99
# Radians per second that are no snap, however quiet the motion is otherwise.
_CALM = 5.0


def bend(distance: Array, thigh: Array, shin: Array) -> Array:
    """Angle ``(…)`` in radians of the knee, 0 where it is straight, at ``distance (…)`` from hip to ankle."""
    cosine = (distance**2 - thigh**2 - shin**2) / np.maximum(2 * thigh * shin, 1e-12)
    angle: Array = np.arccos(np.minimum(np.maximum(cosine, -1.0), 1.0))
    return angle


def distance(bent: Array, thigh: Array, shin: Array) -> Array:
    """From hip to ankle ``(…)`` with a knee bent by so many radians ``(…)``: the inverse of `bend`."""
    length: Array = np.sqrt(np.maximum(thigh**2 + shin**2 + 2 * thigh * shin * np.cos(bent), 0.0))
    return length


def speed(motion: Motion) -> Array:
    """How fast ``(F - 1, 2)`` the left and the right knee turn from frame to frame, rad/s; one row of zeros for a single frame."""
    knees = motion.rotations[:, [motion.skeleton.joint("left_knee"), motion.skeleton.joint("right_knee")]]
    if len(motion) < 2:
        return np.zeros((1, 2))
    return rotation.angle_between(knees[:-1], knees[1:]) * motion.fps


def usual(motion: Motion) -> float:
    """The 99.9th percentile of `speed` in a motion, rad/s."""
    return float(np.quantile(speed(motion), 0.999))


def limits(motion: Motion, given: float | None) -> Array:
    """How fast ``(F - 1, 2)`` the knees may turn, rad/s: as ``given``, or as fast as they usually do in this motion, or do just then."""
    if given is not None:
        return np.full((max(len(motion) - 1, 1), 2), _MARGIN * given)
    own = speed(motion)
    return np.maximum(filters.highest(own, 1), max(usual(motion), _CALM))


def calmed(bent: Array, limit: Array, fps: float) -> Array:
    """The least angles ``(F, …)`` that are nowhere below ``bent (F, …)`` and never change faster than ``limit (F - 1, …)`` rad/s.

    A knee that is bent for a little longer, before and after, draws the foot up: it cannot push it into the floor.
    """
    passed = np.zeros(bent.shape)
    np.cumsum(limit[: len(bent) - 1] / fps, axis=0, out=passed[1:])
    after = np.maximum.accumulate(bent + passed) - passed
    before = np.maximum.accumulate((bent - passed)[::-1])[::-1] + passed
    most = np.maximum(after, before)
    # to the last digit where nothing is to be done
    least: Array = np.where(most > bent + 1e-9, most, bent)
    return least

"""Knees: how far a knee bends for a given distance from hip to ankle, and how to keep it from snapping."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import filters, rotation, snaps
from kinegraph.motion.clip import Motion

# How much of a limit that was given is made use of: what is lost to rounding, and to bones that need not change for so little.
_MARGIN = 0.99


def bend(distance: Array, thigh: Array, shin: Array) -> Array:
    """Angle ``(…)`` of the knee in radians, 0 for a straight leg, at ``distance (…)`` from hip to ankle."""
    cosine = (distance**2 - thigh**2 - shin**2) / np.maximum(2 * thigh * shin, 1e-12)
    angle: Array = np.arccos(np.minimum(np.maximum(cosine, -1.0), 1.0))
    return angle


def distance(bent: Array, thigh: Array, shin: Array) -> Array:
    """The distance ``(…)`` from hip to ankle of a leg whose knee is bent by so many radians ``(…)``: the inverse of `bend`."""
    length: Array = np.sqrt(np.maximum(thigh**2 + shin**2 + 2 * thigh * shin * np.cos(bent), 0.0))
    return length


def speed(motion: Motion) -> Array:
    """How fast ``(F - 1, 2)`` the left and right knees turn from frame to frame, in rad/s; a single frame gives one row of zeros."""
    knees = motion.rotations[:, [motion.skeleton.joint("left_knee"), motion.skeleton.joint("right_knee")]]
    if len(motion) < 2:
        return np.zeros((1, 2))
    return rotation.angle_between(knees[:-1], knees[1:]) * motion.fps


def usual(motion: Motion) -> float:
    """The 99.9th percentile of `speed` in a motion, rad/s."""
    return float(np.quantile(speed(motion), 0.999))


def limits(motion: Motion, given: float | None) -> Array:
    """How fast ``(F - 1, 2)`` the knees may turn, in rad/s: as ``given``, or else as they usually do in this motion, or do just then."""
    if given is not None:
        return np.full((max(len(motion) - 1, 1), 2), _MARGIN * given)
    own = speed(motion)
    return np.maximum(filters.highest(own, 1), max(usual(motion), snaps.CALM))


def calmed(bent: Array, limit: Array, fps: float) -> Array:
    """The smallest angles ``(F, …)`` that are never below ``bent (F, …)`` and never change faster than ``limit (F - 1, …)`` rad/s.

    Angles only grow: a knee that bends a little earlier and stays bent a little longer lifts the foot, and cannot push it into the floor.
    """
    passed = np.zeros(bent.shape)
    np.cumsum(limit[: len(bent) - 1] / fps, axis=0, out=passed[1:])
    after = np.maximum.accumulate(bent + passed) - passed
    before = np.maximum.accumulate((bent - passed)[::-1])[::-1] + passed
    most = np.maximum(after, before)
    # to the last digit where nothing is to be done
    least: Array = np.where(most > bent + 1e-9, most, bent)
    return least

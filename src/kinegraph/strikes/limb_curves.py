"""Curves of the striking limbs, by which strikes are recognised: how far out each limb is, how fast, and how far ahead.

They all have one rate, whatever the take's, and are in lengths of the limb. So a take has the same strikes at 30 and at 120 frames/s, and
a child and a giant are judged alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import Motion, filters
from kinegraph.strikes.strike import SIDES, Side, end_role, other, top_role

# Frames per second of all curves: a kick's foot stands still for a twentieth of a second.
RATE = 120.0
# Seconds by which speeds are smoothed: captured joints tremble.
_TREMBLE = 0.005
# Seconds by which the bustle of the whole body is smoothed, and its travel.
_CALM, _PACE = 0.03, 0.1


@dataclass(frozen=True, eq=False)
class LimbCurves:
    """One limb at `RATE` frames/s, all ``(N,)``, in lengths of the limb."""

    extension: Array
    """From top joint to end joint: 1 is straight."""
    reach: Array
    """The same; but while the end is below the top, its distance from the plumb line, so that a hanging arm is not far out."""
    ahead: Array
    """How far the end is in front of the top."""
    speed: Array
    """Of the end, per second."""
    lift: Array
    """Of this side's ankle above the other's, in leg lengths."""


@dataclass(frozen=True, eq=False)
class Curves:
    """Both limbs of a take, at `RATE` frames/s."""

    left: LimbCurves
    right: LimbCurves
    bustle: Array
    """``(N,)``: mean speed of the body's joints, in m/s."""
    pace: Array
    """``(N,)``: speed of the hips along the floor, in leg lengths per second."""

    def __len__(self) -> int:
        return len(self.bustle)

    def of(self, side: Side) -> LimbCurves:
        """The limb of that side."""
        return self.left if side == "left" else self.right


def curves(motion: Motion, kind: str) -> Curves:
    """The curves of arms (punch) or legs (kick); a skeleton that lacks one of their joints is a `RoleError`."""
    skeleton = motion.skeleton
    needed = [role(kind, side) for side in SIDES for role in (top_role, end_role)]
    needed += [f"{side}_{part}" for side in SIDES for part in ("hip", "ankle")]
    joints = {role: skeleton.joint(role) for role in needed}
    known = sorted(set(skeleton.roles.values()))
    column = {role: known.index(joint) for role, joint in joints.items()}
    points = _at_rate(motion.positions[:, known], motion.fps)
    facing = _at_rate(motion.facing(), motion.fps)
    limbs = {}
    for side in SIDES:
        top, end = top_role(kind, side), end_role(kind, side)
        length = skeleton.chain_length(joints[top], joints[end])
        away = (points[:, column[end]] - points[:, column[top]]) / length
        extension = np.linalg.norm(away, axis=-1)
        lift = points[:, column[f"{side}_ankle"], 1] - points[:, column[f"{other(side)}_ankle"], 1]
        limbs[side] = LimbCurves(
            extension=extension,
            reach=np.where(away[:, 1] < 0, np.hypot(away[:, 0], away[:, 2]), extension),
            ahead=np.einsum("fi,fi->f", away, facing),
            speed=_smoothed(_speed(points[:, column[end]]), _TREMBLE) / length,
            lift=lift / skeleton.leg_length,
        )
    bustle = _smoothed(_speed(points).mean(axis=-1), _CALM)
    hips = 0.5 * (points[:, column["left_hip"]] + points[:, column["right_hip"]])
    pace = _smoothed(_speed(hips[:, [0, 2]]), _PACE) / skeleton.leg_length
    return Curves(limbs["left"], limbs["right"], bustle, pace)


def _at_rate(values: Array, fps: float) -> Array:
    """``values (F, …)`` at `RATE`: between frames by a cubic, whose tops are where the movement's are."""
    if fps == RATE or len(values) < 2:
        return values
    from scipy.interpolate import CubicSpline

    # half a frame's rounding must not lose the last frame
    count = int(np.floor((len(values) - 1) * RATE / fps + 1e-6)) + 1
    at = np.minimum(np.arange(count) * (fps / RATE), len(values) - 1)
    between: Array = CubicSpline(np.arange(len(values)), values, axis=0)(at)
    return between


def _speed(points: Array) -> Array:
    """Speed ``(N, …)`` per second of ``points (N, …, 3)`` at `RATE`."""
    if len(points) < 2:
        return np.zeros(points.shape[:-1])
    speed: Array = np.linalg.norm(np.gradient(points, axis=0), axis=-1) * RATE
    return speed


def _smoothed(values: Array, seconds: float) -> Array:
    sigma = seconds * RATE
    return filters.smoothed(values, sigma, int(np.ceil(3 * sigma)))

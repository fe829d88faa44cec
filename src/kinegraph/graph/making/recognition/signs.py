"""Signs: what is measured on a body, frame by frame, to tell what it does.

Lengths are leg lengths, so that a child and a giant are judged alike; speeds are Froude's, v / √(g · leg), or leg lengths per second.
Heights are over the clip's floor. What arms would tell is nothing on a body without arms: its hands hang beside the hips.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.feet.contacts import velocity
from kinegraph.motion.body import SIDES
from kinegraph.motion.clip import Motion

GRAVITY = 9.81
# Seconds: about a stride, over which travel is measured; over which the rise of the hips is; over which limbs are.
STRIDE, RISE, LIMB = 0.6, 0.5, 0.08
# Seconds to either side by which acceleration is measured: a run's flight lasts little longer.
_BEND = 0.067
# Seconds over which hips and feet are compared: a stride and some more.
_BOUNCE = 0.8
# Of all frames, how many may have a joint below what is called the floor.
_LOWEST = 0.02


@dataclass(frozen=True, eq=False)
class Signs:
    """A motion and its contacts ``(F, 4)``; every sign is an array over its frames."""

    motion: Motion
    contacts: Bools

    @property
    def fps(self) -> float:
        """Frames per second."""
        return self.motion.fps

    def frames(self, seconds: float) -> int:
        """How many frames that is, to the nearest; one at least."""
        return max(round(seconds * self.fps), 1)

    @cached_property
    def leg(self) -> float:
        """Length of a leg in metres."""
        return self.motion.skeleton.leg_length

    @cached_property
    def arms(self) -> bool:
        """Whether both arms are known."""
        return self.motion.skeleton.has_roles(
            *(f"{side}_{part}" for side in SIDES for part in ("shoulder", "elbow", "wrist"))
        )

    def pair(self, part: str) -> Array:
        """``(F, 2, 3)``: the left and the right joint of that name, in leg lengths, over the floor."""
        roles = [self.motion.skeleton.joint(f"{side}_{part}") for side in SIDES]
        points: Array = (self.motion.positions[:, roles] - [0.0, self.floor, 0.0]) / self.leg
        return points

    @cached_property
    def floor(self) -> float:
        """Height of the floor in metres: where the lowest joint is in all but a few frames."""
        return float(np.quantile(self.motion.positions[..., 1].min(axis=1), _LOWEST))

    @cached_property
    def hip_joints(self) -> Array:
        """``(F, 2, 3)``."""
        return self.pair("hip")

    @cached_property
    def knees(self) -> Array:
        """``(F, 2, 3)``."""
        return self.pair("knee")

    @cached_property
    def ankles(self) -> Array:
        """``(F, 2, 3)``."""
        return self.pair("ankle")

    @cached_property
    def toes(self) -> Array:
        """``(F, 2, 3)``; the ankles of feet without toes."""
        return self.pair("toe") if self.motion.skeleton.has_roles("left_toe", "right_toe") else self.ankles

    @cached_property
    def shoulders(self) -> Array:
        """``(F, 2, 3)``; over the hips where they are not known."""
        if self.motion.skeleton.has_roles("left_shoulder", "right_shoulder"):
            return self.pair("shoulder")
        over: Array = self.hip_joints + np.array([0.0, 0.6, 0.0])
        return over

    @cached_property
    def elbows(self) -> Array:
        """``(F, 2, 3)``."""
        return self.pair("elbow") if self.arms else self.hip_joints

    @cached_property
    def wrists(self) -> Array:
        """``(F, 2, 3)``."""
        return self.pair("wrist") if self.arms else self.hip_joints

    @cached_property
    def hips(self) -> Array:
        """``(F, 3)``: the middle between the hip joints."""
        middle: Array = self.hip_joints.mean(axis=1)
        return middle

    @cached_property
    def chest(self) -> Array:
        """``(F, 3)``: the middle between the shoulders."""
        middle: Array = self.shoulders.mean(axis=1)
        return middle

    @cached_property
    def travel(self) -> Array:
        """``(F, 2)``: velocity over the floor over a stride, Froude's."""
        # leg lengths per second; √(g / leg) of them are Froude's 1
        travel: Array = velocity(self.hips[:, [0, 2]], self.fps, STRIDE) / np.sqrt(GRAVITY / self.leg)
        return travel

    @cached_property
    def speed(self) -> Array:
        """``(F,)``: of `travel`."""
        speed: Array = np.linalg.norm(self.travel, axis=-1)
        return speed

    @cached_property
    def rising(self) -> Array:
        """``(F,)``: leg lengths per second by which the hips rise."""
        return velocity(self.hips[:, 1], self.fps, RISE)

    @cached_property
    def falling(self) -> Array:
        """``(F,)``: how freely the trunk falls: 1 in free fall, 0 where it goes straight on."""
        height = 0.5 * (self.hips + self.chest)[:, 1]
        reach = max(_BEND * self.fps, 1.0)
        now = np.arange(len(height))
        before, after = (np.interp(now + side * reach, now, height) for side in (-1.0, 1.0))
        bend = 2.0 * height - before - after
        freely: Array = bend / (GRAVITY / self.leg * (reach / self.fps) ** 2)
        # beyond the clip's ends nothing is known
        freely[(now < reach) | (now > len(height) - 1 - reach)] = 0.0
        return freely

    @cached_property
    def bounce(self) -> Array:
        """``(F,)``: from −1 to 1, whether the hips are higher while the feet are apart (a run) or while they pass each other (a walk).

        It is the correlation of both over a stride. One who walks vaults over a straight leg; one who runs is thrown
        from foot to foot. It needs no contacts, and does not ask how fast the clip is played.
        """
        apart = np.linalg.norm((self.ankles[:, 0] - self.ankles[:, 1])[:, [0, 2]], axis=-1)
        width = max(self.frames(_BOUNCE), 3)
        high = self.hips[:, 1] - mean_over(self.hips[:, 1], width)
        wide = apart - mean_over(apart, width)
        both, highs, wides = (mean_over(x, width) for x in (high * wide, high * high, wide * wide))
        correlated: Array = both / np.sqrt(np.maximum(highs * wides, 1e-10))
        return correlated

    @cached_property
    def sole(self) -> Array:
        """``(F,)``: height of the lower foot."""
        lowest: Array = np.minimum(self.ankles[..., 1], self.toes[..., 1]).min(axis=1)
        return lowest

    @cached_property
    def stretch(self) -> Array:
        """``(F,)``: height of the hips over the lower ankle: near 1 for one who stands."""
        height: Array = self.hips[:, 1] - self.ankles[..., 1].min(axis=1)
        return height

    @cached_property
    def upright(self) -> Array:
        """``(F,)``: 1 for an upright trunk, 0 for a level one, −1 head down."""
        trunk = self.chest - self.hips
        cosine: Array = trunk[:, 1] / np.maximum(np.linalg.norm(trunk, axis=-1), 1e-9)
        return cosine

    @cached_property
    def unsupported(self) -> Array:
        """``(F,)``: how far the trunk's middle is from over the feet: who is at rest and beyond them is held by something else."""
        feet = (0.5 * (self.ankles + self.toes))[..., [0, 2]]
        body = (0.5 * (self.hips + self.chest))[:, [0, 2]]
        left, across = feet[:, 0], feet[:, 1] - feet[:, 0]
        square = np.maximum(np.einsum("fi,fi->f", across, across), 1e-9)
        part = np.clip(np.einsum("fi,fi->f", body - left, across) / square, 0.0, 1.0)
        away: Array = np.linalg.norm(body - left - part[:, None] * across, axis=-1)
        return away

    @cached_property
    def facing(self) -> Array:
        """``(F, 3)``: unit vectors along the floor."""
        return self.motion.facing()

    @cached_property
    def heading(self) -> Array:
        """``(F,)``: the angle of `facing`, continuous in time."""
        return np.unwrap(np.arctan2(self.facing[:, 0], self.facing[:, 2]))

    @cached_property
    def hand_speed(self) -> Array:
        """``(F, 2)``: of the hands against the chest, in leg lengths per second."""
        speed: Array = np.linalg.norm(velocity(self.wrists - self.chest[:, None], self.fps, LIMB), axis=-1)
        return speed

    @cached_property
    def foot_speed(self) -> Array:
        """``(F, 2)``: of the ankles against the hips, in leg lengths per second."""
        speed: Array = np.linalg.norm(velocity(self.ankles - self.hips[:, None], self.fps, LIMB), axis=-1)
        return speed


def mean_over(values: Array, width: int) -> Array:
    """The mean ``(F, …)`` of ``values (F, …)`` over ``width`` frames around each; over fewer at the ends."""
    total = np.concatenate([np.zeros_like(values[:1]), np.cumsum(values, axis=0)])
    now = np.arange(len(values))
    first, last = np.maximum(now - width // 2, 0), np.minimum(now + width // 2 + 1, len(values))
    mean: Array = (total[last] - total[first]) / (last - first).reshape(-1, *(1,) * (values.ndim - 1))
    return mean


def rises(values: Array | float, no: float, yes: float) -> Array:
    """Belief: 0 where ``values`` are at ``no`` or beyond, 1 at ``yes``, in a straight line between; ``no`` may be the larger.

    >>> rises(np.array([0.0, 1.0, 1.5, 9.0]), 1.0, 2.0).tolist(), rises(np.array([0.25]), 0.5, 0.0).tolist()
    ([0.0, 0.0, 0.5, 1.0], [0.5])
    """
    belief: Array = np.clip((np.asarray(values) - no) / (yes - no), 0.0, 1.0)
    return belief


def least(*beliefs: Array) -> Array:
    """The belief in all of several things at once."""
    all_of: Array = np.minimum.reduce(beliefs)
    return all_of


def most(*beliefs: Array) -> Array:
    """The belief in any of several things."""
    any_of: Array = np.maximum.reduce(beliefs)
    return any_of

"""How people are built: long legs or short ones, a long trunk, long arms.

Somebody lives in units of their own, in which their legs are as long as those of the clips: then strides, the height of the hips and where
feet stand are right whatever the rest of the body is like. So legs say how large somebody's world is, and trunk and arms are only longer
or shorter beside them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.motion.body import SIDES
from kinegraph.motion.skeleton import Skeleton

LEGS, TRUNK, ARMS = range(3)
"""Columns of a build ``(N, 3)``: how long legs, trunk with the head, and arms are against the body of the graph."""
# the share of the stature that is legs: who has longer ones has a shorter trunk
_LEGS_SHARE = 0.53


def built(stature: Array, spread: Array, chance: np.random.Generator) -> Array:
    """``(N, 3)``: builds of people of ``stature (N,)`` whose proportions differ by ``spread (N,)``, to a hundredth.

    Who has longer legs has a shorter trunk, so that they are as tall; arms go half with the legs and half by themselves.
    """
    one, other = np.clip(chance.standard_normal((2, len(stature))), -2.0, 2.0)
    legs = 1.0 + spread * one
    trunk = 1.0 - spread * one * _LEGS_SHARE / (1.0 - _LEGS_SHARE)
    arms = 1.0 + spread * (0.5 * one + 0.87 * other)
    shares: Array = np.round(stature[:, None] * np.stack([legs, trunk, arms], axis=-1), 2)
    return shares


def parts_of(skeleton: Skeleton) -> Longs:
    """``(J,)``: to which part of a build each joint's bone, from its parent to it, belongs. What it has no roles for is the trunk.

    >>> import kinegraph as kg
    >>> body = kg.samples.make("walk").motion.skeleton
    >>> [int(parts_of(body)[body.joint(role)]) for role in ("left_knee", "head", "left_wrist")]
    [0, 1, 2]
    """
    parts = np.full(len(skeleton), TRUNK, np.int64)
    parts[0] = LEGS
    for side in SIDES:
        hip, shoulder = skeleton.roles.get(f"{side}_hip"), skeleton.roles.get(f"{side}_shoulder")
        if hip is not None:
            parts[skeleton.chain(0, hip) + skeleton.below(hip)] = LEGS
        if shoulder is not None:
            parts[skeleton.below(shoulder)] = ARMS
    return parts


def skins_of(skeleton: Skeleton) -> Longs:
    """``(J,)``: to which part what hangs on each joint belongs: as the bone that goes on from it, or as its own where it is the last."""
    parts = parts_of(skeleton)
    skins = np.array([parts[below[0]] if below else parts[joint] for joint, below in enumerate(skeleton.children)])
    skins[0] = LEGS
    return skins.astype(np.int64)


def offsets_of(skeleton: Skeleton, build: Array) -> Array:
    """``(N, J, 3)``: the offsets of people of ``build (N, 3)``, in metres."""
    offsets: Array = skeleton.offsets * build[:, parts_of(skeleton), None]
    return offsets


def skeleton_of(skeleton: Skeleton, build: Array) -> Skeleton:
    """The skeleton of one person of ``build (3,)``.

    >>> import kinegraph as kg
    >>> body = kg.samples.make("walk").motion.skeleton
    >>> round(skeleton_of(body, np.array([1.1, 0.9, 1.0])).leg_length / body.leg_length, 6)
    1.1
    """
    share = build[parts_of(skeleton)]
    # a tip is part of what hangs on the same joint, and a hand's or a foot's as its joint
    tips = skeleton.tip_offsets * share[skeleton.tip_parents, None]
    return replace(skeleton, offsets=skeleton.offsets * share[:, None], tip_offsets=tips)

"""Left and right exchanged: every walk to the left is also a walk to the right."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache

import numpy as np

from kinegraph.arrays import Array, Indices, frozen_array
from kinegraph.errors import MotionError
from kinegraph.motion.clip import Motion
from kinegraph.motion.skeleton import Skeleton

# The ways in which tools mark a side in a joint's name; each is tried in turn, both ways.
_MARKS = (
    (re.compile(r"left", re.I), re.compile(r"right", re.I), "right"),
    (re.compile(r"(?<![a-z])l(?![a-z])", re.I), re.compile(r"(?<![a-z])r(?![a-z])", re.I), "r"),
    (re.compile(r"(?<![a-z])l(?=[A-Z])"), re.compile(r"(?<![a-z])r(?=[A-Z])"), "r"),
    (re.compile(r"^l(?=[a-z])", re.I), re.compile(r"^r(?=[a-z])", re.I), "r"),
)

# Offsets that differ from their mirror image by less than this (metres) are symmetric: a file's last digits.
_SYMMETRIC = 1e-6


def other_side(name: str) -> list[str]:
    """The names that the joint opposite ``name`` might have.

    >>> other_side("LeftUpLeg"), other_side("Bip01 R Hand"), other_side("lfemur"), other_side("foot_l")
    (['RightUpLeg'], ['Bip01 L Hand'], ['rfemur'], ['foot_r'])
    """
    found: list[str] = []
    for left, right, right_word in _MARKS:
        left_word = {"right": "left", "r": "l"}[right_word]
        for pattern, word in ((left, right_word), (right, left_word)):
            if match := pattern.search(name):
                swapped = name[: match.start()] + _like(match.group(), word) + name[match.end() :]
                if swapped not in found:
                    found.append(swapped)
        if found:
            break
    return found


def _like(pattern: str, word: str) -> str:
    """``word`` in the letter case of ``pattern``."""
    if pattern.isupper():
        return word.upper()
    return word.capitalize() if pattern[0].isupper() else word


def partners(skeleton: Skeleton) -> Indices:
    """For each joint ``(J,)`` its partner on the other side; a joint in the middle is its own partner.

    Partners are found by name, from the root downwards, so that a repeated name finds its partner in the right branch. If siblings
    share a name, they are paired in order: first with first, second with second.
    """

    def named(joints: tuple[int, ...]) -> dict[str, list[int]]:
        groups: dict[str, list[int]] = {}
        for joint in joints:
            groups.setdefault(skeleton.names[joint], []).append(joint)
        return groups

    partner = np.full(len(skeleton), -1, np.intp)
    partner[0] = 0
    for joint in range(len(skeleton)):
        if partner[joint] < 0:
            continue
        mine, theirs = skeleton.children[joint], skeleton.children[partner[joint]]
        seen: Counter[str] = Counter()
        for child in mine:
            name = skeleton.names[child]
            by_name = {other: same[seen[name]] for other, same in named(theirs).items() if len(same) > seen[name]}
            seen[name] += 1
            opposite = next((by_name[other] for other in other_side(name) if other in by_name), None)
            if opposite is None and partner[joint] == joint:
                opposite = child
            elif opposite is None:
                opposite = by_name.get(name)
            if opposite is None or len(skeleton.children[child]) != len(skeleton.children[opposite]):
                raise MotionError(
                    f"cannot mirror: {name!r} has no counterpart below {skeleton.names[partner[joint]]!r} with as many children"
                )
            partner[child] = opposite
    if np.any(partner[partner] != np.arange(len(partner))):
        odd = skeleton.names[int(np.flatnonzero(partner[partner] != np.arange(len(partner)))[0])]
        raise MotionError(f"cannot mirror: the names of the sides contradict each other at {odd!r}")
    for role, index in skeleton.roles.items():
        other = other_side(role)
        if other and other[0] in skeleton.roles and partner[index] != skeleton.roles[other[0]]:
            raise MotionError(
                f"cannot mirror: {role} is {skeleton.names[index]!r}, whose counterpart is not the {other[0]}"
            )
    return partner


def mirror(motion: Motion) -> Motion:
    """The motion reflected in the plane x = 0, left limbs doing what the right ones did.

    A symmetric body keeps its skeleton. A body whose sides differ gets the mirrored skeleton: `retarget` puts the motion back on the
    original one.

    >>> import kinegraph as kg
    >>> left = kg.samples.make("walk_left_medium").motion
    >>> [motion.heading()[-1].round(2).item() for motion in (left, kg.mirror(left))]   # radians, positive to the left
    [2.5, -2.5]
    """
    partner, reflected = _reflection(motion.skeleton)
    if reflected is None:
        reflected = motion.skeleton
    translations = motion.translations
    if translations is not None:
        translations = _flip(translations[:, partner])
    return replace(
        motion,
        skeleton=reflected,
        root=_flip(motion.root),
        rotations=motion.rotations[:, partner] * np.array([1.0, 1.0, -1.0, -1.0]),
        translations=translations,
    )


@lru_cache(maxsize=64)
def _reflection(skeleton: Skeleton) -> tuple[Indices, Skeleton | None]:
    """The counterparts of all joints, and the mirrored skeleton; None where that is the same."""
    partner = partners(skeleton)
    reflected = mirror_skeleton(skeleton, partner)
    # the root's own offset moves nothing, so it cannot make a body another
    if np.abs(reflected.offsets - skeleton.offsets)[1:].max(initial=0) < _SYMMETRIC and _same_tips(reflected, skeleton):
        return frozen_array(partner, np.intp), None
    return frozen_array(partner, np.intp), reflected


def mirror_skeleton(skeleton: Skeleton, partner: Indices | None = None) -> Skeleton:
    """The skeleton reflected in x = 0: each joint takes the mirrored offset of its counterpart."""
    if partner is None:
        partner = partners(skeleton)
    # a tip goes to the counterpart of its joint; the order by joint and then by place in the list stays
    return replace(
        skeleton,
        offsets=_flip(skeleton.offsets[partner]),
        tip_parents=partner[skeleton.tip_parents],
        tip_offsets=_flip(skeleton.tip_offsets),
    )


def _same_tips(a: Skeleton, b: Skeleton) -> bool:
    order_a = np.argsort(a.tip_parents, kind="stable")
    order_b = np.argsort(b.tip_parents, kind="stable")
    return bool(
        np.array_equal(a.tip_parents[order_a], b.tip_parents[order_b])
        and np.abs(a.tip_offsets[order_a] - b.tip_offsets[order_b]).max(initial=0) < _SYMMETRIC
    )


def _flip(points: Array) -> Array:
    flipped: Array = points * np.array([-1.0, 1.0, 1.0])
    return flipped

"""Feet and hands that do not hang on their limbs: animators move them as targets, and limbs reach for them.

Such files hang the targets, and poles that knees and elbows point at, on a joint that stays at the origin. A body's ankle hangs on its
knee: there it is put, where it is and turned as it is, and poles are left out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kinegraph.arrays import Indices
from kinegraph.motion import Skeleton, body, kinematics, rotation

if TYPE_CHECKING:
    from kinegraph.formats.raw import RawMotion

# The end of a limb hangs on its middle.
_ENDS = (("knee", "ankle"), ("elbow", "wrist"))
# Ends that move less than this on their limbs, relative to the longest bone, do not.
_RIGID = 1e-4


def hung(raw: RawMotion) -> RawMotion:
    """The motion with ankles below knees and wrists below elbows; all joints stay where they are, but for poles, which nothing hangs on."""
    found = _loose(raw.skeleton)
    if not found:
        return raw
    positions, orientations = raw.world()
    parents = raw.skeleton.parents.copy()
    for end, middle in found.items():
        parents[end] = middle
    top, kept = _kept(raw.skeleton, parents)
    parents[top] = -1
    order = _ordered(parents, kept)
    number = {joint: place for place, joint in enumerate(order)}
    above = np.array([number.get(int(parents[joint]), -1) for joint in order], np.intp)
    offsets = raw.skeleton.offsets.copy()
    shifts = np.tile(offsets, (len(raw.root), 1, 1)) if raw.translations is None else raw.translations.copy()
    for end, middle in found.items():
        away = rotation.rotate(rotation.inverse(orientations[:, middle]), positions[:, end] - positions[:, middle])
        offsets[end] = away.mean(axis=0)
        shifts[:, end] = away
    # what is folded into the root stays where it was
    offsets[top], shifts[:, top] = 0.0, 0.0
    shifts = shifts[:, order]
    rigid = np.ptp(shifts, axis=0).max() <= _RIGID * rotation.length(offsets).max()
    offsets = shifts.mean(axis=0) if rigid else offsets[order]
    roles = {role: number[joint] for role, joint in raw.skeleton.roles.items()}
    # legs hang on the hips, whatever else is called so
    if not {raw.skeleton.roles[f"{side}_hip"] for side in body.SIDES if raw.skeleton.has_roles(f"{side}_hip")} <= set(
        raw.skeleton.below(raw.skeleton.roles.get("hips", 0))
    ):
        roles["hips"] = 0
    tips = [tip for tip, joint in enumerate(raw.skeleton.tip_parents) if int(joint) in number]
    skeleton = Skeleton(
        names=tuple(raw.skeleton.names[joint] for joint in order),
        parents=above,
        offsets=offsets,
        tip_parents=np.array([number[int(raw.skeleton.tip_parents[tip])] for tip in tips], np.intp),
        tip_offsets=raw.skeleton.tip_offsets[tips],
        overrides=roles,
    )
    moved = replace(
        raw,
        skeleton=skeleton,
        root=positions[:, top],
        rotations=kinematics.local(skeleton, orientations[:, order]),
        translations=None if rigid else shifts,
    )
    names = ", ".join(raw.skeleton.names[end] for end in found)
    left_out = [name for joint, name in enumerate(raw.skeleton.names) if joint not in number]
    poles = f"; {', '.join(left_out)}, on which no part of the body hangs, left out" if left_out else ""
    return moved.noting(f"{names} hung beside the limbs, as targets do: put on the joints before them{poles}")


def _loose(skeleton: Skeleton) -> dict[int, int]:
    """Joints that end limbs without hanging on them → the middles of those limbs."""
    found = {}
    for side in body.SIDES:
        for middle, end in _ENDS:
            above, below = (skeleton.roles.get(f"{side}_{part}") for part in (middle, end))
            if above is None or below is None or below in skeleton.below(above) or above in skeleton.below(below):
                continue
            found[below] = above
    return found


def _kept(skeleton: Skeleton, parents: Indices) -> tuple[int, set[int]]:
    """The joint that carries all that have roles, and these, what hangs on them and what is between."""
    wanted = sorted(skeleton.roles.values())
    ways = [_way(joint, parents) for joint in wanted]
    top = next(joint for joint in ways[0] if all(joint in way for way in ways))
    kept = {below for joint in wanted for below in skeleton.below(joint)}
    for way in ways:
        kept.update(way[: way.index(top) + 1])
    return top, kept


def _way(joint: int, parents: Indices) -> list[int]:
    """The joint and all those above it, the root last."""
    way = [joint]
    while way[-1] > 0:
        way.append(int(parents[way[-1]]))
    return way


def _ordered(parents: Indices, kept: set[int]) -> list[int]:
    """Joints in the order of the file, but none before the one that it hangs on."""
    order: list[int] = []
    known = {-1}
    waiting = sorted(kept)
    while waiting:
        ready = [joint for joint in waiting if int(parents[joint]) in known]
        order += ready
        known.update(ready)
        waiting = [joint for joint in waiting if joint not in known]
    return order

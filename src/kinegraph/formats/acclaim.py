"""Acclaim skeletons: bones with a direction, a length, axes of their own and the rotations they may make.

A bone turns about its near end and carries its children at its far end. So bone B becomes a joint at the far end of B's
parent, and the far end of a last bone becomes a tip.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from kinegraph.arrays import Array, Indices, frozen_array
from kinegraph.formats.units import CMU_UNIT
from kinegraph.motion import Skeleton, euler

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Bone:
    """One bone. direction × length: its far end in the rest pose, file units. axis: radians, in ``axis_order``.

    An axis order XYZ means: turn about X first, then Y, then Z (the matrix is Rz Ry Rx). dof: the values that an AMC lists for
    this bone, in its order. limits: lowest and highest of each, as far as the file gives them; angles in radians.
    """

    name: str
    parent: int
    direction: Triple = (0.0, 0.0, 1.0)
    length: float = 0.0
    axis: Triple = (0.0, 0.0, 0.0)
    axis_order: str = "xyz"
    dof: tuple[str, ...] = ()
    limits: tuple[tuple[float, float], ...] = ()

    @property
    def end(self) -> Array:
        """The far end ``(3,)`` relative to the near one, rest pose."""
        return np.array(self.direction) * self.length

    @cached_property
    def frame(self) -> Array:
        """The bone's own axes as a quaternion ``(4,)``."""
        order = self.axis_order[::-1]
        turn: Array = frozen_array(euler.to_quaternion([self.axis["xyz".index(axis)] for axis in order], order))
        return turn


@dataclass(frozen=True)
class AcclaimSkeleton:
    """An ASF file. bones: depth first, the root at 0 (its ``axis`` is the file's initial orientation)."""

    bones: tuple[Bone, ...]
    position: Triple = (0.0, 0.0, 0.0)
    metres_per_unit: float = CMU_UNIT
    notices: tuple[str, ...] = field(default=(), compare=False)

    def skeleton(self) -> Skeleton:
        """The joints' tree in file units."""
        return self._skeleton

    @cached_property
    def _skeleton(self) -> Skeleton:
        parents = np.array([bone.parent for bone in self.bones])
        leaves = sorted(set(range(1, len(self.bones))) - set(parents.tolist()))
        offsets = [np.zeros(3)] + [
            self.bones[bone.parent].end if bone.parent else np.zeros(3) for bone in self.bones[1:]
        ]
        return Skeleton(
            names=tuple(bone.name for bone in self.bones),
            parents=parents,
            offsets=np.array(offsets),
            tip_parents=np.array(leaves, np.intp),
            tip_offsets=np.array([self.bones[leaf].end for leaf in leaves]).reshape(-1, 3),
        )

    def in_metres(self) -> Skeleton:
        """The joints' tree in metres, by the file's own unit."""
        return self.skeleton().scaled(self.metres_per_unit)


def from_skeleton(skeleton: Skeleton) -> tuple[AcclaimSkeleton, Indices]:
    """An Acclaim skeleton in CMU's unit with all rotations free, and the bone ``(J,)`` that stands for each joint.

    All children of a bone start at its one far end. Where a joint's children lie in several places, a fixed bone leads to each, as CMU's
    own ``lhipjoint`` does.
    """
    unit = CMU_UNIT
    taken = {"root"}
    bones = [Bone("root", -1, dof=("tx", "ty", "tz", "rx", "ry", "rz"))]
    bone_of = np.zeros(len(skeleton), np.intp)
    carrier = {0: 0}  # joint → the bone at whose far end its child starts
    for joint in skeleton.depth_first.tolist():
        children = skeleton.children[joint]
        tips = [skeleton.tip_offsets[tip] for tip in skeleton.tips_of[joint]]
        ends = [skeleton.offsets[child] for child in children] + tips
        shared = (
            ends[0] if joint and ends and all(np.allclose(end, ends[0], atol=1e-9) for end in ends) else np.zeros(3)
        )
        if joint:
            parent = carrier[joint]
            name = _unique(skeleton.names[joint], taken)
            bone_of[joint] = len(bones)
            bones.append(_bone(name, parent, shared / unit, ("rx", "ry", "rz")))
        here = int(bone_of[joint])
        for child in children:
            gap = skeleton.offsets[child] - shared
            carrier[child] = here
            if np.linalg.norm(gap) > 1e-9:
                carrier[child] = len(bones)
                bones.append(_bone(_unique(f"{skeleton.names[child]}_base", taken), here, gap / unit, ()))
        for tip in tips:
            if np.linalg.norm(tip - shared) > 1e-9:
                bones.append(_bone(_unique(f"{skeleton.names[joint]}_tip", taken), here, (tip - shared) / unit, ()))
    # bones were appended parent first, not depth first: the hierarchy section does not mind
    return AcclaimSkeleton(tuple(bones), metres_per_unit=unit), bone_of


def _bone(name: str, parent: int, end: Array, dof: tuple[str, ...]) -> Bone:
    return Bone(name, parent, direction=unit_vector(end.tolist()), length=float(np.linalg.norm(end)), dof=dof)


def _unique(name: str, taken: set[str]) -> str:
    """A name of one word that no other bone has and that an AMC cannot mistake for a number or a comment."""
    base = re.sub(r"[\s()#]+", "_", name).strip("_") or "bone"
    if not base[0].isalpha() or base.lower() in ("root", "begin", "end"):
        base = f"b_{base}"
    candidate, number = base, 1
    while candidate in taken:
        number += 1
        candidate = f"{base}_{number}"
    taken.add(candidate)
    return candidate


def unit_vector(direction: Sequence[float]) -> Triple:
    """A direction of length one; one without any length points along Z."""
    length = math.hypot(*direction)
    if not 0 < length < math.inf:
        return 0.0, 0.0, 1.0
    x, y, z = (value / length for value in direction)
    return x, y, z

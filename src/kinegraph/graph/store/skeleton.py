"""Between a `Skeleton` and the rows of a `.mog` file: joints, tips and roles."""

from __future__ import annotations

from collections.abc import Iterable
from types import NoneType
from typing import Any

import numpy as np

from kinegraph.graph.store.kinds import of_kinds
from kinegraph.motion.skeleton import Skeleton

Row = tuple[Any, ...]


def joint_rows(skeleton: Skeleton) -> list[Row]:
    """Name, parent (None for the root), and offset x, y, z of every joint."""
    parents = [None, *skeleton.parents[1:].tolist()]
    # a zero has no sign in SQLite
    return list(zip(skeleton.names, parents, *(skeleton.offsets + 0.0).T.tolist(), strict=True))


def tip_rows(skeleton: Skeleton) -> list[Row]:
    """Joint and offset x, y, z of every tip."""
    return list(zip(skeleton.tip_parents.tolist(), *(skeleton.tip_offsets + 0.0).T.tolist(), strict=True))


def role_rows(skeleton: Skeleton) -> list[Row]:
    """Role, joint, and whether the user gave it (1) or the joint's name did (0), in alphabetical order."""
    return [(role, int(joint), int(role in skeleton.overrides)) for role, joint in sorted(skeleton.roles.items())]


def skeleton_of(joints: Iterable[Row], tips: Iterable[Row], roles: Iterable[Row]) -> Skeleton:
    """The skeleton of rows as the other functions give them; of the roles those that were given."""
    joints = list(of_kinds(joints, str, (int, NoneType), float, float, float))
    tips = list(of_kinds(tips, int, float, float, float))
    roles = list(of_kinds(roles, str, int, int))
    return Skeleton(
        names=tuple(row[0] for row in joints),
        parents=np.array([-1 if row[1] is None else row[1] for row in joints], np.intp),
        offsets=np.array([row[2:] for row in joints], np.float64),
        tip_parents=np.array([row[0] for row in tips], np.intp),
        tip_offsets=np.array([row[1:] for row in tips], np.float64).reshape(-1, 3),
        overrides={role: joint for role, joint, given in roles if given},
    )

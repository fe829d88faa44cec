"""A skeleton: named joints in a tree, each at a fixed offset from its parent.

In the rest pose every joint's axes are parallel to the world's, so the offsets alone say how the skeleton looks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np

from kinegraph.arrays import Array, Indices, frozen_array
from kinegraph.errors import MotionError, RoleError
from kinegraph.frozen import Frozen
from kinegraph.motion import body

# metres of leg below which a skeleton is damaged: a thousandth of a millimetre
_SHORTEST_LEG = 1e-6


@dataclass(frozen=True, eq=False)
class Skeleton(Frozen):
    """J joints as flat arrays. A joint is identified by its index, since names may repeat.

    Tips are the ends of the last bones (toe tips, crown, fingertips): they have a position but no rotation.
    """

    names: tuple[str, ...]
    parents: Indices
    """``(J,)``: −1 for the root, which is joint 0. A parent comes before its children."""
    offsets: Array
    """``(J, 3)``: metres from the parent."""
    tip_parents: Indices = field(default_factory=lambda: np.zeros(0, np.intp))
    """``(E,)``: the joint that each tip hangs on."""
    tip_offsets: Array = field(default_factory=lambda: np.zeros((0, 3)))
    """``(E, 3)``: metres from that joint."""
    overrides: Mapping[str, int] = field(default_factory=dict)
    """Role → joint index, given by the user: these win over the naming tables."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "names", tuple(self.names))
        put(self, "parents", frozen_array(self.parents, np.intp))
        put(self, "offsets", frozen_array(self.offsets))
        put(self, "tip_parents", frozen_array(self.tip_parents, np.intp))
        put(self, "tip_offsets", frozen_array(np.reshape(self.tip_offsets, (-1, 3))))
        put(self, "overrides", MappingProxyType(dict(self.overrides)))
        count = len(self.names)
        if count == 0:
            raise MotionError("a skeleton needs at least one joint")
        if self.parents.shape != (count,) or self.offsets.shape != (count, 3):
            raise MotionError(
                f"{count} joint names need parents ({count},) and offsets ({count}, 3); "
                f"got {self.parents.shape} and {self.offsets.shape}"
            )
        if self.parents[0] != -1 or np.any(self.parents[1:] < 0) or np.any(self.parents[1:] >= np.arange(1, count)):
            raise MotionError("joint 0 must be the only root, and every parent must stand before its children")
        if self.tip_parents.shape != (len(self.tip_offsets),):
            raise MotionError(f"{len(self.tip_offsets)} tips need as many parents, got {self.tip_parents.shape}")
        if np.any(self.tip_parents < 0) or np.any(self.tip_parents >= count):
            raise MotionError("a tip hangs on a joint that does not exist")
        if not (np.isfinite(self.offsets).all() and np.isfinite(self.tip_offsets).all()):
            raise MotionError("an offset is not a finite number")
        for role, index in self.overrides.items():
            body.check_role(role)
            if not 0 <= index < count:
                raise RoleError(f"role {role!r} is given to joint {index}, but there are {count} joints")

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Skeleton) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    def __repr__(self) -> str:
        return f"Skeleton({len(self)} joints, {len(self.tip_parents)} tips, {self.naming or 'unknown naming'})"

    @cached_property
    def _digest(self) -> bytes:
        digest = hashlib.sha256(repr((self.names, sorted(self.roles.items()))).encode())
        # the root's own offset moves with the root: it does not make another body
        for array in (self.parents, self.offsets[1:] + 0.0, self.tip_parents, self.tip_offsets + 0.0):
            digest.update(array.tobytes())
        return digest.digest()

    @cached_property
    def _resolved(self) -> tuple[str, Mapping[str, int]]:
        return body.resolve(self.names, self.overrides, self.parents.tolist())

    @property
    def naming(self) -> str:
        """The naming convention that was recognised, or an empty string."""
        return self._resolved[0]

    @property
    def roles(self) -> Mapping[str, int]:
        """Body role → joint index, for the roles that were found."""
        return self._resolved[1]

    def joint(self, role: str) -> int:
        """Index of the joint with a body role; if there is none, a `RoleError` says what to do."""
        index = self.roles.get(body.check_role(role))
        if index is None:
            raise RoleError(
                f"no joint of this skeleton is known to be the {role}; name it with roles={{{role!r}: 'its joint'}} "
                f"(joints: {_shorten(self.names)})"
            )
        return index

    def has_roles(self, *roles: str) -> bool:
        """Whether every one of these body roles was found."""
        return all(role in self.roles for role in roles)

    def index(self, name: str) -> int:
        """Index of the first joint of that name."""
        try:
            return self.names.index(name)
        except ValueError:
            raise MotionError(f"no joint is called {name!r} (joints: {_shorten(self.names)})") from None

    def with_roles(self, roles: Mapping[str, str | int]) -> Skeleton:
        """The same skeleton with some roles given by the user, by joint name or index."""
        given = {role: self.index(joint) if isinstance(joint, str) else int(joint) for role, joint in roles.items()}
        return replace(self, overrides={**self.overrides, **given})

    def scaled(self, factor: float) -> Skeleton:
        """The same skeleton with every length multiplied by ``factor``."""
        return replace(self, offsets=self.offsets * factor, tip_offsets=self.tip_offsets * factor)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each joint the indices of its children."""
        lists: list[list[int]] = [[] for _ in self.names]
        for index, parent in enumerate(self.parents[1:], start=1):
            lists[parent].append(index)
        return tuple(map(tuple, lists))

    @cached_property
    def tips_of(self) -> tuple[tuple[int, ...], ...]:
        """For each joint the indices of the tips that hang on it."""
        lists: list[list[int]] = [[] for _ in self.names]
        for tip, parent in enumerate(self.tip_parents):
            lists[parent].append(tip)
        return tuple(map(tuple, lists))

    @cached_property
    def levels(self) -> tuple[Indices, ...]:
        """Joint indices by depth in the tree, the root first. All joints of one level can be computed at once."""
        depth = np.zeros(len(self), np.intp)
        for index, parent in enumerate(self.parents[1:], start=1):
            depth[index] = depth[parent] + 1
        order = np.argsort(depth, kind="stable")
        return tuple(np.split(order, np.cumsum(np.bincount(depth))[:-1]))

    @cached_property
    def rest(self) -> Array:
        """Joint positions ``(J, 3)`` of the rest pose with the root at the origin."""
        positions = np.zeros((len(self), 3))
        for index, parent in enumerate(self.parents[1:], start=1):
            positions[index] = positions[parent] + self.offsets[index]
        return positions

    @cached_property
    def depth_first(self) -> Indices:
        """All joint indices ``(J,)`` in the order of nested files: each joint, then everything below it."""
        order: list[int] = []
        stack = [0]
        while stack:
            order.append(stack.pop())
            stack.extend(reversed(self.children[order[-1]]))
        return np.array(order, np.intp)

    def chain(self, top: int, bottom: int) -> list[int]:
        """Joints from ``top`` down to ``bottom``, both included."""
        path = [bottom]
        while path[-1] != top:
            if path[-1] < top or self.parents[path[-1]] < 0:
                raise MotionError(
                    f"joint {bottom} ({self.names[bottom]}) does not hang below {top} ({self.names[top]})"
                )
            path.append(int(self.parents[path[-1]]))
        return path[::-1]

    def below(self, top: int) -> list[int]:
        """All joints that hang below ``top``, itself not included."""
        found = {top}
        for joint in range(top + 1, len(self)):
            if int(self.parents[joint]) in found:
                found.add(joint)
        return sorted(found - {top})

    def chain_length(self, top: int, bottom: int) -> float:
        """Summed bone length in metres from joint ``top`` down to joint ``bottom``."""
        return float(np.linalg.norm(self.offsets[self.chain(top, bottom)[1:]], axis=-1).sum())

    @cached_property
    def leg_length(self) -> float:
        """Mean length in metres of thigh and shin, from hip to ankle; a `MotionError` where they have none."""
        legs = [self.chain_length(self.joint(f"{side}_hip"), self.joint(f"{side}_ankle")) for side in body.SIDES]
        length = float(np.mean(legs))
        if length < _SHORTEST_LEG:
            raise MotionError("a skeleton's legs have no length")
        return length

    @property
    def stature(self) -> float:
        """Height of the standing body in metres, from its legs; 0 if the legs are not known.

        Hip to ankle is 0.491 of a person's height (Winter, "Biomechanics and Motor Control of Human Movement", table 4.1:
        thigh 0.245 and shin 0.246). Bone lengths are used because they do not depend on the rest pose.
        """
        try:
            return self.leg_length / 0.491
        except MotionError:
            return 0.0


def _shorten(names: Sequence[str], most: int = 40) -> str:
    shown = ", ".join(names[:most])
    return f"{shown}, … {len(names) - most} more" if len(names) > most else shown

"""`Examples`: captured strikes, aligned with each other in place and in time so that they can be added up frame by frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kinegraph.arrays import Array, Bools, frozen_array
from kinegraph.motion import kinematics, rotation
from kinegraph.motion.skeleton import Skeleton
from kinegraph.strikes.strike import CapturedStrike, Side, end_role


@dataclass(frozen=True, eq=False)
class Examples:
    """N strikes of one kind at the same T moments of the action, in the space's frame."""

    kind: str
    side: Side
    skeleton: Skeleton
    fps: float
    """Frames a second of what is made from them."""
    strikes: tuple[CapturedStrike, ...]
    """Where each was cut from."""
    hit: int
    """Which of the T moments is the hit."""
    root: Array
    """``(N, T, 3)``."""
    rotations: Array
    """``(N, T, J, 4)``: all of one joint are on one hemisphere."""
    times: Array
    """``(N, T)``: when each strike reaches each moment, in seconds from the hit, strictly increasing."""
    contacts: Bools
    """``(N, T, 4)``: when left heel, left ball, right heel and right ball stand on the floor."""

    def __post_init__(self) -> None:
        for name in ("root", "rotations", "times"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))
        object.__setattr__(self, "contacts", frozen_array(self.contacts, np.bool_))

    def __len__(self) -> int:
        return len(self.strikes)

    def __repr__(self) -> str:
        return f"Examples({len(self)} strikes at {self.moments} moments, {self.side} {self.kind}, {len(self.skeleton)} joints)"

    @property
    def moments(self) -> int:
        """T, the number of moments at which the strikes are sampled."""
        return int(self.root.shape[1])

    @cached_property
    def end(self) -> int:
        """The joint that strikes."""
        return self.skeleton.joint(end_role(self.kind, self.side))

    @cached_property
    def mean(self) -> Array:
        """The mean rotation of every joint at every moment, ``(T, J, 4)``."""
        return rotation.mean(self.rotations)

    @cached_property
    def turns(self) -> Array:
        """Every strike's rotations as rotation vectors from the mean, ``(N, T, J, 3)``, which can be weighted and added up."""
        return rotation.log(rotation.multiply(rotation.inverse(self.mean), self.rotations))

    @cached_property
    def hits(self) -> Array:
        """Where each strike hits, ``(N, 3)``."""
        at_hit = self.rotations[:, self.hit]
        return self.root[:, self.hit] + kinematics.from_root(self.skeleton, self.end, at_hit)

    @cached_property
    def ready_and_hit(self) -> Examples:
        """The strikes at only two moments, the ready pose and the hit."""
        two = [0, self.hit]
        return replace(
            self,
            hit=1,
            root=self.root[:, two],
            rotations=self.rotations[:, two],
            times=self.times[:, two],
            contacts=self.contacts[:, two],
        )

    def only(self, which: Sequence[int]) -> Examples:
        """Some of the strikes."""
        chosen = list(which)
        return replace(
            self,
            strikes=tuple(self.strikes[index] for index in chosen),
            root=self.root[chosen],
            rotations=self.rotations[chosen],
            times=self.times[chosen],
            contacts=self.contacts[chosen],
        )

    def without(self, index: int) -> Examples:
        """All strikes but one."""
        return self.only([other for other in range(len(self)) if other != index])

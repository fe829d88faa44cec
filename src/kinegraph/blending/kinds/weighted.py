"""Blends by weight: every joint goes from the outgoing pose to the incoming one by α, which grows from 0 to 1.

Root by interpolation and joints by slerp, Dirican 2014, (4.10) and (4.11). α is the weight of the *incoming* motion throughout; the
thesis' (4.13) is that of the outgoing one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from kinegraph.arrays import Array
from kinegraph.blending.arcs import arcs
from kinegraph.blending.named import register
from kinegraph.blending.parts import followed_roles, upper_body
from kinegraph.blending.stretch import Stretch, check_pair, elapsed
from kinegraph.blending.ways import near, way
from kinegraph.errors import GraphError
from kinegraph.motion import rotation
from kinegraph.motion.body import ROLES
from kinegraph.motion.skeleton import Skeleton


def anticipation(t: Array, constant: Array) -> Array:
    """α = (1 − (1 − t)^C)^(1/C), Dirican 2014, (4.14): C = 1 is linear, the larger C the quicker; ``t`` and C broadcast.

    >>> anticipation(np.array([0.0, 0.5, 1.0]), np.array(2.0)).round(4).tolist()
    [0.0, 0.866, 1.0]
    """
    alpha: Array = (1.0 - (1.0 - t) ** constant) ** (1.0 / constant)
    return alpha


def blended(outgoing: Stretch, incoming: Stretch, weights: Array) -> tuple[Array, Array]:
    """Root ``(..., L, 3)`` and rotations ``(..., L, J, 4)`` of two stretches by weights ``(L, J)``, the way joints go."""
    check_pair(outgoing, incoming)
    share = weights[:, :1]
    root = (1.0 - share) * outgoing.root[..., 1:-1, :] + share * incoming.root[..., 1:-1, :]
    here, there = outgoing.rotations[..., 1:-1, :, :], incoming.rotations[..., 1:-1, :, :]
    # slerp, written so that one arc holds for all frames
    apart = arcs(here, there)
    rotations = rotation.multiply(rotation.exp(weights[..., None] * apart), here)
    far = ~near(outgoing.skeleton, apart)
    if far.any():
        inner = slice(1, -1)
        there = there[far]
        ways = way(outgoing.skeleton, here[far], there, outgoing.usual_of(far, inner), incoming.usual_of(far, inner))
        vectors = ways.apart(here[far], ways.unrolled(there))
        rotations[far] = ways.rolled(ways.gone(here[far], weights[..., None] * vectors), weights)
    return root, rotations


@register("At an even pace; the velocity has a kink at both ends.", place=1)
@dataclass(frozen=True)
class Linear:
    """α = t, Dirican 2014, (4.12): the velocity has a kink at both ends."""

    name: ClassVar[str] = "linear"
    smooth: ClassVar[bool] = False

    def weights(self, skeleton: Skeleton, length: int) -> Array:
        """α ``(L, J)``."""
        return _alike(elapsed(length), skeleton)

    def mix(self, outgoing: Stretch, incoming: Stretch) -> tuple[Array, Array]:
        """Root ``(..., L, 3)`` and rotations ``(..., L, J, 4)`` of the transition."""
        return blended(outgoing, incoming, self.weights(outgoing.skeleton, outgoing.length))


@register("Slow at both ends, where the motions keep their velocity.", place=2)
@dataclass(frozen=True)
class Cubic:
    """α = 3t² − 2t³, whose slope is 0 at both ends: there the motions keep the velocity they have (Kovar et al. 2002, section 3.2)."""

    name: ClassVar[str] = "cubic"
    smooth: ClassVar[bool] = True

    def weights(self, skeleton: Skeleton, length: int) -> Array:
        """α ``(L, J)``."""
        t = elapsed(length)
        return _alike(t * t * (3.0 - 2.0 * t), skeleton)

    def mix(self, outgoing: Stretch, incoming: Stretch) -> tuple[Array, Array]:
        """Root ``(..., L, 3)`` and rotations ``(..., L, J, 4)`` of the transition."""
        return blended(outgoing, incoming, self.weights(outgoing.skeleton, outgoing.length))


@register("The upper body is ahead of the legs, as in people who are about to do something else.", place=3)
@dataclass(frozen=True)
class Anticipation:
    """α = (1 − (1 − t)^C)^(1/C) with a C for every joint: parts of the body with a larger C are ahead (Dirican 2014, 4.2.4.3).

    C is finite and above 0; 1 is linear. The thesis' own 0.5 for the upper body would make it late.
    """

    upper: float = field(default=2.0, metadata={"help": "How far the upper body is ahead; 1 is even."})
    """C of the upper body. The root's position goes with the root joint."""
    lower: float = field(default=1.0, metadata={"help": "How far the lower body is ahead; 1 is even."})
    """C of the lower body."""
    joints: Mapping[str, float] = field(
        default_factory=dict, hash=False, metadata={"help": "The same by body role, or by the name of a joint."}
    )
    """C by body role, which joints without a role take from the joint above them; or by a joint's name, for that joint alone."""
    steepest: float = field(
        default=1.8, metadata={"help": "How many times the even pace no joint exceeds when it changes over."}
    )
    """For C = 2 the curve begins upright, and a head that does half of its way in the first frame is seen to jerk. With 1.8 the curve
    is the thesis' own from t = 0.47 on, with `math.inf` throughout.
    """

    name: ClassVar[str] = "anticipation"
    smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for what, constant in (("upper", self.upper), ("lower", self.lower), *self.joints.items()):
            if not isinstance(constant, int | float) or not math.isfinite(constant) or constant <= 0:
                raise GraphError(
                    f"the anticipation constant C of {what!r} must be a finite number above 0 (1 is linear, 2 is quick), got {constant!r}"
                )
        if not self.steepest >= 1:
            raise GraphError(f"anticipation: the steepest pace must be 1 (even) or more, got {self.steepest!r}")
        object.__setattr__(self, "joints", MappingProxyType(dict(self.joints)))

    def __reduce__(self) -> tuple[Any, ...]:
        # pickled by its parts: a mapping proxy cannot be
        return Anticipation, (self.upper, self.lower, dict(self.joints), self.steepest)

    def constants(self, skeleton: Skeleton) -> Array:
        """C ``(J,)`` of every joint of a skeleton; a `GraphError` where a constant is given to what is neither role nor joint."""
        names = set(skeleton.names)
        for key in self.joints:
            if key not in names and key not in skeleton.roles:
                why = (
                    "this skeleton has no joint of that role" if key in ROLES else "no body role or joint is called so"
                )
                raise GraphError(
                    f"anticipation: {key!r} has a constant, but {why} (joints: {', '.join(skeleton.names)})"
                )
        constants = np.where(upper_body(skeleton), self.upper, self.lower)
        for joint, (name, roles) in enumerate(zip(skeleton.names, followed_roles(skeleton), strict=True)):
            for key in (name, *roles):
                if key in self.joints:
                    constants[joint] = self.joints[key]
                    break
        return constants

    def weights(self, skeleton: Skeleton, length: int) -> Array:
        """α ``(L, J)``."""
        t = elapsed(length)[:, None]
        return np.clip(anticipation(t, self.constants(skeleton)), 1.0 - self.steepest * (1.0 - t), self.steepest * t)

    def mix(self, outgoing: Stretch, incoming: Stretch) -> tuple[Array, Array]:
        """Root ``(..., L, 3)`` and rotations ``(..., L, J, 4)`` of the transition."""
        return blended(outgoing, incoming, self.weights(outgoing.skeleton, outgoing.length))


def _alike(alpha: Array, skeleton: Skeleton) -> Array:
    """The same weight for all joints: ``(L,)`` to ``(L, J)``."""
    return np.repeat(alpha[:, None], len(skeleton), axis=1)

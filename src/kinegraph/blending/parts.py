"""Which joints are upper body: told by body roles and the tree, whatever a file calls its joints."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinegraph.motion.body import LOWER_BODY
from kinegraph.motion.skeleton import Skeleton


def followed_roles(skeleton: Skeleton) -> tuple[tuple[str, ...], ...]:
    """For each joint the roles it moves with: its own, or those of its nearest ancestor that has one; none above the first role."""
    own: list[tuple[str, ...]] = [() for _ in skeleton.names]
    for role, joint in skeleton.roles.items():
        own[joint] += (role,)
    for joint, parent in enumerate(skeleton.parents[1:].tolist(), start=1):
        own[joint] = own[joint] or own[parent]
    return tuple(own)


def upper_body(skeleton: Skeleton) -> NDArray[np.bool_]:
    """``(J,)``: True for spine, head and arms and what hangs on them, False for hips and legs and for joints that follow no role.

    A leg that hangs on the spine, as some tools have it, is still a leg.
    """
    return np.array([bool(roles) and LOWER_BODY.isdisjoint(roles) for roles in followed_roles(skeleton)])

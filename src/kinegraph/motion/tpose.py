"""The T-pose: legs down, arms out, feet ahead. Game engines and other tools like to find it in a clip's first frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import RoleError
from kinegraph.motion import body, kinematics, rotation
from kinegraph.motion.clip import Motion, concatenate
from kinegraph.motion.skeleton import Skeleton

# Where bones point: from the first role of a pair to the second. +X is the left.
_UP, _DOWN, _LEFT, _AHEAD = np.array([[0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
_SPINE = (("hips", "spine", _UP), ("spine", "chest", _UP), ("chest", "neck", _UP), ("neck", "head", _UP))


def _bones() -> list[tuple[str, str, Array]]:
    limbs = []
    for side, out in (("left", _LEFT), ("right", -_LEFT)):
        legs = (("hip", "knee", _DOWN), ("knee", "ankle", _DOWN), ("ankle", "toe", _AHEAD))
        arms = (("shoulder", "elbow", out), ("elbow", "wrist", out))
        limbs += [(f"{side}_{a}", f"{side}_{b}", way) for a, b, way in (*legs, *arms)]
    return [*_SPINE, *limbs]


def t_pose(skeleton: Skeleton) -> Array:
    """Local rotations ``(J, 4)`` of a skeleton that stands in a T-pose facing +Z.

    Bones between known roles are turned into place, and the trunk is turned as a whole. Everything else is as in the skeleton's own
    rest pose.
    """
    lacking = [role for role in body.ESSENTIAL if role not in skeleton.roles]
    if lacking:
        raise RoleError(f"a T-pose needs {', '.join(lacking)}: name them with roles={{role: joint}}")
    rotations = rotation.identity(len(skeleton))
    rotations[0] = _stood(skeleton)
    for above, below, way in _bones():
        if not skeleton.has_roles(above, below):
            continue
        top, end = skeleton.joint(above), skeleton.joint(below)
        places, turns = kinematics.forward(skeleton, np.zeros(3), rotations)
        along = places[end] - places[top]
        if np.linalg.norm(along) < 1e-6:
            continue
        if above.endswith("ankle"):
            # a foot keeps its slope: only its way over the floor is turned
            along = along * [1.0, 0.0, 1.0]
        turn = rotation.between(along, way)
        parent = int(skeleton.parents[top])
        outer = rotation.identity() if parent < 0 else turns[parent]
        rotations[top] = rotation.multiply(rotation.inverse(outer), rotation.multiply(turn, turns[top]))
    return rotations


def with_t_pose(motion: Motion) -> Motion:
    """The motion with a T-pose before its first frame, standing on the floor at the same place."""
    pose = t_pose(motion.skeleton)
    root = motion.root[:1].copy()
    first = replace(motion[:1], rotations=pose[None], translations=None, root=root * [1.0, 0.0, 1.0])
    feet = [motion.skeleton.joint(role) for role in motion.skeleton.roles if role.endswith(("ankle", "toe"))]
    # as high over the floor as the lowest foot of the motion is at its lowest
    low = float(first.positions[0, feet, 1].min()) - float(motion.positions[:, feet, 1].min())
    first = replace(first, root=first.root - [0.0, low, 0.0])
    if motion.translations is not None:
        offsets = np.broadcast_to(motion.skeleton.offsets, (1, len(motion.skeleton), 3))
        first = replace(first, translations=np.array(offsets))
    return concatenate([first, motion])


def _stood(skeleton: Skeleton) -> Array:
    """The turn ``(4,)`` of the root that has the body upright, its left to +X."""
    places, _ = kinematics.forward(skeleton, np.zeros(3), rotation.identity(len(skeleton)))
    hips = places[skeleton.joint("left_hip")], places[skeleton.joint("right_hip")]
    left = hips[0] - hips[1]
    top = next((skeleton.joint(role) for role in ("chest", "neck", "head") if skeleton.has_roles(role)), None)
    ankles = 0.5 * (places[skeleton.joint("left_ankle")] + places[skeleton.joint("right_ankle")])
    up = (places[top] if top is not None else 0.5 * (hips[0] + hips[1])) - ankles
    left = left / max(float(np.linalg.norm(left)), 1e-9)
    up = up - (up @ left) * left
    up = up / max(float(np.linalg.norm(up)), 1e-9)
    axes = np.stack([left, up, np.cross(left, up)])
    return rotation.from_matrix(axes)

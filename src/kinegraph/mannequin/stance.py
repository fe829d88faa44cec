"""The pose a figure is made in: a person who stands, which gives clean surfaces near the joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array
from kinegraph.mannequin.loft import squared
from kinegraph.motion import Motion, Skeleton, body, kinematics, rotation

# A limb that points the right way within this cosine belongs to somebody who stands.
_UPRIGHT = 0.5
# A rest pose that leans more than this from the vertical is turned upright as a whole.
_LEANS = np.cos(np.deg2rad(30.0))
# Frames of a motion that are looked at for a stance.
_MOST_LOOKS = 200

# Where bones lead and which way they point in a stance that has to be built: X left, Y up, Z ahead; X is turned over on the right.
_DIRECTIONS = {
    "spine": ("chest", (0.0, 1.0, 0.0)),
    "chest": ("neck", (0.0, 1.0, 0.0)),
    "neck": ("head", (0.0, 1.0, 0.0)),
    "collar": ("shoulder", (1.0, 0.0, 0.0)),
    "shoulder": ("elbow", (1.0, 0.0, 0.0)),
    "elbow": ("wrist", (1.0, 0.0, 0.0)),
    "hip": ("knee", (0.0, -1.0, 0.0)),
    "knee": ("ankle", (0.0, -1.0, 0.0)),
    "ankle": ("toe", (0.0, -0.3, 1.0)),
}


@dataclass(frozen=True)
class Standing:
    """Somebody who stands. Left, up and ahead are unit vectors ``(3,)``, the body's own axes."""

    skeleton: Skeleton
    rotations: Array
    """``(J, 4)``, local to the parent."""
    positions: Array
    """``(J, 3)``, in the world."""
    orientations: Array
    """``(J, 4)``, in the world."""
    tips: Array
    """``(E, 3)``, in the world."""
    left: Array
    up: Array
    ahead: Array

    def place(self, role: str) -> Array:
        """Position ``(3,)`` of the joint with a body role."""
        place: Array = self.positions[self.skeleton.joint(role)]
        return place


def find_stance(skeleton: Skeleton, motion: Motion | None = None) -> Standing:
    """The rest pose if it is a standing one (turned upright if need be); else the motion's best frame; else a pose built from body roles.

    If the legs of a skeleton are not known, its rest pose is taken as it is.
    """
    rest = rotation.identity(len(skeleton))
    if not skeleton.has_roles(*body.ESSENTIAL):
        return _posed(skeleton, rest, np.eye(3))
    rest_places = kinematics.forward(skeleton, skeleton.offsets[0], rest)[0]
    if _standing(skeleton, rest_places[None])[0] > _UPRIGHT:
        axes = _axes(skeleton, rest_places[None])[0]
        if axes[1, 1] < _LEANS:
            rest[0] = rotation.inverse(rotation.from_matrix(axes.T))
        return _posed(skeleton, rest, axes if axes[1, 1] >= _LEANS else np.eye(3))
    if motion is not None:
        step = max(1, len(motion) // _MOST_LOOKS)
        scores = _standing(skeleton, motion.positions[::step])
        frame = step * int(np.argmax(scores))
        if scores.max() > _UPRIGHT:
            return _turned_ahead(skeleton, motion.rotations[frame].copy())
    return _turned_ahead(skeleton, _built(skeleton))


def _posed(skeleton: Skeleton, rotations: Array, axes: Array) -> Standing:
    positions, orientations = kinematics.forward(skeleton, skeleton.offsets[0], rotations)
    tips = kinematics.tips(skeleton, positions, orientations)
    return Standing(skeleton, rotations, positions, orientations, tips, *axes)


def _turned_ahead(skeleton: Skeleton, rotations: Array) -> Standing:
    """A pose turned about the vertical to face +Z."""
    places = kinematics.forward(skeleton, skeleton.offsets[0], rotations)[0]
    ahead = _axes(skeleton, places[None])[0, 2]
    rotations[0] = rotation.multiply(rotation.about_y(-np.arctan2(ahead[0], ahead[2])), rotations[0])
    places = kinematics.forward(skeleton, skeleton.offsets[0], rotations)[0]
    return _posed(skeleton, rotations, _axes(skeleton, places[None])[0])


def _axes(skeleton: Skeleton, positions: Array) -> Array:
    """Rows left, up and ahead ``(F, 3, 3)`` of bodies at ``positions (F, J, 3)``: up is from the hips to the top of the trunk."""
    left_hip, right_hip = (positions[:, skeleton.joint(f"{side}_hip")] for side in body.SIDES)
    top = next((skeleton.roles[role] for role in ("neck", "head", "chest", "spine") if role in skeleton.roles), None)
    middle = 0.5 * (left_hip + right_hip)
    up = _unit(positions[:, top] - middle if top is not None else positions[:, 0] - middle, [0.0, 1.0, 0.0])
    left = left_hip - right_hip
    left = left - np.einsum("fi,fi->f", left, up)[:, None] * up
    # hips in one place have no left and right: any will do
    some_left = squared(np.array([1.0, 0.0, 0.0]), up)
    left = _unit(np.where(rotation.length(left)[:, None] > 1e-9, left, some_left), [1.0, 0.0, 0.0])
    return np.stack([left, up, rotation.cross(left, up)], axis=1)


def _standing(skeleton: Skeleton, positions: Array) -> Array:
    """How well ``(F,)`` bodies stand, at most 1: the cosine of the limb that is least in place."""
    up = _axes(skeleton, positions)[:, 1]
    scores = []
    for side in body.SIDES:
        hip, knee, ankle = (positions[:, skeleton.joint(f"{side}_{part}")] for part in ("hip", "knee", "ankle"))
        for top, bottom in ((hip, knee), (knee, ankle)):
            scores.append(np.einsum("fi,fi->f", up, _unit(top - bottom, [0.0, -1.0, 0.0])))
    if skeleton.has_roles("head"):
        pelvis = 0.5 * sum(positions[:, skeleton.joint(f"{side}_hip")] for side in body.SIDES)
        scores.append(np.einsum("fi,fi->f", up, _unit(positions[:, skeleton.joint("head")] - pelvis, [0.0, -1.0, 0.0])))
    least: Array = np.min(scores, axis=0)
    return least


def _built(skeleton: Skeleton) -> Array:
    """Local rotations ``(J, 4)`` of a T-pose, bone by bone with the smallest turn."""
    role_of = {joint: role for role, joint in skeleton.roles.items()}
    axes = _axes(skeleton, skeleton.rest[None])[0]
    turns = rotation.identity(len(skeleton))
    for joint, parent in enumerate(skeleton.parents):
        turns[joint] = turns[parent] if joint else rotation.inverse(rotation.from_matrix(axes.T))
        side, _, part = role_of.get(joint, "").rpartition("_")
        if part not in _DIRECTIONS:
            continue
        leads_to, direction = _DIRECTIONS[part]
        end = skeleton.roles.get(f"{side}_{leads_to}" if side else leads_to)
        if end is None:
            continue
        bone = rotation.rotate(turns[joint], skeleton.rest[end] - skeleton.rest[joint])
        wanted = np.array(direction) * ([-1.0, 1.0, 1.0] if side == "right" else [1.0, 1.0, 1.0])
        turns[joint] = rotation.multiply(rotation.between(bone, wanted), turns[joint])
    return kinematics.local(skeleton, turns)


def _unit(v: Array, otherwise: Sequence[float]) -> Array:
    """Vectors ``(F, 3)`` of unit length; ``otherwise`` where they have none."""
    size = rotation.length(v)[:, None]
    return np.where(size > 1e-9, v / np.maximum(size, 1e-9), otherwise)

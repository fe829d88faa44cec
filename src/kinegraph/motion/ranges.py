"""How far joints go beyond what they do in the clips a motion is made from: an arm over the head that nobody ever raised is seen here.

What a joint does is told in two ways. Its *rotation* against the joint above it, as a rotation vector about the joint's mean in the clips,
tells bends and rolls. The *direction* of its bone as the trunk sees it, on the sphere laid flat about its mean, tells where a limb is,
however the file rolls its bones. In both the range is the convex hull of all that the clips do: what lies between two poses of the clips is
no stranger than they are, so a blend that takes the way between them is inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools, Indices
from kinegraph.motion import rotation
from kinegraph.motion.body import LOWER_BODY, SIDES
from kinegraph.motion.clip import Motion, pose_together
from kinegraph.motion.skeleton import Skeleton

# A hull is told by how far it reaches in so many directions; between two of them it is taken for at most 3 per cent larger than it is.
_WAYS_ROUND = 16
_WAYS_IN_SPACE = 96


@dataclass(frozen=True)
class Beyond:
    """Where a motion goes furthest beyond its clips.

    >>> str(Beyond("LeftArm", 12, 31.4))
    'LeftArm 31° beyond at frame 12'
    """

    joint: str
    """Its name in the skeleton."""
    frame: int
    degrees: float
    """0 if no joint ever leaves its range; then the joint and the frame say nothing."""

    def __str__(self) -> str:
        return f"{self.joint} {self.degrees:.0f}° beyond at frame {self.frame}"


@dataclass(frozen=True, eq=False)
class Ranges:
    """What the joints of a skeleton do in some clips. Only joints with a body role count, toes aside, or all but the root if
    there are no roles."""

    skeleton: Skeleton
    joints: Indices
    """``(N,)``: the joints that are told by their rotation."""
    middle: Array
    """``(N, 4)``: mean rotation of each."""
    reach: Array
    """``(N, K)``: how far its range goes from there in each of K directions, in radians."""
    bones: Indices
    """``(B, 2)``: the joints, and the joint at the other end of their bone, that are told by the direction of the bone."""
    heart: Array
    """``(B, 4)``: the rotation that lays +Y along the mean direction of each."""
    spread: Array
    """``(B, K)``: how far its range goes from there in each of K directions, in radians."""

    def beyond(self, motion: Motion) -> Array:
        """How far each joint is beyond its range at each frame ``(F, J)``, in degrees; 0 within it, and for joints that do not count."""
        out = np.zeros((len(motion), len(self.skeleton)))
        turns = _coordinates(motion, self.joints, self.middle)
        out[:, self.joints] = (turns @ _IN_SPACE.T - self.reach).max(axis=-1)
        if len(self.bones):
            flat = _laid_flat(_directions(motion, self.bones), self.heart)
            # a joint may lead several bones: the worst of them counts
            aside = (flat @ _ROUND.T - self.spread).max(axis=-1)
            for bone, joint in enumerate(self.bones[:, 0].tolist()):
                np.maximum(out[:, joint], aside[:, bone], out=out[:, joint])
        return np.degrees(np.maximum(out, 0.0))

    def worst(self, motion: Motion, frames: Bools | None = None) -> Beyond:
        """The joint and the frame that are furthest beyond. frames ``(F,)``: those that are looked at; all unless given."""
        beyond = self.beyond(motion)
        if frames is not None:
            beyond = np.where(frames[:, None], beyond, 0.0)
        frame, joint = np.unravel_index(int(beyond.argmax()), beyond.shape)
        return Beyond(self.skeleton.names[joint], int(frame), float(beyond[frame, joint]))


def ranges_of(motions: Sequence[Motion], sound: Sequence[Bools] | None = None) -> Ranges:
    """The ranges of some motions of one skeleton. sound: for each motion the frames ``(F,)`` that count; all unless given."""
    skeleton = motions[0].skeleton
    if all(motion.translations is None for motion in motions):
        pose_together(motions)
    kept = [np.ones(len(motion), bool) for motion in motions] if sound is None else sound
    # toes that sink into the floor in a capture are curled up where feet are cleaned: that is no fault
    known = {joint for role, joint in skeleton.roles.items() if not role.endswith("_toe")}
    joints = np.array(sorted(known - {0}) or range(1, len(skeleton)), np.intp)
    middle = rotation.mean(np.concatenate([m.rotations[k][:, joints] for m, k in zip(motions, kept, strict=True)]))
    turns = [_coordinates(motion, joints, middle)[own] for motion, own in zip(motions, kept, strict=True)]
    reach = np.max([(some @ _IN_SPACE.T).max(axis=0) for some in turns if len(some)], axis=0)
    bones = _bones(skeleton)
    directions = np.concatenate([_directions(m, bones)[k] for m, k in zip(motions, kept, strict=True)])
    heart = rotation.between(np.array([0.0, 1.0, 0.0]), directions.mean(axis=0))
    spread = (_laid_flat(directions, heart) @ _ROUND.T).max(axis=0)
    return Ranges(skeleton, joints, middle, reach, bones, heart, spread)


def _coordinates(motion: Motion, joints: Indices, middle: Array) -> Array:
    """Rotation vectors ``(F, N, 3)`` of joints about the middle ``(N, 4)`` of each."""
    return rotation.log(rotation.multiply(rotation.inverse(middle), motion.rotations[:, joints]))


def _bones(skeleton: Skeleton) -> Indices:
    """``(B, 2)``: limbs and neck by their two ends, where the trunk is known that they are seen from."""
    if not skeleton.has_roles("hips", "left_hip", "right_hip") or _top(skeleton) is None:
        return np.zeros((0, 2), np.intp)
    limbs = [("neck", "head")]
    for side in SIDES:
        for above, below in (("hip", "knee"), ("knee", "ankle"), ("ankle", "toe")):
            limbs.append((f"{side}_{above}", f"{side}_{below}"))
        if skeleton.has_roles("left_shoulder", "right_shoulder"):
            limbs += [(f"{side}_shoulder", f"{side}_elbow"), (f"{side}_elbow", f"{side}_wrist")]
    ends = [(skeleton.roles[a], skeleton.roles[b]) for a, b in limbs if skeleton.has_roles(a, b)]
    return np.array(ends, np.intp).reshape(-1, 2)


def _top(skeleton: Skeleton) -> int | None:
    """The joint from which the hips lie straight below."""
    return next((skeleton.roles[role] for role in ("neck", "chest", "head", "spine") if role in skeleton.roles), None)


def _directions(motion: Motion, bones: Indices) -> Array:
    """Unit vectors ``(F, B, 3)`` along bones as the trunk sees them: legs from the pelvis, all else from the shoulders."""
    if not len(bones):
        return np.zeros((len(motion), 0, 3))
    skeleton = motion.skeleton
    up = motion.positions[:, _top(skeleton)] - motion.positions[:, skeleton.joint("hips")]
    pelvis = _axes(motion, "hip", up)
    chest = _axes(motion, "shoulder", up) if skeleton.has_roles("left_shoulder", "right_shoulder") else pelvis
    legs = {joint for role, joint in skeleton.roles.items() if role in LOWER_BODY}
    along = _unit(motion.positions[:, bones[:, 1]] - motion.positions[:, bones[:, 0]])
    is_leg = np.array([joint in legs for joint in bones[:, 0].tolist()])
    seen = np.empty_like(along)
    for axes, some in ((pelvis, is_leg), (chest, ~is_leg)):
        seen[:, some] = np.einsum("fki,fbi->fbk", axes, along[:, some])
    return seen


def _axes(motion: Motion, role: str, up: Array) -> Array:
    """Rows ``(F, 3, 3)``: to the left, up along the trunk, and forward; left is told by the joints of a role on both sides."""
    across = motion.position(f"left_{role}") - motion.position(f"right_{role}")
    up, forward = _unit(up), _unit(rotation.cross(across, up))
    return np.stack([rotation.cross(up, forward), up, forward], axis=-2)


def _laid_flat(directions: Array, heart: Array) -> Array:
    """Directions ``(F, B, 3)`` as points ``(F, B, 2)`` about the mean one: how far from it, and to which side."""
    seen = rotation.rotate(rotation.inverse(heart), directions)
    aside = seen[..., [0, 2]]
    sine = rotation.length(aside)
    angle = np.arctan2(sine, seen[..., 1])
    flat: Array = aside * (angle / np.maximum(sine, 1e-12))[..., None]
    return flat


def _unit(v: Array) -> Array:
    unit: Array = v / np.maximum(rotation.length(v), 1e-12)[..., None]
    return unit


def _round(count: int) -> Array:
    """``(K, 2)``: directions all round."""
    angles = 2.0 * np.pi * np.arange(count) / count
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


def _in_space(count: int) -> Array:
    """``(K, 3)``: directions spread evenly over the sphere, along a spiral."""
    height = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    angles = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(count)
    aside = np.sqrt(1.0 - height**2)
    return np.stack([aside * np.cos(angles), height, aside * np.sin(angles)], axis=-1)


_ROUND = _round(_WAYS_ROUND)
_IN_SPACE = _in_space(_WAYS_IN_SPACE)

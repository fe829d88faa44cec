"""From what the performer intends (pelvis, chest, gaze, feet, hands) to the rotation of every joint."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array
from kinegraph.motion import kinematics, rotation
from kinegraph.motion.body import SIDES
from kinegraph.motion.clip import Motion
from kinegraph.samples.body import FOREARM, HIP_DROP, HIP_WIDTH, LEG, SHIN, THIGH, UPPER_ARM, skeleton
from kinegraph.samples.curves import FPS
from kinegraph.samples.feet import X_AXIS, FootTrack

Y_AXIS = np.array([0.0, 1.0, 0.0])
Z_AXIS = np.array([0.0, 0.0, 1.0])

# How the bend from pelvis to chest is shared out from the spine upwards, and that from chest to head between neck and head.
_SPINE_SHARE = (("spine", 0.3), ("upper_spine", 0.65), ("chest", 1.0))
_NECK_SHARE = 0.45


def turn(yaw: ArrayLike, pitch: ArrayLike = 0.0, roll: ArrayLike = 0.0) -> Array:
    """Rotation ``(..., 4)``: roll about Z (left side up), then pitch about X (forwards), then yaw about Y (to the left)."""
    roll, pitch = np.asarray(roll, dtype=np.float64), np.asarray(pitch, dtype=np.float64)
    tilted = rotation.multiply(rotation.from_axis_angle(X_AXIS, pitch), rotation.from_axis_angle(Z_AXIS, roll))
    return rotation.multiply(rotation.about_y(yaw), tilted)


@dataclass(frozen=True)
class Trunk:
    """root ``(F, 3)`` and the world orientations ``(F, 4)`` of pelvis, chest and head."""

    root: Array
    pelvis: Array
    chest: Array
    head: Array

    def hip(self, side: int) -> Array:
        """World position ``(F, 3)`` of the hip joint; side is 0 for left, 1 for right."""
        return self.root + rotation.rotate(self.pelvis, hip_offset(side))


def hip_offset(side: int) -> Array:
    """The hip joint in the pelvis's frame ``(3,)``."""
    return np.array([HIP_WIDTH if side == 0 else -HIP_WIDTH, -HIP_DROP, 0.0])


@dataclass(frozen=True)
class Arm:
    """Local rotations ``(F, 4)`` of one arm's joints."""

    collar: Array
    shoulder: Array
    elbow: Array
    wrist: Array
    fingers: Array


def sideways(heading: Array) -> Array:
    """The direction ``(F, 3)`` to the left of a heading ``(F,)``. A knee that points along the heading bends about it."""
    return np.stack([np.cos(heading), np.zeros_like(heading), -np.sin(heading)], axis=-1)


def leg_headroom(ankle: Array, root: Array, pelvis: Array, side: int, stretch: float) -> Array:
    """The greatest height ``(F,)`` of the root at which the leg to ``ankle (F, 3)`` uses no more than ``stretch`` of its full length.

    Of ``root (F, 3)`` only the floor coordinates matter.
    """
    hip = rotation.rotate(pelvis, hip_offset(side))
    across = root[:, [0, 2]] + hip[:, [0, 2]] - ankle[:, [0, 2]]
    room = (stretch * LEG) ** 2 - np.sum(across**2, axis=-1)
    height: Array = ankle[:, 1] + np.sqrt(np.maximum(room, (0.3 * LEG) ** 2)) - hip[:, 1]
    return height


def headroom(feet: tuple[FootTrack, FootTrack], root: Array, pelvis: Array, stretch: float) -> Array:
    """The greatest height ``(F,)`` of the root that both legs allow; see `leg_headroom`."""
    left, right = (leg_headroom(feet[side].ankle, root, pelvis, side, stretch) for side in (0, 1))
    return np.minimum(left, right)


def middle(top: Array, end: Array, pole: Array, upper: float, lower: float) -> Array:
    """The position ``(F, 3)`` of the knee or elbow of a two-bone limb that bends towards ``pole (F, 3)``."""
    along = end - top
    distance = np.linalg.norm(along, axis=-1, keepdims=True)
    along = along / distance
    beside = pole - np.sum(pole * along, axis=-1, keepdims=True) * along
    beside = beside / np.linalg.norm(beside, axis=-1, keepdims=True)
    ahead = (distance**2 + upper**2 - lower**2) / (2 * distance)
    out: Array = top + along * ahead + beside * np.sqrt(np.maximum(upper**2 - ahead**2, 0.0))
    return out


def bones(top: Array, joint: Array, end: Array, rest: Array, hinge: Array) -> tuple[Array, Array]:
    """World orientations ``(F, 4)`` of the upper and lower bone of a limb.

    In the rest pose its bones lie along ``rest (3,)`` and its joint bends about ``hinge (3,)``.
    """
    upper, lower = joint - top, end - joint
    axis = np.cross(upper, lower)
    return _frame(upper, axis, rest, hinge), _frame(lower, axis, rest, hinge)


def _frame(bone: Array, axis: Array, rest: Array, hinge: Array) -> Array:
    bone = bone / np.linalg.norm(bone, axis=-1, keepdims=True)
    axis = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
    world = np.stack([bone, axis, np.cross(bone, axis)], axis=-1)
    own = np.stack([rest, hinge, np.cross(rest, hinge)], axis=-1)
    return rotation.from_matrix(world @ own.T)


def hanging_arm(
    side: int,
    forward: Array,
    out: Array,
    elbow: Array,
    inward: ArrayLike = 0.25,
    curl: ArrayLike = 0.45,
    shrug: ArrayLike = 0.0,
) -> Arm:
    """An arm by its angles ``(F,)``: with all at 0 it hangs straight down, palm to the thigh.

    forward: flexion at the shoulder. out: abduction. elbow: flexion. inward: turn of the upper arm towards the body's middle. curl:
    of the fingers. shrug: the collar upwards.
    """
    frames = len(forward)
    inward, curl, shrug = (np.broadcast_to(np.asarray(x, dtype=np.float64), frames) for x in (inward, curl, shrug))
    hang = rotation.from_axis_angle(Z_AXIS, -0.5 * np.pi)
    shoulder = rotation.multiply(
        rotation.from_axis_angle(X_AXIS, -forward), rotation.from_axis_angle(Z_AXIS, out - shrug)
    )
    shoulder = rotation.multiply(shoulder, rotation.multiply(rotation.about_y(-inward), hang))
    arm = Arm(
        collar=rotation.from_axis_angle(Z_AXIS, shrug),
        shoulder=shoulder,
        elbow=rotation.from_axis_angle(Y_AXIS, -elbow),
        wrist=rotation.from_axis_angle(Z_AXIS, -0.25 * curl),
        fingers=rotation.from_axis_angle(Z_AXIS, -curl),
    )
    return arm if side == 0 else mirrored(arm)


def mirrored(arm: Arm) -> Arm:
    """The same arm on the other side."""
    flip = np.array([1.0, 1.0, -1.0, -1.0])
    return Arm(*(part * flip for part in (arm.collar, arm.shoulder, arm.elbow, arm.wrist, arm.fingers)))


def reaching_arm(
    trunk: Trunk, side: int, wrist: Array, pole: Array, palm: ArrayLike, curl: ArrayLike, collar: Array
) -> Arm:
    """An arm whose wrist is at ``wrist (F, 3)`` in the world, the elbow towards ``pole (F, 3)``.

    palm: ``(F,)``, turn of the palm from facing inwards to facing down. curl: ``(F,)``, of the fingers. collar: ``(F, 4)``, local
    rotation of the collar.
    """
    frames = len(wrist)
    palm, curl = (np.broadcast_to(np.asarray(x, dtype=np.float64), frames) for x in (palm, curl))
    sign = 1.0 if side == 0 else -1.0
    joints = skeleton()
    name = SIDES[side]
    rotations = trunk_rotations(trunk)
    rotations[:, joints.index(f"{name}_collar")] = collar
    positions, orientations = kinematics.forward(joints, trunk.root, rotations)
    shoulder = positions[:, joints.index(f"{name}_shoulder")]
    elbow = middle(shoulder, wrist, pole, UPPER_ARM, FOREARM)
    upper, lower = bones(shoulder, elbow, wrist, sign * X_AXIS, -sign * Y_AXIS)
    above = orientations[:, joints.index(f"{name}_collar")]
    return Arm(
        collar=collar,
        shoulder=rotation.multiply(rotation.inverse(above), upper),
        elbow=rotation.multiply(rotation.inverse(upper), lower),
        wrist=rotation.from_axis_angle(X_AXIS, -sign * palm),
        fingers=rotation.from_axis_angle(Z_AXIS, -sign * curl),
    )


def assemble(
    name: str, trunk: Trunk, feet: tuple[FootTrack, FootTrack], arms: tuple[Arm, Arm], knees: tuple[Array, Array]
) -> Motion:
    """The motion of all joints. knees: for each leg the world axis ``(F, 3)`` about which the knee bends, pointing to the left."""
    joints = skeleton()
    rotations = trunk_rotations(trunk)
    for side, arm in enumerate(arms):
        for part in ("collar", "shoulder", "elbow", "wrist", "fingers"):
            rotations[:, joints.index(f"{SIDES[side]}_{part}")] = getattr(arm, part)
    for side, foot in enumerate(feet):
        hip = trunk.hip(side)
        pole = np.cross(foot.ankle - hip, knees[side])
        knee = middle(hip, foot.ankle, pole, THIGH, SHIN)
        thigh, shin = bones(hip, knee, foot.ankle, -Y_AXIS, X_AXIS)
        chain = (("hip", trunk.pelvis, thigh), ("knee", thigh, shin), ("ankle", shin, foot.orientation))
        for part, above, own in chain:
            rotations[:, joints.index(f"{SIDES[side]}_{part}")] = rotation.multiply(rotation.inverse(above), own)
        rotations[:, joints.index(f"{SIDES[side]}_toe")] = rotation.from_axis_angle(X_AXIS, -foot.toe)
    return Motion(joints, trunk.root, rotations, FPS, name=name)


def trunk_rotations(trunk: Trunk) -> Array:
    """Local rotations ``(F, J, 4)`` with pelvis, spine, neck and head in place and the limbs at rest."""
    joints = skeleton()
    rotations = rotation.identity(len(trunk.root), len(joints))
    bend = rotation.multiply(rotation.inverse(trunk.pelvis), trunk.chest)
    rotations[:, 0] = trunk.pelvis
    below = rotation.identity(len(bend))
    for name, share in _SPINE_SHARE:
        upto = rotation.slerp(rotation.IDENTITY, bend, np.full(len(bend), share))
        rotations[:, joints.index(name)] = rotation.multiply(rotation.inverse(below), upto)
        below = upto
    nod = rotation.multiply(rotation.inverse(trunk.chest), trunk.head)
    neck = rotation.slerp(rotation.IDENTITY, nod, np.full(len(nod), _NECK_SHARE))
    rotations[:, joints.index("neck")] = neck
    rotations[:, joints.index("head")] = rotation.multiply(rotation.inverse(neck), nod)
    return rotations

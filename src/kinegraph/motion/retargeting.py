"""Put a motion on another body: same roles, other bones.

Limbs point where they pointed, and the root goes as high and as far as the legs allow. Feet land where the source's feet
landed, scaled: so a foot that stood still in the source stands still here, and a sole that lay on the floor still does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np

from kinegraph.arrays import Array, frozen_array
from kinegraph.errors import RoleError
from kinegraph.motion import body, footwork, kinematics, rotation
from kinegraph.motion.clip import Motion, concatenate
from kinegraph.motion.skeleton import Skeleton

# The role to which each role's bone leads.
_LEADS_TO = {
    **dict(pairwise(body.CENTRAL_ROLES[1:])),
    **{
        f"{side}_{a}": f"{side}_{b}"
        for side in body.SIDES
        for limb_roles in (body.ARM_ROLES, body.LEG_ROLES)
        for a, b in pairwise(limb_roles)
    },
}
# Joints at the end of a limb have no bone of their own to compare: they keep to the joint above.
_ENDS = {
    "head": "neck",
    **{f"{side}_{a}": f"{side}_{b}" for side in body.SIDES for a, b in (("wrist", "elbow"), ("toe", "ankle"))},
}
# Bones whose direction is copied: arms reach where they reached. The trunk and the feet keep their own shape instead (a foot
# that is flat in both rest poses stays flat), unless the rest poses differ by more than this.
_POINTED = frozenset(f"{side}_{part}" for side in body.SIDES for part in ("shoulder", "elbow", "hip", "knee"))
_SAME_REST = np.deg2rad(30.0)

# Rest poses whose bones all point the same way to within this are of one making: their joints are rolled alike.
_ONE_MAKING = np.deg2rad(5.0)
# A bone this near to an axis of its joint lies along it.
_ALONG_AXIS = np.cos(np.deg2rad(5.0))

# Joints are placed inside the foot to 2 cm at best (the heights below, against those measured in the clips of eight CMU
# subjects): a smaller difference, as a share of the stature, does not show another kind of foot.
_SAME_FOOT = 0.0115


def retarget(motion: Motion, skeleton: Skeleton) -> Motion:
    """The motion on another skeleton with the same body roles. Joints without a role follow those of the same name.

    Both skeletons must know hips, legs and ankles. Lengths along the floor scale with the legs.

    >>> import kinegraph as kg
    >>> walk = kg.samples.make("walk").motion
    >>> taller = kg.retarget(walk, walk.skeleton.scaled(1.1))
    >>> (taller.root[-1] / walk.root[-1]).round(3).tolist()
    [1.1, 1.1, 1.1]
    """
    return retarget_all([motion], skeleton)[0]


def retarget_all(motions: Sequence[Motion], skeleton: Skeleton, like: Sequence[Motion] | None = None) -> list[Motion]:
    """`retarget` for many motions. Those of one skeleton and rate are done together, which is much quicker if they are short.

    like: for each motion one on the new skeleton that holds itself much the same, as a motion does whose mirror image is retargeted. Where
    rest poses do not tell how the new skeleton's bones are rolled about themselves, these do.
    """
    made = [motion.rigid() for motion in motions]
    kinds: dict[tuple[Skeleton, float], list[int]] = {}
    for number, motion in enumerate(made):
        if motion.skeleton != skeleton:
            kinds.setdefault((motion.skeleton, motion.fps), []).append(number)
    for (source, _), numbers in kinds.items():
        check(source, skeleton)
        # where a rest pose is no stance, the motion's own mean tells how bones are rolled: then each goes by itself
        together = [numbers] if _stands(source) and _stands(skeleton) else [[number] for number in numbers]
        for some in together:
            shown = None if like is None else like[some[0]]
            for number, moved in zip(some, _moved([made[number] for number in some], skeleton, shown), strict=True):
                made[number] = moved
    return made


def check(source: Skeleton, skeleton: Skeleton) -> None:
    """Refuse bodies whose legs are not known, or have no length."""
    for whose, body_of in (("the motion's", source), ("the new", skeleton)):
        lacking = [role for role in body.ESSENTIAL if role not in body_of.roles]
        if lacking:
            raise RoleError(f"{whose} skeleton lacks {', '.join(lacking)}: name them with roles={{role: joint}}")
        # refused where they have none
        _ = body_of.leg_length


def _moved(motions: Sequence[Motion], skeleton: Skeleton, like: Motion | None) -> list[Motion]:
    """Motions of one skeleton and rate on another. like: one on that other which holds itself as the first of them does."""
    reel = concatenate(motions) if len(motions) > 1 else motions[0]
    ends = np.cumsum([len(motion) for motion in motions])[:-1]
    world = orientations(reel, skeleton, like)
    rotations = kinematics.local(skeleton, world)
    factor = skeleton.leg_length / reel.skeleton.leg_length
    positions, _ = kinematics.forward(skeleton, reel.root * factor, rotations)
    # from here on the body is only moved as a whole, until its legs are bent
    positions += _shift(reel, skeleton, positions, factor)[:, None]
    goals = np.stack([_ankle_goal(reel, skeleton, positions, side, factor) for side in body.SIDES], axis=1)
    parts = zip(*(np.split(array, ends) for array in (positions, world, rotations, goals, left_of(reel))), strict=True)
    made = [footwork.stepped(skeleton, footwork.Bearing(*part), reel.fps) for part in parts]
    return [
        replace(motion, skeleton=skeleton, root=root, rotations=signed(turns))
        for motion, (root, turns) in zip(motions, made, strict=True)
    ]


def signed(rotations: Array) -> Array:
    """The rotations ``(F, J, 4)`` with signs by their own first frame alone: none of its w is negative."""
    return rotations * np.where(rotations[:1, :, :1] < 0, -1.0, 1.0)


def orientations(motion: Motion, skeleton: Skeleton, like: Motion | None = None) -> Array:
    """World orientations ``(F, J, 4)`` of the new joints. like: as for `retarget_all`, one motion."""
    source = motion.skeleton
    turn = _whole_turn(source, skeleton)
    rolls_known = (_stands(source) and _stands(skeleton)) or _one_making(source, skeleton)
    role_of = {joint: role for role, joint in skeleton.roles.items() if role in source.roles}
    turns: dict[str, Array] = {}
    out = np.empty((len(motion), len(skeleton), 4))
    for joint, name in enumerate(skeleton.names):
        above = out[:, skeleton.parents[joint]] if joint else rotation.identity(len(motion))
        if joint in role_of:
            role = role_of[joint]
            here = motion.orientations[:, source.joint(role)]
            if _ENDS.get(role) in turns:
                turns[role] = turns[_ENDS[role]]
            else:
                turns[role] = _rest_turn(source, skeleton, role)
                if not rolls_known and joint:
                    held = None if like is None else rotation.mean(like.rotations[:, joint])
                    turns[role] = _rolled(here, turns[role], above, skeleton, role, held)
            out[:, joint] = rotation.multiply(here, turns[role])
        elif name in source.names:
            here = motion.rotations[:, source.index(name)]
            back = rotation.multiply(rotation.inverse(turn), rotation.multiply(here, turn))
            out[:, joint] = rotation.multiply(above, back)
        else:
            out[:, joint] = above
    return out


@lru_cache(maxsize=64)
def _rest_frame(skeleton: Skeleton) -> Array:
    """The rest pose's own axes as a quaternion ``(4,)``: X to the left, Y up. Identity where it has no shape.

    Up is from the feet to the neck; in a rest pose that is no stance, from the hips to the neck.
    """
    feet = 0.5 * (skeleton.rest[skeleton.joint("left_ankle")] + skeleton.rest[skeleton.joint("right_ankle")])
    frame: Array = frozen_array(_frame_above(skeleton, feet if _stands(skeleton) else _between_hips(skeleton)))
    return frame


def _frame_above(skeleton: Skeleton, bottom: Array) -> Array:
    left = skeleton.rest[skeleton.joint("left_hip")] - skeleton.rest[skeleton.joint("right_hip")]
    top = next((skeleton.roles[role] for role in ("neck", "head", "chest") if role in skeleton.roles), None)
    up = (skeleton.rest[top] if top is not None else skeleton.rest[skeleton.joint("hips")]) - bottom
    forward = np.cross(left, up)
    if np.linalg.norm(left) < 1e-9 or np.linalg.norm(forward) < 1e-9:
        return rotation.IDENTITY
    x, z = left / np.linalg.norm(left), forward / np.linalg.norm(forward)
    return rotation.from_matrix(np.stack([x, np.cross(z, x), z], axis=-1))


def _between_hips(skeleton: Skeleton) -> Array:
    middle: Array = 0.5 * (skeleton.rest[skeleton.joint("left_hip")] + skeleton.rest[skeleton.joint("right_hip")])
    return middle


@lru_cache(maxsize=64)
def _stands(skeleton: Skeleton) -> bool:
    """Whether the rest pose is a stance, both legs below the trunk. In some files all bones lie along one axis instead."""
    up = rotation.rotate(_frame_above(skeleton, _between_hips(skeleton)), [0.0, 1.0, 0.0])
    legs = [
        skeleton.rest[skeleton.joint(f"{side}_ankle")] - skeleton.rest[skeleton.joint(f"{side}_hip")]
        for side in body.SIDES
    ]
    return all(leg @ up < -0.5 * np.linalg.norm(leg) for leg in legs)


def _whole_turn(source: Skeleton, target: Skeleton) -> Array:
    """The constant rotation ``(4,)`` from the new rest pose's axes to the source's."""
    return rotation.multiply(_rest_frame(source), rotation.inverse(_rest_frame(target)))


@lru_cache(maxsize=256)
def _rest_turn(source: Skeleton, target: Skeleton, role: str) -> Array:
    """The constant rotation ``(4,)`` from the new joint's axes to the source joint's: bones that correspond coincide."""
    turn: Array = frozen_array(_whole_turn(source, target))
    standing = _stands(source) and _stands(target)
    there, here = _bone(source, role), rotation.rotate(turn, _bone(target, role))
    if np.linalg.norm(there) < 1e-6 or np.linalg.norm(here) < 1e-6:
        return turn
    correction = rotation.between(here, there)
    alike = rotation.angle_between(correction, rotation.IDENTITY) < _SAME_REST
    if standing and alike and role not in _POINTED:
        return turn
    corrected: Array = frozen_array(rotation.multiply(correction, turn))
    return corrected


def _bone(skeleton: Skeleton, role: str) -> Array:
    """The bone ``(3,)`` in the rest pose from a role's joint to the next role's; zero where there is none."""
    leads_to = _LEADS_TO.get(role)
    if leads_to is None or not skeleton.has_roles(leads_to):
        return np.zeros(3)
    bone: Array = skeleton.rest[skeleton.joint(leads_to)] - skeleton.rest[skeleton.joint(role)]
    return bone


@lru_cache(maxsize=64)
def _one_making(source: Skeleton, target: Skeleton) -> bool:
    """Whether all bones of two rest poses point the same way: bodies of one tool, which rolls its bones always alike."""
    for role in source.roles.keys() & target.roles.keys():
        there, here = _bone(source, role), _bone(target, role)
        if there.any() and here.any() and _apart(there, here) > _ONE_MAKING:
            return False
    return True


def _apart(a: Array, b: Array) -> float:
    return float(rotation.angle_between(rotation.between(a, b), rotation.IDENTITY))


def _rolled(orientations: Array, turn: Array, above: Array, skeleton: Skeleton, role: str, held: Array | None) -> Array:
    """The rest turn ``(4,)``, rolled about the new bone as bones of the new skeleton are.

    Rest poses that are no stance do not tell how bones that correspond are rolled about themselves. A motion on the new skeleton does:
    held ``(4,)`` is the joint's mean rotation in one that is much the same. Without one the bone, on average over the clip, swings without
    rolling, since people roll them little; but then motions that were captured on the skeleton may have theirs rolled otherwise.
    orientations ``(F, 4)``: the source joint's. above ``(F, 4)``: the new parent's.
    """
    bone = _bone(skeleton, role)
    if np.linalg.norm(bone) < 1e-6:
        return turn
    bone = bone / np.linalg.norm(bone)
    placed = rotation.multiply(orientations, turn)
    if held is not None:
        mean = rotation.mean(rotation.multiply(rotation.inverse(above), placed))
        roll = rotation.multiply(rotation.inverse(mean), held)
        angle = 2.0 * np.arctan2(roll[1:] @ bone, roll[0])
        if np.abs(bone).max() > _ALONG_AXIS:
            # bones along an axis of their joint are made so by a tool that makes all of them so: what is left over is the motion's own
            angle = 0.5 * np.pi * np.round(angle / (0.5 * np.pi))
        return rotation.multiply(turn, rotation.from_axis_angle(bone, angle))
    swing = rotation.multiply(rotation.between(rotation.rotate(above, bone), rotation.rotate(placed, bone)), above)
    # both lay the bone along the same line, so they differ by a roll about it
    rolls = rotation.multiply(rotation.inverse(placed), swing)
    angle = np.angle(np.mean(np.exp(2j * np.arctan2(rolls[:, 1:] @ bone, rolls[:, 0]))))
    return rotation.multiply(turn, rotation.from_axis_angle(bone, angle))


def _shift(motion: Motion, skeleton: Skeleton, positions: Array, factor: float) -> Array:
    """By how much ``(F, 3)`` new joints at ``positions`` must go for the point between the hip joints to follow the source's, scaled."""
    now = positions[:, skeleton.joint("left_hip")] + positions[:, skeleton.joint("right_hip")]
    wanted = factor * (motion.position("left_hip") + motion.position("right_hip"))
    # legs scale from the ankle up: what lies below it is each body's own
    below = np.mean(
        [ankle_height(skeleton, side) - factor * ankle_height(motion.skeleton, side) for side in body.SIDES]
    )
    shift: Array = 0.5 * (wanted - now) + np.array([0.0, below, 0.0])
    return shift


def _ankle_goal(motion: Motion, skeleton: Skeleton, positions: Array, side: str, factor: float) -> Array:
    """Ankle positions ``(F, 3)`` with which the ball of the foot, where it is known, follows the source's, scaled.

    positions ``(F, J, 3)``: where the new joints are without it.
    """
    toe, ankle = f"{side}_toe", f"{side}_ankle"
    if not all(known.has_roles("left_toe", "right_toe") for known in (skeleton, motion.skeleton)):
        rise = ankle_height(skeleton, side) - factor * ankle_height(motion.skeleton, side)
        return factor * motion.position(ankle) + [0.0, rise, 0.0]
    foot = positions[:, skeleton.joint(toe)] - positions[:, skeleton.joint(ankle)]
    rise = ball_height(skeleton) - factor * ball_height(motion.skeleton)
    if abs(rise) < _SAME_FOOT * skeleton.stature or not (_stands(skeleton) and _stands(motion.skeleton)):
        rise = 0.0
    return factor * motion.position(toe) + [0.0, rise, 0.0] - foot


@lru_cache(maxsize=64)
def ball_height(skeleton: Skeleton) -> float:
    """Height in metres of the ball of a standing body's foot above its sole, the mean of both feet."""
    up = rotation.rotate(_rest_frame(skeleton), [0.0, 1.0, 0.0])
    drops = [
        skeleton.rest[skeleton.joint(f"{s}_ankle")] - skeleton.rest[skeleton.joint(f"{s}_toe")] for s in body.SIDES
    ]
    return float(
        np.mean([ankle_height(skeleton, side) - drop @ up for side, drop in zip(body.SIDES, drops, strict=True)])
    )


@lru_cache(maxsize=64)
def ankle_height(skeleton: Skeleton, side: str) -> float:
    """Height in metres of the ankle of a standing body above its sole.

    Joints lie inside the foot, so a skeleton seldom shows its sole: a person's ankle is 0.039 of the stature up (Winter, table
    4.1), unless some point of the skeleton's own foot reaches lower.
    """
    if not _stands(skeleton):
        return 0.039 * skeleton.stature
    ankle = skeleton.joint(f"{side}_ankle")
    up = rotation.rotate(_rest_frame(skeleton), [0.0, 1.0, 0.0])
    foot = np.zeros(len(skeleton), np.bool_)
    for joint in range(ankle, len(skeleton)):
        foot[joint] = joint == ankle or foot[skeleton.parents[joint]]
    tips = foot[skeleton.tip_parents]
    points = np.concatenate([skeleton.rest[foot], (skeleton.rest[skeleton.tip_parents] + skeleton.tip_offsets)[tips]])
    return max(0.039 * skeleton.stature, float(((skeleton.rest[ankle] - points) @ up).max()))


def left_of(motion: Motion) -> Array:
    """Unit vectors ``(F, 3)`` to the body's left: the axis about which knees bend."""
    left = motion.position("left_hip") - motion.position("right_hip")
    length = np.linalg.norm(left, axis=-1, keepdims=True)
    return np.where(length > 1e-9, left / np.maximum(length, 1e-9), [1.0, 0.0, 0.0])

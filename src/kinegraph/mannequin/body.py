"""`mannequin`: a body for any skeleton, like the wooden figure that artists draw from.

Body roles say which joint is what; lengths come from the bones, and thickness from a person's proportions. Every part is a closed shell:
limbs turn in the trunk like balls in their sockets, and only elbows, knees, the spine and the ball of the foot bend.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from kinegraph.mannequin.bones import add_bones, add_root
from kinegraph.mannequin.extremities import add_foot, add_hand
from kinegraph.mannequin.limbs import add_arm, add_leg, hand_joint
from kinegraph.mannequin.mesh import Mesh
from kinegraph.mannequin.proportions import COLOURS
from kinegraph.mannequin.sculpture import Sculpture
from kinegraph.mannequin.stance import Standing, find_stance
from kinegraph.mannequin.trunk import add_head, add_trunk
from kinegraph.motion import Motion, Skeleton
from kinegraph.motion.body import ESSENTIAL, SIDES

# Bones of a limb shorter than this share of the stature are joints in one place: no tube can go through them.
_SHORTEST = 0.02
# What hangs on a body besides its limbs is shown from this share of the stature on: ponytails and tails, but no twist or helper joints.
_EXTRA = 0.12


def mannequin(skeleton: Skeleton, motion: Motion | None = None) -> Mesh:
    """A figure for a skeleton: a person if its legs are known, otherwise a plain bone for each of its bones.

    It is made in the skeleton's rest pose if that is a standing pose, otherwise in the best pose of ``motion``, if one is given.

    >>> from kinegraph.samples import skeleton
    >>> [part.name for part in mannequin(skeleton()).parts][:4]
    ['torso', 'head', 'left arm', 'left hand']
    """
    stance = find_stance(skeleton, motion)
    if not _has_legs(stance):
        body = Sculpture(stance, _extent(stance))
        add_root(body)
        add_bones(body, set(range(len(skeleton))))
        return body.mesh(COLOURS)
    body = Sculpture(stance, skeleton.stature)
    add_trunk(body)
    ends = set[int]()
    if skeleton.has_roles("head"):
        add_head(body)
        ends.add(skeleton.joint("head"))
    for side in SIDES:
        add_leg(body, side)
        add_foot(body, side)
        ends.add(skeleton.joint(f"{side}_ankle"))
        hand = _hand(body, side)
        if hand is not None:
            add_arm(body, side, hand)
            add_hand(body, side, hand)
            ends.update((skeleton.joint(f"{side}_wrist"), hand))
    add_bones(body, _extras(body, ends))
    return body.mesh(COLOURS)


def _has_legs(stance: Standing) -> bool:
    if not stance.skeleton.has_roles(*ESSENTIAL) or stance.skeleton.stature <= 0:
        return False
    return all(_is_limb(stance, f"{side}_hip", f"{side}_knee", f"{side}_ankle") for side in SIDES)


def _is_limb(stance: Standing, *roles: str) -> bool:
    """Whether joints hang below one another, far enough apart for a tube to go through them."""
    skeleton = stance.skeleton
    if not skeleton.has_roles(*roles):
        return False
    joints = [skeleton.joint(role) for role in roles]
    if any(lower not in skeleton.below(upper) for upper, lower in pairwise(joints)):
        return False
    bones = np.linalg.norm(np.diff(stance.positions[joints], axis=0), axis=-1)
    return bool((bones > _SHORTEST * skeleton.stature).all())


def _hand(body: Sculpture, side: str) -> int | None:
    """The joint where an arm's hand begins; None where the arm is not known."""
    known = _is_limb(body.stance, *(f"{side}_{part}" for part in ("shoulder", "elbow", "wrist")))
    return hand_joint(body, side) if known else None


def _extent(stance: Standing) -> float:
    """The size in metres of a skeleton that is not known to be a person's; 1 where it has none."""
    size = float(np.ptp(np.concatenate([stance.positions, stance.tips]), axis=0).max())
    return size if size > 0 else 1.0


def _extras(body: Sculpture, ends: set[int]) -> set[int]:
    """Joints of long rows that no part shows. ends: heads, hands and feet, which show all that hangs below them.

    What does not hang on the hips is no part of the body: the ground, or handles for animators.
    """
    skeleton = body.stance.skeleton
    hips = skeleton.joint("hips")
    shown: set[int] = set()
    trunk = {skeleton.roles[role] for role in ("neck", "left_shoulder", "right_shoulder") if role in skeleton.roles}
    for joint in ends | trunk:
        if joint in ends:
            shown.update(skeleton.below(joint))
        while joint > hips:
            shown.add(joint)
            joint = int(skeleton.parents[joint])
    extras: set[int] = set()
    for joint in skeleton.below(hips):
        hangs_on = int(skeleton.parents[joint]) in extras
        if joint not in shown and (hangs_on or _row_length(skeleton, joint) > _EXTRA * body.size):
            extras.add(joint)
    return extras


def _row_length(skeleton: Skeleton, joint: int) -> float:
    """How far a row of joints reaches from the joint it hangs on, in metres."""
    start = skeleton.rest[skeleton.parents[joint]]
    row = [joint, *skeleton.below(joint)]
    return float(np.linalg.norm(skeleton.rest[row] - start, axis=-1).max())

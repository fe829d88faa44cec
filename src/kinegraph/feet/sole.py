"""The sole: the points of a foot that stand on the floor, and how high they are when they do.

Heel and ball bear the weight; the tip of the toes only must not sink. The ball is the toe joint. Few skeletons have a joint at the
heel, and the ankle cannot replace it: between heel strike and the flat foot it moves about the heel by centimetres. So the heel is a
point fixed to the foot, behind and below the ankle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.errors import RoleError
from kinegraph.motion import rotation
from kinegraph.motion.body import SIDES
from kinegraph.motion.clip import Motion
from kinegraph.motion.skeleton import Skeleton

# Heel behind and below the ankle, in lengths of the foot from ankle to ball along the floor. Fitted to captured walks: there, while only
# the heel bears, the point of the foot that moves least lies 0.2 to 0.35 behind and 0.7 to 0.8 below the ankle.
_BEHIND, _BELOW = 0.3, 0.7


@dataclass(frozen=True, eq=False)
class Sole:
    """One foot: its joints, its heel, and its rest. Joints are indices."""

    side: str
    """Either "left" or "right"."""
    hip: int
    knee: int
    ankle: int
    toe: int | None
    """None for a foot without toes, which stands on its ankle alone."""
    heel: Array
    """``(3,)``: from the ankle, in the ankle's own frame."""
    tip: Array | None
    """``(3,)``: from the toe joint to the end of the toes, in the toe joint's own frame; None if the skeleton has none."""
    rest: Array
    """``(3,)``: heights of heel, ball and tip above y = 0 while the foot stands, in metres."""

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """What can stand: heel and ball, or the heel alone."""
        return ("heel",) if self.toe is None else ("heel", "ball")

    def points(self, motion: Motion) -> Array:
        """World positions ``(F, 3, 3)`` of heel, ball and tip of the toes; a missing ball or tip repeats the point before it."""
        return underfoot(motion, (self,))[:, 0]

    @cached_property
    def fixed(self) -> tuple[tuple[int, int, int], Array]:
        """The joints to which heel, ball and tip of the toes are fixed, and where ``(3, 3)`` they are in those joints' own frames."""
        if self.toe is None:
            return (self.ankle, self.ankle, self.ankle), np.stack([self.heel, self.heel, self.heel])
        joint = np.zeros(3)
        return (self.ankle, self.toe, self.toe), np.stack([self.heel, joint, joint if self.tip is None else self.tip])


def underfoot(motion: Motion, feet: Sequence[Sole]) -> Array:
    """`Sole.points` of S feet at once, ``(F, S, 3, 3)``."""
    joints = [joint for sole in feet for joint in sole.fixed[0]]
    offsets = np.concatenate([sole.fixed[1] for sole in feet])
    points = motion.positions.take(joints, axis=1) + rotation.rotate(
        motion.orientations.take(joints, axis=1), np.repeat(offsets[None], len(motion), axis=0)
    )
    return points.reshape(len(motion), len(feet), 3, 3)


def soles(motion: Motion, contacts: Bools) -> tuple[Sole, Sole]:
    """The left and the right sole of a motion with known ``contacts (F, 4)``.

    Which way a sole faces and how high it stands is taken from the frames in which heel and ball stand: in rest poses feet are rarely flat.
    """
    check_legs(motion.skeleton)
    left, right = (_sole(motion, contacts[:, 2 * i : 2 * i + 2], side) for i, side in enumerate(SIDES))
    return left, right


def has_legs(skeleton: Skeleton) -> bool:
    """Whether hips, knees and ankles of a skeleton are known; feet cannot be cleaned otherwise."""
    return not _missing(skeleton)


def _missing(skeleton: Skeleton) -> list[str]:
    needed = [f"{side}_{part}" for side in SIDES for part in ("hip", "knee", "ankle")]
    return [role for role in needed if not skeleton.has_roles(role)]


def check_legs(skeleton: Skeleton) -> None:
    """Raise a `RoleError` if hips, knees or ankles of a skeleton are not known."""
    missing = _missing(skeleton)
    if missing:
        raise RoleError(
            f"cleaning feet needs legs, and no joint of this skeleton is known to be the {', '.join(missing)}; "
            f"name them with roles={{{missing[0]!r}: 'its joint'}}"
        )


def _sole(motion: Motion, down: Bools, side: str) -> Sole:
    skeleton = motion.skeleton
    hip, knee, ankle = (skeleton.joint(f"{side}_{part}") for part in ("hip", "knee", "ankle"))
    toe = skeleton.joint(f"{side}_toe") if skeleton.has_roles(f"{side}_toe") else None
    flat = down[:, 0] & down[:, 1]
    heel = np.zeros(3) if toe is None else _heel(motion, ankle, toe, flat)
    tip = None if toe is None else _tip(skeleton, toe)
    sole = Sole(side, hip, knee, ankle, toe, heel, tip, np.zeros(3))
    heights = sole.points(motion)[..., 1]
    # heights of the flat foot, so that a heel and a ball at rest make a foot that is flat
    standing = (flat, flat, flat) if flat.any() else (down[:, 0], down[:, 1], flat)
    rest = np.array([_resting(heights[:, part], stands) for part, stands in enumerate(standing)])
    return replace(sole, rest=rest)


def _tip(skeleton: Skeleton, toe: int) -> Array | None:
    """The end of the toes ``(3,)`` in the toe joint's frame: the furthest of its tips, or of the joints that hang on it."""
    ends = [skeleton.tip_offsets[tip] for tip in skeleton.tips_of[toe]]
    ends += [skeleton.offsets[joint] for joint in skeleton.children[toe]]
    furthest = max(ends, key=lambda end: float(np.linalg.norm(end)), default=None)
    return None if furthest is None or not furthest.any() else np.array(furthest)


def _heel(motion: Motion, ankle: int, toe: int, flat: Bools) -> Array:
    """The heel ``(3,)`` in the ankle's frame: a tip of the skeleton that lies there, or where a heel should be."""
    orientation = motion.orientations[:, ankle]
    forth = np.median(
        rotation.rotate(rotation.inverse(orientation), motion.positions[:, toe] - motion.positions[:, ankle]), axis=0
    )
    up = np.array([0.0, 1.0, 0.0])
    if flat.any():
        seen = np.median(rotation.rotate(rotation.inverse(orientation[flat]), up), axis=0)
        up = seen / max(float(np.linalg.norm(seen)), 1e-9)
    forth = forth - (forth @ up) * up
    for tip in motion.skeleton.tips_of[ankle]:
        offset = motion.skeleton.tip_offsets[tip]
        if offset @ forth < 0 and offset @ up < 0:
            return np.array(offset)
    heel: Array = -_BEHIND * forth - _BELOW * float(np.linalg.norm(forth)) * up
    return heel


def _resting(height: Array, down: Bools) -> float:
    """Height at which a point stands: the median of ``height (F,)`` while it is ``down (F,)``; if it never is, of its lowest twentieth."""
    standing = height[down] if down.any() else height[height <= np.quantile(height, 0.05)]
    return float(np.median(standing))

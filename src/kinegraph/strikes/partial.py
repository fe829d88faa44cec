"""Partial blending: a strike outside the region, put together from body parts of two strikes inside it.

After Chen, "Parameterized Motion Interpolation and Extrapolation Using Partial Blending" (2007), section 4. Two blends are
made: M_H hits at the target's height, and M_V in its direction. A punch is M_H with hips, chest and collar turned, in that
order, until it goes in M_V's direction. A kick is M_V with the striking leg of M_H, which is turned at the hip to M_V's
direction and lifted to M_H's height. The targets of the two blends are then corrected by what is still missed, and both are
made again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import kinematics, rotation
from kinegraph.motion.skeleton import Skeleton
from kinegraph.strikes.blend import Poses, poses
from kinegraph.strikes.examples import Examples
from kinegraph.strikes.kinds import KINDS
from kinegraph.strikes.region import Region
from kinegraph.strikes.strike import Side

_UP = np.array([0.0, 1.0, 0.0])
# Of a bone's length: one that lies less than this along the floor has no direction there; from the second on it has all
# of it.
_UPRIGHT, _AWRY = 0.08, 0.3
_CLOSE = 1e-4  # metres

Weigh = Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class Partial:
    """A strike put together from two."""

    poses: Poses
    height: Array
    """``(N,)``: the weights of M_H."""
    direction: Array
    """``(N,)``: the weights of M_V."""
    hit: Array
    """``(3,)``: where it hits."""


def body_parts(skeleton: Skeleton, side: Side) -> dict[str, list[int]]:
    """The joints of the paper's four parts (figure 18): arm and leg of the striking side, and the rest of the upper and the
    lower body.
    """
    arm = _with_below(skeleton, _collar(skeleton, side))
    leg = _with_below(skeleton, skeleton.joint(f"{side}_hip"))
    upper = _with_below(skeleton, skeleton.joint("chest")) - arm
    lower = set(range(len(skeleton))) - arm - leg - upper
    return {"arm": sorted(arm), "leg": sorted(leg), "upper": sorted(upper), "lower": sorted(lower)}


def partial(examples: Examples, region: Region, target: Array, weigh: Weigh, corrections: int = 8) -> Partial:
    """The strike at ``target (2,)``, across and height, from two blends whose weights ``weigh`` finds.

    corrections: how often the targets are corrected by what was missed; 0 is the paper's own way.
    """
    # ready pose and hit tell where it hits; the rest is put together once that is settled
    brief = examples.ready_and_hit
    asked = np.array(target, np.float64)
    best = (np.inf, np.zeros(0), np.zeros(0))
    for _ in range(corrections + 1):
        left, right = region.span(1, asked[1])
        low, high = region.span(0, asked[0])
        height = weigh(np.array([np.clip(asked[0], left, right), asked[1]]))
        direction = weigh(np.array([asked[0], np.clip(asked[1], low, high)]))
        gap = target - _hit(brief, spliced(brief, poses(brief, height), poses(brief, direction)))[:2]
        miss = float(np.linalg.norm(gap))
        if miss < best[0]:
            best = miss, height, direction
        if miss < _CLOSE:
            break
        asked = asked + gap
    _, height, direction = best
    made = spliced(examples, poses(examples, height), poses(examples, direction))
    return Partial(made, height, direction, _hit(examples, made))


def _hit(examples: Examples, made: Poses) -> Array:
    """Where a strike hits, ``(3,)``."""
    at_hit = kinematics.from_root(examples.skeleton, examples.end, made.rotations[examples.hit])
    hit: Array = made.root[examples.hit] + at_hit
    return hit


def spliced(examples: Examples, height: Poses, direction: Poses) -> Poses:
    """One strike from M_H (``height``) and M_V (``direction``), as its kind asks."""
    make = _kick if KINDS[examples.kind].lifts else _punch
    return make(examples.skeleton, examples.side, examples.end, height, direction)


def _punch(skeleton: Skeleton, side: Side, end: int, height: Poses, direction: Poses) -> Poses:
    """M_H turned about the vertical at hips, chest and collar in turn: each takes up what the one before has left."""
    goal, facing = kinematics.forward(skeleton, direction.root, direction.rotations)
    made = height.rotations
    _, now = kinematics.forward(skeleton, height.root, made)
    # the hips by what the ready poses differ in, the same at all times: the feet must not turn with the strike
    made = turned(skeleton, height.root, made, 0, np.broadcast_to(_yaw(now[:1, 0], facing[:1, 0]), now[:, 0].shape))
    chest = skeleton.joint("chest")
    _, now = kinematics.forward(skeleton, height.root, made)
    made = turned(skeleton, height.root, made, chest, _yaw(now[:, chest], facing[:, chest]))
    collar = _collar(skeleton, side)
    places, _ = kinematics.forward(skeleton, height.root, made)
    swing = _swing(places[:, end] - places[:, collar], goal[:, end] - goal[:, collar])
    return replace(height, rotations=turned(skeleton, height.root, made, collar, swing))


def _kick(skeleton: Skeleton, side: Side, end: int, height: Poses, direction: Poses) -> Poses:
    """M_V with the striking leg of M_H, its hip turned to M_V's direction, then lifted to M_H's height."""
    hip, knee = skeleton.joint(f"{side}_hip"), skeleton.joint(f"{side}_knee")
    lifted, _ = kinematics.forward(skeleton, height.root, height.rotations)
    goal, _ = kinematics.forward(skeleton, direction.root, direction.rotations)
    leg = sorted(_with_below(skeleton, hip))
    made = direction.rotations.copy()
    made[:, leg] = height.rotations[:, leg]
    places, _ = kinematics.forward(skeleton, direction.root, made)
    swing = _swing(places[:, knee] - places[:, hip], goal[:, knee] - goal[:, hip])
    made = turned(skeleton, direction.root, made, hip, swing)
    # the pelvis of M_V is not tilted as that of M_H is: the hip makes up for it
    places, _ = kinematics.forward(skeleton, direction.root, made)
    thigh = places[:, knee] - places[:, hip]
    rise = _elevation(lifted[:, knee] - lifted[:, hip]) - _elevation(thigh)
    across = np.stack([-thigh[:, 2], np.zeros(len(thigh)), thigh[:, 0]], axis=-1)
    across /= np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-9)
    made = turned(skeleton, direction.root, made, hip, rotation.exp(rise[:, None] * across))
    return replace(direction, rotations=made)


def turned(skeleton: Skeleton, root: Array, rotations: Array, joint: int, turn: Array) -> Array:
    """Rotations ``(T, J, 4)`` with one joint, and everything below it, turned by ``turn (T, 4)`` in the world."""
    _, orientations = kinematics.forward(skeleton, root, rotations)
    out = rotations.copy()
    out[:, joint] = rotation.multiply(turn, orientations[:, joint])
    if joint > 0:
        out[:, joint] = rotation.multiply(rotation.inverse(orientations[:, skeleton.parents[joint]]), out[:, joint])
    return out


def _yaw(start: Array, goal: Array) -> Array:
    """The turn about the vertical ``(T, 4)`` in the rotation from orientations ``start`` to ``goal``, both ``(T, 4)``."""
    return rotation.twist(rotation.multiply(goal, rotation.inverse(start)), _UP)


def _swing(start: Array, goal: Array) -> Array:
    """The turn about the vertical ``(T, 4)`` that brings vectors ``start (T, 3)`` into the direction of ``goal (T,
    3)``.

    None where one of them is upright: it has no direction there, and what noise says of it must not spin the limb.
    """
    angle = np.arctan2(goal[:, 0], goal[:, 2]) - np.arctan2(start[:, 0], start[:, 2])
    angle = (angle + np.pi) % (2 * np.pi) - np.pi
    slant = np.min(
        [np.hypot(v[:, 0], v[:, 2]) / np.maximum(np.linalg.norm(v, axis=-1), 1e-9) for v in (start, goal)], axis=0
    )
    share = np.clip((slant - _UPRIGHT) / (_AWRY - _UPRIGHT), 0.0, 1.0)
    return rotation.about_y(angle * share)


def _elevation(v: Array) -> Array:
    """Angle ``(T,)`` of vectors ``(T, 3)`` above the level."""
    angle: Array = np.arctan2(v[:, 1], np.hypot(v[:, 0], v[:, 2]))
    return angle


def _collar(skeleton: Skeleton, side: Side) -> int:
    """The joint at which the arm is turned: the collar, or the shoulder of a body without one."""
    role = f"{side}_collar"
    return skeleton.joint(role if skeleton.has_roles(role) else f"{side}_shoulder")


def _with_below(skeleton: Skeleton, top: int) -> set[int]:
    return {top, *skeleton.below(top)}

"""How a character bears itself in a motion: limbs point where the source's did, and feet go where those went, as far as its own legs reach.

As `motion.retargeting`, for a body whose soles are known exactly, and whose hips may be much wider or narrower than a person's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.characters.core import Core
from kinegraph.feet.sole import soles
from kinegraph.motion import Motion, Skeleton, filters, footwork, kinematics, retargeting, rotation
from kinegraph.motion.body import SIDES

# A floor that differs by less than this from step to step, in leg lengths, is flat, and the feet on it tell their own heights.
_FLAT = 0.05
# Hips whose width differs by less than this, in leg lengths, from the source's are as wide.
_WIDER = 0.03
# Seconds over which the way is smoothed to which feet are set aside: lest a foot that stands be swung about.
_SWAY = 0.5
# From ankle to ball, in statures, of a body whose toes are not known.
_FOOT = 0.08
# A foot whose upper side points less up than this while it stands is not one that lies flat.
_LEAST_UP = 0.3
_UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True)
class Heights:
    """Metres of a standing source's joints over its own sole, each for the left and the right foot."""

    ankle: tuple[float, float]
    ball: tuple[float, float]


def borne(motion: Motion, core: Core, contacts: Bools, heights: Heights) -> Motion:
    """The motion on a core. heights: those of its own joints, as `standing` gives them."""
    skeleton = core.skeleton
    source = motion.rigid()
    retargeting.check(source.skeleton, skeleton)
    world = _flat_footed(retargeting.orientations(source, skeleton), skeleton, contacts)
    rotations = kinematics.local(skeleton, world)
    factor = skeleton.leg_length / source.skeleton.leg_length
    positions, _ = kinematics.forward(skeleton, source.root * factor, rotations)
    here, there = (_between(one) for one in ((positions, skeleton), (source.positions, source.skeleton)))
    own = [float(skeleton.rest[skeleton.joint(f"{side}_ankle"), 1] + skeleton.offsets[0, 1]) for side in SIDES]
    below = np.mean([mine - factor * theirs for mine, theirs in zip(own, heights.ankle, strict=True)])
    positions += (factor * there - here + [0.0, float(below), 0.0])[:, None]
    goals = np.stack([_goal(source, core, positions, side, factor, heights) for side in range(2)], axis=1)
    bearing = footwork.Bearing(positions, world, rotations, goals, retargeting.left_of(source))
    root, turned = footwork.stepped(skeleton, bearing, source.fps)
    return replace(source, skeleton=skeleton, root=root, rotations=retargeting.signed(turned), translations=None)


def _flat_footed(world: Array, skeleton: Skeleton, contacts: Bools) -> Array:
    """Orientations ``(F, J, 4)`` of the joints with feet that lie flat, as in the bind pose, when the source's feet lie on the floor.

    Whether a foot of a rest pose is flat is anybody's guess. How it was turned while heel and ball stood is not.
    """
    for column, side in enumerate(SIDES):
        heel, ball = contacts[:, 2 * column], contacts[:, 2 * column + 1]
        ankle, toe = skeleton.joint(f"{side}_ankle"), skeleton.joint(f"{side}_toe")
        foot = [ankle, *(joint for joint in skeleton.below(ankle) if joint != toe)]
        for joints, stands in ((foot, heel & ball), ([toe], ball)):
            if not stands.any():
                continue
            turns = world[stands, joints[0]]
            up = np.median(rotation.rotate(rotation.inverse(turns), np.broadcast_to(_UP, (len(turns), 3))), axis=0)
            if up[1] > _LEAST_UP:
                turn = rotation.between(_UP, up / np.linalg.norm(up))
                world[:, joints] = rotation.multiply(world[:, joints], turn)
    return world


def standing(motion: Motion, contacts: Bools) -> Heights:
    """How high a source's ankles and balls are while it stands: as its feet on a flat floor tell, else as bodies are."""
    skeleton = motion.skeleton
    has_toes = skeleton.has_roles("left_toe", "right_toe")
    usual = Heights(
        (retargeting.ankle_height(skeleton, "left"), retargeting.ankle_height(skeleton, "right")),
        (retargeting.ball_height(skeleton),) * 2 if has_toes else (0.0, 0.0),
    )
    ankles, balls = list(usual.ankle), list(usual.ball)
    feet = soles(motion, contacts)
    for column, side in enumerate(SIDES):
        flat = contacts[:, 2 * column] & contacts[:, 2 * column + 1]
        high = motion.position(f"{side}_ankle")[flat, 1]
        if not len(high) or float(np.ptp(np.quantile(high, [0.1, 0.9]))) > _FLAT * skeleton.leg_length:
            return usual
        ankles[column] = float(np.median(high))
        if has_toes:
            balls[column] = float(feet[column].rest[1])
    # a floor that is not at 0 is not the foot's height
    if max(abs(mine - other) for mine, other in zip(ankles, usual.ankle, strict=True)) > _FLAT * skeleton.leg_length:
        return usual
    return Heights((ankles[0], ankles[1]), (balls[0], balls[1]))


def _between(body: tuple[Array, Skeleton]) -> Array:
    positions, skeleton = body
    middle: Array = 0.5 * (positions[:, skeleton.joint("left_hip")] + positions[:, skeleton.joint("right_hip")])
    return middle


def _goal(source: Motion, core: Core, positions: Array, column: int, factor: float, heights: Heights) -> Array:
    """Where ``(F, 3)`` an ankle goes: so that its ball is where the source's was, scaled, and as far aside as its hips are wider."""
    side, skeleton = SIDES[column], core.skeleton
    ankle, toe = skeleton.joint(f"{side}_ankle"), skeleton.joint(f"{side}_toe")
    rest = skeleton.rest[:, 1] + skeleton.offsets[0, 1]
    aside = _aside(source, skeleton, factor, column)
    if not source.skeleton.has_roles("left_toe", "right_toe"):
        rise = float(rest[ankle]) - factor * heights.ankle[column]
        return factor * source.position(f"{side}_ankle") + [0.0, rise, 0.0] + aside
    # of a foot that is much longer, the point follows that is as far from the ankle as the source's ball
    part = min(1.0, factor * foot_length(source) / max(float(np.linalg.norm(skeleton.offsets[toe])), 1e-9))
    rise = float(rest[ankle] + part * (rest[toe] - rest[ankle])) - factor * heights.ball[column]
    foot = part * (positions[:, toe] - positions[:, ankle])
    goal: Array = factor * source.position(f"{side}_toe") + [0.0, rise, 0.0] + aside - foot
    return goal


def _aside(source: Motion, skeleton: Skeleton, factor: float, column: int) -> Array:
    """How far ``(F, 3)`` a foot is set aside of where the source's was, since the hips are wider, or narrower."""
    mine, theirs = (
        float(np.linalg.norm(body.rest[body.joint("left_hip")] - body.rest[body.joint("right_hip")]))
        for body in (skeleton, source.skeleton)
    )
    wider = 0.5 * (mine - factor * theirs)
    left = retargeting.left_of(source) * [1.0, 0.0, 1.0]
    if abs(wider) < _WIDER * skeleton.leg_length:
        return np.zeros_like(left)
    reach = min(max(round(_SWAY * source.fps), 1), len(source))
    left = filters.smoothed(left, 0.4 * reach, reach)
    left /= np.maximum(np.linalg.norm(left, axis=-1, keepdims=True), 1e-9)
    return (wider if column == 0 else -wider) * left


def foot_length(motion: Motion) -> float:
    """Metres from ankle to ball."""
    skeleton = motion.skeleton
    if not skeleton.has_roles("left_toe", "right_toe"):
        return _FOOT * skeleton.stature
    ends = [skeleton.chain(skeleton.joint(f"{side}_ankle"), skeleton.joint(f"{side}_toe"))[1:] for side in SIDES]
    return float(np.mean([np.linalg.norm(skeleton.offsets[bones].sum(axis=0)) for bones in ends]))

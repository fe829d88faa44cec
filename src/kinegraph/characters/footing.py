"""Feet of a character on the floor: with its own soles, where and as long as the source's feet stood."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.characters.core import Core
from kinegraph.characters.ground import FLAT, GroundUnder, settled
from kinegraph.feet import giving, plants
from kinegraph.feet.bridge import Bridges
from kinegraph.feet.cleanup import held
from kinegraph.feet.legs import Reached
from kinegraph.feet.plants import Footing, Plant
from kinegraph.feet.sole import underfoot
from kinegraph.feet.targets import PITCH
from kinegraph.motion import Motion, kinematics, rotation
from kinegraph.motion.body import SIDES

# Radians by which a foot without toes may pitch about its front edge beyond what it did.
_RIGID_PITCH = 0.7
# The share of a foot's pitch that is left at least, however long the foot is.
_LEAST_PITCH = 0.15
_UP = np.array([0.0, 1.0, 0.0])


def stood(
    moved: Motion, core: Core, contacts: Bools, foot: float, grounded: Callable[[Sequence[Plant]], GroundUnder]
) -> tuple[Motion, Bools, GroundUnder, list[str]]:
    """A motion of the core with its feet on the ground that they are ``grounded`` on; when ``(F, 4)`` heels and balls really stand; the
    ground; and where feet had to be let go. foot: how long the source's is from ankle to ball, in metres of the core.
    """
    level = flattened(moved, core, contacts, foot, FLAT)
    found = plants.footing(level, contacts, core.soles)
    ground = grounded(found.plants)
    if not ground.level:
        level = flattened(moved, core, contacts, foot, ground)
        found = plants.footing(level, contacts, core.soles)
    found = replace(found, plants=_settled(level, found.plants, core, ground))
    pitch = _RIGID_PITCH if any(core.rigid) else PITCH

    def holding(feet: Footing, easing: giving.Easing) -> tuple[Motion, Reached]:
        return held(
            level, feet, stretch=0.0, floor=ground.under(), stance=easing.stance, share=easing.share, pitch=pitch
        )

    done, _, kept, eased = giving.gently(level, found, holding, None)
    return done, plants.as_contacts(kept.plants, len(done)), ground, giving.told(eased, done.fps)


def _settled(level: Motion, stood: Sequence[Plant], core: Core, ground: GroundUnder) -> tuple[Plant, ...]:
    """Plants at the height of the ground, heel and ball of a foot as far apart along its slope as they are."""
    placed = settled(stood, core.soles, ground)
    if ground.level:
        return placed
    points = underfoot(level, core.soles)[:, :, :2]
    # where a plant is moved to, the ground has another height, if little: the second time sets that right
    for _ in range(3):
        sides = [
            plants.rigid([plant for plant in placed if plant.side == side], points[:, column])
            for column, side in enumerate(SIDES)
        ]
        placed = settled(
            sorted((one for some in sides for one in some), key=lambda one: (one.first, one.column)), core.soles, ground
        )
    return placed


def flattened(moved: Motion, core: Core, contacts: Bools, foot: float, ground: GroundUnder) -> Motion:
    """The motion with feet that stand on heel and ball laid flat on the ground, and toes that stand: as flat as in the bind pose.

    Feet without toes roll over their front edge instead of their ball. That is further ahead, so they pitch less for the same way up.
    """
    turned = moved.orientations.copy()
    skeleton = moved.skeleton
    for column, side in enumerate(SIDES):
        heel, ball = contacts[:, 2 * column], contacts[:, 2 * column + 1]
        ankle, toe = skeleton.joint(f"{side}_ankle"), skeleton.joint(f"{side}_toe")
        up = ground.normals(moved.positions[:, toe][:, [0, 2]])
        laid = _laid(turned[:, ankle], heel & ball, up, moved.fps)
        if core.rigid[column]:
            reach = float(np.linalg.norm(skeleton.offsets[core.soles[column].toe, [0, 2]]))
            less = 1.0 - min(max(foot / max(reach, 1e-9), _LEAST_PITCH), 1.0)
            laid = rotation.multiply(rotation.exp(less * _tilt(laid, up)), laid)
        shift = rotation.multiply(laid, rotation.inverse(turned[:, ankle]))
        turned[:, ankle] = laid
        for joint in skeleton.below(ankle):
            turned[:, joint] = rotation.multiply(shift, turned[:, joint])
        if not core.rigid[column]:
            turned[:, toe] = _laid(turned[:, toe], ball, up, moved.fps)
    return replace(moved, rotations=kinematics.local(skeleton, turned))


def _laid(turns: Array, flat: Bools, normal: Array, fps: float) -> Array:
    """Orientations ``(F, 4)`` of what lies ``flat (F,)`` turned upright on a ``normal (F, 3)``, and before and after it by what is carried
    over: a heel still strikes first.
    """
    back = Bridges(flat[:, None], fps).over(_tilt(turns, normal)[:, None])[:, 0]
    return rotation.multiply(rotation.exp(back), turns)


def _tilt(turns: Array, normal: Array) -> Array:
    """The turns ``(F, 3)``, as axis times angle, that bring orientations upright on a ``normal (F, 3)`` by the shortest way."""
    up = rotation.rotate(turns, np.broadcast_to(_UP, (len(turns), 3)))
    return rotation.log(rotation.between(up, normal))

"""The way each joint goes from one motion to another: the shorter arc, and where two motions are far apart, the way that limbs go.

Two motions that look alike may have a joint half a turn apart: two files, or two ways onto one skeleton, roll a bone about itself
differently, and the joint below turns it back. The shorter arc of each of the two alone may then go round opposite sides, and an arm
windmills. So a bone's roll is told from its direction: the incoming motion is rolled as the outgoing one is, which moves no joint, blended
so, and rolled back bit by bit.

Two motions that really hold a limb more than a third of a turn apart go by way of how they usually hold it: an arm that swings forward and
up and one that is drawn back meet where arms hang, not over the head, even where that is the shorter arc.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from kinegraph.arrays import Array, Bools, Indices
from kinegraph.blending.arcs import arcs
from kinegraph.motion import rotation
from kinegraph.motion.skeleton import Skeleton

# Joints nearer to one another go along the shorter arc: it leads nowhere that people do not hold them.
_FAR = np.deg2rad(90.0)
# People roll a bone about itself less than this between two motions that follow each other; a file may by half a turn.
_ROLLED = np.deg2rad(75.0)
# Further from its usual pose a joint is in none: then the usual pose is no way to go by.
_UNUSUAL = np.deg2rad(150.0)


@dataclass(frozen=True, eq=False)
class LimbWay:
    """How the joints of some transitions go over, B of them along the first axis."""

    far: Bools
    """``(B, J)``: which joints go by way of their usual pose; the others go along the shorter arc."""
    middle: Array
    """``(B, 1, J, 4)``: the usual pose, rolled as the outgoing motion is."""
    bones: Array
    """``(J, 3)``: the bone that each joint of a limb leads, of length 1; 0 where it leads none or several."""
    parents: Indices
    """``(J,)``: as the skeleton's, the root its own."""
    roll: Array
    """``(B, J)``: by what angle each bone of the incoming motion is rolled further than the outgoing motion's."""

    def unrolled(self, rotations: Array) -> Array:
        """Rotations ``(B, T, J, 4)`` of the incoming motion, its bones rolled as the outgoing motion's are."""
        return self._turned(rotations, -self.roll[:, None])

    def rolled(self, rotations: Array, share: Array) -> Array:
        """Rotations ``(B, T, J, 4)`` as `unrolled` gives them, rolled by a share ``(T, J)`` of what was taken off."""
        return self._turned(rotations, share * self.roll[:, None])

    def apart(self, start: Array, end: Array) -> Array:
        """Vectors ``(B, T, J, 3)`` that `gone` takes all the way from ``start`` to ``end``, both ``(B, T, J, 4)``."""
        vectors = arcs(start, end)
        if self.far.any():
            usual = self._from_middle(end) - self._from_middle(start)
            vectors = np.where(self.far[:, None, :, None], usual, vectors)
        return vectors

    def gone(self, start: Array, vectors: Array) -> Array:
        """Rotations ``(B, T, J, 4)``: ``start`` taken along ``vectors (B, T, J, 3)``."""
        made = rotation.multiply(rotation.exp(vectors), start)
        if self.far.any():
            usual = rotation.multiply(self.middle, rotation.exp(self._from_middle(start) + vectors))
            made = np.where(self.far[:, None, :, None], usual, made)
        return made

    def _from_middle(self, rotations: Array) -> Array:
        return arcs(
            rotation.identity(*rotations.shape[:-1]), rotation.multiply(rotation.inverse(self.middle), rotations)
        )

    def _turned(self, rotations: Array, angle: Array) -> Array:
        """Every joint turned about its own bone by ``angle (B, T, J)``, and turned back in the joints that hang on it."""
        turn = rotation.from_axis_angle(np.broadcast_to(self.bones, (*angle.shape, 3)), angle)
        above = turn[..., self.parents, :].copy()
        above[..., 0, :] = rotation.IDENTITY
        return rotation.multiply(rotation.inverse(above), rotation.multiply(rotations, turn))


def way(skeleton: Skeleton, here: Array, there: Array, usual_here: Array, usual_there: Array) -> LimbWay:
    """How joints go from ``here`` to ``there``, both ``(B, T, J, 4)``, whose usual poses are ``(B, J, 4)``."""
    bones, parents = _bones(skeleton), np.maximum(skeleton.parents, 0)
    roll = np.zeros(usual_here.shape[:-1])
    # a joint's roll is known once that of the one above it is
    turn = rotation.identity(*roll.shape)
    for level in skeleton.levels[1:]:
        above = rotation.inverse(turn[:, parents[level]])
        difference = rotation.multiply(
            rotation.inverse(usual_here[:, level]), rotation.multiply(above, usual_there[:, level])
        )
        about = 2.0 * np.arctan2(np.einsum("bji,ji->bj", difference[..., 1:], bones[level]), difference[..., 0])
        about = (about + np.pi) % (2.0 * np.pi) - np.pi
        roll[:, level] = np.where(np.abs(about) > _ROLLED, about, 0.0)
        turn[:, level] = rotation.from_axis_angle(np.broadcast_to(bones[level], (*about.shape, 3)), -roll[:, level])
    # how far apart the joints are once they are rolled alike
    plain = LimbWay(np.zeros(roll.shape, bool), rotation.identity(*roll.shape)[:, None], bones, parents, roll)
    alike = plain.unrolled(there)
    middle = rotation.mean(np.stack([usual_here, plain.unrolled(usual_there[:, None])[:, 0]]))[:, None]
    far = rotation.angle_between(here, alike).max(axis=1) > _FAR
    for side in (here, alike):
        far &= rotation.angle_between(middle, side).max(axis=1) < _UNUSUAL
    far &= limbs(skeleton)
    return LimbWay(far, middle, bones, parents, roll)


def near(skeleton: Skeleton, vectors: Array) -> Bools:
    """``(...)``: which transitions have all limbs near one another, told by the joints' arcs ``(..., T, J, 3)``."""
    return np.asarray((rotation.length(vectors[..., limbs(skeleton), :]) < _FAR).all(axis=(-2, -1)))


@lru_cache(maxsize=16)
def limbs(skeleton: Skeleton) -> Bools:
    """``(J,)``: the joints for which a way is sought. Not the root, which turns with the whole body; nor what hangs on the last joints with
    a role: fingers are captured so badly that they often are half a turn apart. All but the root where a skeleton has no roles.
    """
    wanted = np.zeros(len(skeleton), bool)
    wanted[list(skeleton.roles.values()) or slice(None)] = True
    for joint in range(len(skeleton) - 1, 0, -1):
        wanted[skeleton.parents[joint]] |= wanted[joint]
    wanted[0] = False
    return wanted


def _bones(skeleton: Skeleton) -> Array:
    """``(J, 3)``: see `LimbWay.bones`."""
    bones = np.zeros((len(skeleton), 3))
    for joint, children in enumerate(skeleton.children):
        ends = [skeleton.offsets[child] for child in children if np.linalg.norm(skeleton.offsets[child]) > 1e-6]
        if len(ends) == 1 and limbs(skeleton)[joint]:
            bones[joint] = ends[0] / np.linalg.norm(ends[0])
    return bones

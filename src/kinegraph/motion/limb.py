"""Two-bone inverse kinematics: bend a knee or an elbow so that the end of the limb is where it should be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array
from kinegraph.motion import kinematics, rotation
from kinegraph.motion.skeleton import Skeleton

# A limb is never drawn quite straight: the bend's direction would be lost, and the joint would snap.
_STRAIGHTEST = 0.9999


def bend(top: Array, middle: Array, end: Array, target: Array, hinge: ArrayLike | None = None) -> tuple[Array, Array]:
    """World rotations ``(..., 4)`` of the upper and of the lower bone that bring ``end`` to ``target``.

    top, middle, end, target: ``(..., 3)``. The lower rotation comes first, about the middle joint; the upper one then turns the
    whole limb about ``top``. The limb bends in the plane it lies in. A straight limb has no such plane: it bends about
    ``hinge (..., 3)``, the axis about which the lower bone turns. A target out of reach is approached as far as the limb goes.
    """
    upper, lower, away = middle - top, end - middle, target - top
    a, b = rotation.length(upper), rotation.length(lower)
    wanted = np.maximum(rotation.length(away), np.abs(a - b) * 1.0001 + 1e-9)
    wanted = np.minimum(wanted, (a + b) * _STRAIGHTEST)
    axis = rotation.cross(upper, lower)
    # the sine of the present bend tells how far its plane can be trusted
    sine = rotation.length(axis) / np.maximum(a * b, 1e-12)
    if hinge is None:
        lost = sine <= 1e-6
    else:
        guide = np.asarray(hinge, dtype=np.float64)
        trusted = (sine > 1e-2) & (_dot(axis, guide) > 0)
        # only about an axis at right angles to the bone does the limb bend by the whole angle
        square = guide - (_dot(guide, upper) / np.maximum(a * a, 1e-12))[..., None] * upper
        lost = ~trusted & (rotation.length(square) <= 1e-6 * rotation.length(guide))
        axis = np.where(trusted[..., None], axis, square)
    if lost.any():
        across = rotation.cross(upper, np.eye(3)[np.argmin(np.abs(upper), axis=-1)])
        axis = np.where(lost[..., None], across, axis)
    cosine = (wanted**2 - a**2 - b**2) / np.maximum(2 * a * b, 1e-12)
    then = np.arccos(np.minimum(np.maximum(cosine, -1.0), 1.0))
    # drawn straight first, then bent: so it does not matter how it was bent before
    lower_turn = rotation.multiply(rotation.from_axis_angle(axis, then), rotation.between(lower, upper))
    reached = upper + rotation.rotate(lower_turn, lower)
    upper_turn = rotation.between(reached, away)
    return upper_turn, lower_turn


def _dot(a: Array, b: Array) -> Array:
    """Of vectors ``(..., 3)`` and ``(..., 3)``: ``(...)``."""
    products: Array = np.add.reduce(a * b, axis=-1)
    return products


def reach(
    skeleton: Skeleton,
    root: Array,
    rotations: Array,
    joints: tuple[int, int, int],
    target: Array,
    end_orientation: Array | None = None,
    hinge: ArrayLike | None = None,
    world: tuple[Array, Array] | None = None,
) -> Array:
    """Local rotations ``(F, J, 4)`` in which the limb's end is at ``target (F, 3)``.

    joints: top, middle and end joint of the limb, such as hip, knee and ankle. end_orientation: ``(F, 4)``, the world orientation
    that the end joint should have; by default it keeps its own. hinge: ``(F, 3)``, as in `bend`. world: positions and orientations
    of the limb's joints and of those above it, if they are known already.
    """
    top, middle, end = joints
    positions, orientations = kinematics.forward(skeleton, root, rotations) if world is None else world
    upper, lower = bend(positions[:, top], positions[:, middle], positions[:, end], target, hinge)
    if end_orientation is None:
        end_orientation = orientations[:, end]
    out = rotations.copy()
    turned = local(
        skeleton, orientations, ([top], [middle], [end]), (upper[:, None], lower[:, None]), end_orientation[:, None]
    )
    out[:, joints] = turned[:, :, 0]
    return out


def local(
    skeleton: Skeleton, orientations: Array, joints: Sequence[Sequence[int]], turns: tuple[Array, Array], ends: Array
) -> Array:
    """Local rotations ``(F, 3, S, 4)`` of S limbs after bending.

    orientations: ``(F, J, 4)`` in the world, before bending. joints: the top, middle and end joints, S of each. turns: the upper and the
    lower rotation of `bend`, ``(F, S, 4)`` each. ends: ``(F, S, 4)``, the world orientations of the end joints after bending.
    """
    tops, middles, _ = joints
    upper, lower = turns
    above = orientations[:, skeleton.parents.take(joints)]
    above[:, 0, np.equal(tops, 0)] = rotation.IDENTITY
    out = np.empty(above.shape)
    out[:, 0] = rotation.multiply(upper, orientations.take(tops, axis=1))
    # the upper turn carries all that lies between top and middle with it, so it cancels out of the middle's own rotation
    out[:, 1] = rotation.multiply(lower, orientations.take(middles, axis=1))
    out[:, 2] = ends
    above[:, 2] = rotation.multiply(upper, rotation.multiply(lower, above[:, 2]))
    return rotation.multiply(rotation.inverse(above), out)

"""Two-bone inverse kinematics: bend a knee or an elbow so that the end of the limb is where it should be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array
from kinegraph.motion import filters, kinematics, rotation
from kinegraph.motion.skeleton import Skeleton

# A limb is never drawn quite straight: the bend's direction would be lost, and the joint would snap.
_STRAIGHTEST = 0.9999
# Radians of a bend below which the hinge tells its plane, and from which on the limb itself does: knees that are drawn through are
# never bent the wrong way by so much.
_UNSURE, _SURE = 0.3, 0.6
# Seconds: about so near in time the plane of a bent limb tells that of a straight one.
_NEAR = 0.25
# How much a limb's usual hinge counts beside what it did lately.
_USUAL = 1e-3


def bend(top: Array, middle: Array, end: Array, target: Array, hinge: ArrayLike | None = None) -> tuple[Array, Array]:
    """World rotations ``(..., 4)`` of the upper and of the lower bone that bring ``end`` to ``target``.

    top, middle, end, target: ``(..., 3)``. The lower rotation comes first, about the middle joint; the upper one then turns the
    whole limb about ``top``, both by the shortest way. ``hinge (..., 3)`` is the axis about which the lower bone turns: by as much as the
    bend changes, it changes about the hinge, so that a limb keeps the plane in which it is bent, and a straight one, which has none, gets
    one. Without a hinge the limb bends in the plane it lies in. A target out of reach is approached as far as the limb goes.
    """
    upper, lower, away = middle - top, end - middle, target - top
    a, b = rotation.length(upper), rotation.length(lower)
    wanted = _within(rotation.length(away), a, b)
    cosine = (wanted**2 - a**2 - b**2) / np.maximum(2 * a * b, 1e-12)
    then = np.arccos(np.minimum(np.maximum(cosine, -1.0), 1.0))
    along = upper / np.maximum(a, 1e-12)[..., None]
    axis = _plane(along, lower / np.maximum(b, 1e-12)[..., None], then, hinge)
    bent = np.cos(then)[..., None] * along + np.sin(then)[..., None] * rotation.cross(axis, along)
    lower_turn = rotation.between(lower, bent)
    upper_turn = rotation.between(upper + b[..., None] * bent, away)
    return upper_turn, lower_turn


def reachable(top: Array, target: Array, bones: tuple[Array, Array]) -> Array:
    """Where ``(..., 3)`` a limb's end gets to that hangs on ``top (..., 3)`` by two bones of lengths ``(...)`` and should be at
    ``target``.
    """
    away = target - top
    far = rotation.length(away)
    out: Array = top + away * (_within(far, *bones) / np.maximum(far, 1e-12))[..., None]
    return out


def _within(far: Array, upper: Array, lower: Array) -> Array:
    """How far ``(...)`` from its top the end of a limb gets that should be ``far (...)`` from it."""
    return np.minimum(np.maximum(far, np.abs(upper - lower) * 1.0001 + 1e-9), (upper + lower) * _STRAIGHTEST)


def hinges(upper: Array, lower: Array, orientations: Array, fps: float) -> Array:
    """Axes ``(F, ..., 3)`` about which limbs bend, frame by frame: as they did shortly before and after, seen from the upper bone.

    upper, lower: ``(F, ..., 3)``, the bones. orientations: ``(F, ..., 4)``, the upper joints'. Only frames in which a limb is clearly bent
    tell how it bends just then: a knee may be drawn through for seconds. What it does on average tells where there are none. A bone that
    some files twist half around itself while its limb is bent takes its hinge with it. An axis is zero for a limb that never bends.
    """
    normal = rotation.cross(upper, lower)
    sine = rotation.length(normal)
    sure = _sure(np.arctan2(sine, _dot(upper, lower))) / np.maximum(sine, 1e-12)
    back = rotation.inverse(orientations)
    usual = rotation.rotate(back, normal).mean(axis=0)
    clear = rotation.rotate(back, sure[..., None] * normal)
    near = filters.smoothed(clear, _NEAR * fps, max(round(2 * _NEAR * fps), 1))
    return rotation.rotate(orientations, near + _USUAL * usual)


def _sure(angle: Array) -> Array:
    """How far ``(...)`` limbs that are bent by ``angle (...)`` radians can be trusted to bend as they should: from 0 to 1, smoothly."""
    part = np.minimum(np.maximum((angle - _UNSURE) / (_SURE - _UNSURE), 0.0), 1.0)
    sure: Array = part * part * (3.0 - 2.0 * part)
    return sure


def _plane(upper: Array, lower: Array, then: Array, hinge: ArrayLike | None) -> Array:
    """Unit axes ``(..., 3)``, at right angles to the upper bone, about which the lower one is bent by ``then (...)`` radians.

    upper, lower: unit vectors ``(..., 3)``. As vectors of the length of the angle, the bend that there is and what is added to it about
    the hinge make the bend that there shall be. So little depends on the plane of a limb that is nearly straight, or folded so far that
    upper and lower bone lie side by side: a plane that noise alone may turn about.
    """
    normal = rotation.cross(upper, lower)
    sine = rotation.length(normal)
    own = normal / np.maximum(sine, 1e-12)[..., None]
    straight = sine <= 1e-6
    across = rotation.cross(upper, np.eye(3)[np.argmin(np.abs(upper), axis=-1)])
    across /= np.maximum(rotation.length(across), 1e-12)[..., None]
    if hinge is None:
        return np.where(straight[..., None], across, own)
    guide = np.asarray(hinge, dtype=np.float64)
    square = guide - _dot(guide, upper)[..., None] * upper
    # only about an axis at right angles to the bone does the limb bend by the whole angle
    size = rotation.length(square)
    square /= np.maximum(size, 1e-12)[..., None]
    now = np.arctan2(sine, _dot(upper, lower))
    # a limb that is clearly bent knows its plane better than any hinge
    sure = np.where(size <= 1e-6 * rotation.length(guide), 1.0, _sure(now))[..., None]
    square = (1.0 - sure) * square + sure * np.where(straight[..., None], across, own)
    size = rotation.length(square)[..., None]
    square = np.where(size > 1e-6, square / np.maximum(size, 1e-12), own)
    beside = now[..., None] * (own - _dot(own, square)[..., None] * square)
    aside = rotation.length(beside)
    # a bend that becomes smaller than what of it is not about the hinge: all of it becomes less
    share = np.minimum(1.0, then / np.maximum(aside, 1e-12))
    beside *= share[..., None]
    bend = beside + np.sqrt(np.maximum(then**2 - (share * aside) ** 2, 0.0))[..., None] * square
    axis: Array = bend / np.maximum(rotation.length(bend), 1e-12)[..., None]
    return axis


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

"""Forward kinematics: from local rotations to places in the world, for all frames at once."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import rotation
from kinegraph.motion.skeleton import Skeleton


def forward(
    skeleton: Skeleton, root: Array, rotations: Array, translations: Array | None = None
) -> tuple[Array, Array]:
    """World positions ``(..., J, 3)`` and orientations ``(..., J, 4)`` of all joints.

    root: ``(..., 3)``. rotations: ``(..., J, 4)``, local to the parent. translations: ``(..., J, 3)``, which replace the skeleton's
    offsets if they are given.
    """
    positions = np.empty((*rotations.shape[:-1], 3))
    orientations = np.empty(rotations.shape)
    positions[..., 0, :] = root
    orientations[..., 0, :] = rotations[..., 0, :]
    for joints in skeleton.levels[1:]:
        above = orientations[..., skeleton.parents[joints], :]
        orientations[..., joints, :] = rotation.multiply(above, rotations[..., joints, :])
    # all bones at once, then laid end to end: for a short clip a turn of each level by itself would take twice as long
    offsets = skeleton.offsets[1:] if translations is None else translations[..., 1:, :]
    bones = rotation.rotate(orientations[..., skeleton.parents[1:], :], offsets)
    for joints in skeleton.levels[1:]:
        positions[..., joints, :] = positions[..., skeleton.parents[joints], :] + bones[..., joints - 1, :]
    return positions, orientations


def from_root(skeleton: Skeleton, joint: int, rotations: Array, translations: Array | None = None) -> Array:
    """One joint's position relative to the root, ``(..., 3)`` along the world's axes: as from `forward`, without posing the whole body."""
    place = np.zeros((*rotations.shape[:-2], 3))
    for bone in reversed(skeleton.chain(0, joint)[1:]):
        offset = skeleton.offsets[bone] if translations is None else translations[..., bone, :]
        place = rotation.rotate(rotations[..., skeleton.parents[bone], :], place + offset)
    return place


def tips(skeleton: Skeleton, positions: Array, orientations: Array) -> Array:
    """World positions ``(..., E, 3)`` of the skeleton's tips, from those of its joints."""
    held = skeleton.tip_parents
    return positions[..., held, :] + rotation.rotate(orientations[..., held, :], skeleton.tip_offsets)


def local(skeleton: Skeleton, orientations: Array) -> Array:
    """Local rotations ``(..., J, 4)`` of world orientations ``(..., J, 4)``: the inverse of `forward`."""
    rotations = orientations.copy()
    above = orientations[..., skeleton.parents[1:], :]
    rotations[..., 1:, :] = rotation.multiply(rotation.inverse(above), orientations[..., 1:, :])
    return rotations

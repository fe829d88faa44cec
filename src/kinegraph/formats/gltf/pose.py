"""From tracks to a body's motion: every joint's place and rotation in every frame, scale and armature folded in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array
from kinegraph.formats.gltf.nodes import Nodes, Placement
from kinegraph.formats.gltf.rig import Rig
from kinegraph.formats.gltf.tracks import Track
from kinegraph.motion import rotation

# Joints whose translation moves less than this, relative to the longest bone, are rigid: rounding.
_RIGID = 1e-5
# Scales that differ by less than this, from axis to axis or from key to key, are the same.
_EVEN = 1e-3

Tracks = Mapping[tuple[int, str], Track]


@dataclass(frozen=True)
class Pose:
    """A body's motion as in `RawMotion`.

    root: ``(F, 3)``. rotations: ``(F, J, 4)``. offsets: ``(J, 3)``. translations: ``(F, J, 3)`` or None.
    """

    root: Array
    rotations: Array
    offsets: Array
    translations: Array | None
    notices: tuple[str, ...] = ()


def posed(nodes: Nodes, rig: Rig, tracks: Tracks, times: Array, slack: float) -> Pose:
    """The rig's joints at ``times (F,)``; whatever is above them is folded into the root, whatever scales them into their lengths."""
    rest = {node: nodes.placement(node) for node in rig.all_nodes}
    scales, notices = _scales(nodes, rig, rest, tracks)

    def value(node: int, path: str) -> Array:
        """Keys' values ``(F, C)``, or ``(1, C)`` where nothing moves the node."""
        track = tracks.get((node, path))
        fixed = rest[node].translation if path == "translation" else rest[node].rotation
        return fixed[None] if track is None else track.at(times, slack)

    place, turn, size = np.zeros((1, 3)), rotation.identity(1), 1.0
    for node in rig.above:
        place = place + rotation.rotate(turn, size * value(node, "translation"))
        turn = rotation.multiply(turn, value(node, "rotation"))
        size *= scales[node]
    first, frames, count = rig.joints[0], len(times), len(rig.joints)
    root = place + rotation.rotate(turn, size * value(first, "translation"))
    rotations = np.empty((frames, count, 4))
    rotations[:, 0] = rotation.multiply(turn, value(first, "rotation"))
    sizes = [size * scales[first]]
    shifts: list[Array] = [np.zeros((1, 3))]
    for node, parent in zip(rig.joints[1:], rig.parents[1:], strict=True):
        joint = len(sizes)
        rotations[:, joint] = value(node, "rotation")
        shifts.append(sizes[parent] * value(node, "translation"))
        sizes.append(sizes[parent] * scales[node])
    offsets, translations = _lengths(shifts, frames)
    return Pose(np.broadcast_to(root, (frames, 3)).copy(), rotations, offsets, translations, notices)


def _lengths(shifts: list[Array], frames: int) -> tuple[Array, Array | None]:
    """Offsets ``(J, 3)`` of the joints and, where bones change length, all translations ``(F, J, 3)``."""
    offsets = np.array([shift[0] for shift in shifts])
    least = _RIGID * max(float(np.abs(offsets).max()), 1e-12)
    moving = [joint for joint, shift in enumerate(shifts) if np.ptp(shift, axis=0).max() > least]
    if not moving:
        return offsets, None
    translations = np.tile(offsets, (frames, 1, 1))
    for joint in moving:
        translations[:, joint] = shifts[joint]
    return offsets, translations


def _scales(
    nodes: Nodes, rig: Rig, rest: Mapping[int, Placement], tracks: Tracks
) -> tuple[dict[int, float], tuple[str, ...]]:
    """One factor a node, and what had to be left out: a body of rigid bones has no scale that changes or is uneven."""
    factors: dict[int, float] = {}
    changing, uneven, mirrored = list[int](), list[int](), list[int]()
    for node in (*rig.above, *rig.joints):
        scale = rest[node].scale
        track = tracks.get((node, "scale"))
        if track is not None:
            if np.ptp(track.values, axis=0).max() <= _EVEN * np.abs(track.values).max():
                scale = track.values[0]
            else:
                changing.append(node)
        sizes = np.abs(scale)
        if np.any(scale < 0):
            mirrored.append(node)
        if sizes.min() <= 0.0 or np.ptp(sizes) > _EVEN * sizes.max():
            uneven.append(node)
        factors[node] = float(np.cbrt(sizes.prod())) if sizes.min() > 0.0 else 1.0
    notices = (
        (changing, "the scale of {} changes during the motion: the changes are ignored"),
        (uneven, "the scale of {} differs from axis to axis: its mean is taken"),
        (mirrored, "the scale of {} is negative: its sign is ignored"),
    )
    return factors, tuple(text.format(nodes.names(which)) for which, text in notices if which)


def upright(pose: Pose, nodes: Nodes, rig: Rig) -> Pose:
    """The same motion with joint axes that are parallel to the world's when the body stands as it was bound.

    Tools lay a joint's axes along its bone; here the rest pose, in which nothing is turned, is the shape of the body. With B the world
    rotations of the bind pose, P a joint's parent: rotations become B(P) q B⁻¹, and offsets B(P) o.
    """
    bind = np.empty((len(rig.joints), 4))
    world = rotation.IDENTITY
    for node in rig.above:
        world = rotation.multiply(world, nodes.placement(node).rotation)
    over = np.empty_like(bind)
    for joint, (node, parent) in enumerate(zip(rig.joints, rig.parents, strict=True)):
        over[joint] = world if parent < 0 else bind[parent]
        given = rig.bind.get(node)
        bind[joint] = rotation.multiply(over[joint], nodes.placement(node).rotation) if given is None else given
    over[0] = rotation.IDENTITY  # what is above the root has been folded into it
    rotations = rotation.multiply(rotation.multiply(over, pose.rotations), rotation.inverse(bind))
    translations = pose.translations
    return replace(
        pose,
        rotations=rotations,
        offsets=rotation.rotate(over, pose.offsets),
        translations=None if translations is None else rotation.rotate(over, translations),
    )

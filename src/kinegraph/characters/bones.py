"""The joints of a rigged mesh: who hangs on whom, and where each stood when the mesh was bound to them.

The pose in which a file lies there may be any, a frame of a walk or a heap; the one in which the skin was bound is a stance. Only that one
is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools, Indices
from kinegraph.errors import FormatError
from kinegraph.formats.gltf.accessors import Accessors
from kinegraph.formats.gltf.document import Element
from kinegraph.formats.gltf.nodes import Nodes, Placement
from kinegraph.formats.gltf.rig import Rig
from kinegraph.motion import rotation

# Scales that differ by less than this from axis to axis are the same.
_EVEN = 0.02
# Numbers of a matrix that differ by less are the same.
_PLAIN = 1e-6
# Matrices that squash space by more than this cannot be undone.
_FLAT = 1e-12


@dataclass(frozen=True, eq=False)
class Bones:
    """J joints as nodes of a file, parents before children, in the pose in which the mesh was bound.

    Places and turns are along the axes of the mesh, whatever they are, in the world's unit.
    """

    nodes: tuple[int, ...]
    names: tuple[str, ...]
    parents: Indices
    """``(J,)``: −1 for the first."""
    over: Array
    """``(4, 4)``: the matrix of all that stands above the first joint."""
    places: Array
    """``(J, 3)``."""
    turns: Array
    """``(J, 4)``."""
    sizes: Array
    """``(J,)``: how many times its own unit each joint's node shows."""
    rest: tuple[Placement, ...]
    """Where each node stands on its parent in the file."""
    inverse: tuple[Array, ...]
    """For each skin of the body, its inverse bind matrices ``(N, 4, 4)``, as they are in the file."""
    members: tuple[tuple[int, ...], ...]
    """For each skin, which joint each of these belongs to."""
    bound: Array
    """``(J, 4, 4)``: from a joint's own axes and unit to those of the mesh, in the world's unit."""
    up: Array
    """``(3,)``: which way is up, as the file lies there."""
    notices: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)


def of_rig(nodes: Nodes, rig: Rig, skins: Sequence[Element], accessors: Accessors) -> Bones:
    """The joints of a body, with what its skins say of the pose in which they were bound."""
    index = {node: joint for joint, node in enumerate(rig.joints)}
    rest = tuple(nodes.placement(node) for node in rig.joints)
    over = np.eye(4)
    for node in rig.above:
        over = over @ matrix(nodes.placement(node))
    now = _world(over, rest, rig.parents)
    notices: list[str] = []
    inverse, members = [], []
    for skin in skins:
        members.append(tuple(index[node] for node in skin.integers("joints")))
        inverse.append(_inverse_bind(skin, accessors, notices))
    bound, known = _bound(now, inverse, members, rig.parents, rest)
    first = int(np.argmax(known))
    seen, meant = _size(now), _size(bound)
    factor = seen[first] / meant[first]
    uneven = [name for name, one in zip(map(nodes.name, rig.joints), now, strict=True) if not _is_even(one)]
    if uneven:
        notices.append(f"the scale of {uneven[0]} differs from axis to axis: its mean is taken")
    scaled = bound.copy()
    scaled[:, :3] *= factor
    hint = (now[first, :3, :3] / seen[first]) @ np.linalg.inv(bound[first, :3, :3] / meant[first])
    return Bones(
        nodes=rig.joints,
        names=tuple(map(nodes.name, rig.joints)),
        parents=np.array(rig.parents, np.intp),
        over=over,
        places=scaled[:, :3, 3],
        turns=np.array([rotation.from_matrix(_orthogonal(one[:3, :3])) for one in scaled]),
        sizes=seen,
        rest=rest,
        inverse=tuple(inverse),
        members=tuple(members),
        bound=scaled,
        up=hint.T @ np.array([0.0, 1.0, 0.0]),
        notices=tuple(dict.fromkeys(notices)),
    )


def matrix(placement: Placement) -> Array:
    """A placement as a matrix ``(4, 4)`` that acts on column vectors."""
    out = np.eye(4)
    out[:3, :3] = rotation.to_matrix(placement.rotation) * placement.scale
    out[:3, 3] = placement.translation
    return out


def _world(over: Array, rest: Sequence[Placement], parents: Sequence[int]) -> Array:
    """Matrices ``(J, 4, 4)`` of the joints as the file lies there."""
    out = np.empty((len(rest), 4, 4))
    for joint, (placement, parent) in enumerate(zip(rest, parents, strict=True)):
        out[joint] = (over if parent < 0 else out[parent]) @ matrix(placement)
    return out


def _inverse_bind(skin: Element, accessors: Accessors, notices: list[str]) -> Array:
    """Inverse bind matrices ``(N, 4, 4)`` of a skin; zeros where they are not known."""
    count = len(skin.integers("joints"))
    if "inverseBindMatrices" not in skin.fields:
        notices.append("the skin does not say in which pose it was bound: the one in the file is taken")
        return np.zeros((count, 4, 4))
    try:
        found = accessors.get(skin.integer("inverseBindMatrices"), "MAT4", skin.place("inverseBindMatrices"))
    except FormatError as error:
        if "compressed" not in str(error):
            raise
        notices.append("the pose in which the skin was bound is compressed: the one in the file is taken")
        return np.zeros((count, 4, 4))
    if len(found) < count:
        raise skin.error(f"{count} joints, but only {len(found)} inverse bind matrices")
    matrices: Array = found[:count].reshape(-1, 4, 4).transpose(0, 2, 1)
    return matrices


def _bound(
    now: Array,
    inverse: Sequence[Array],
    members: Sequence[Sequence[int]],
    parents: Sequence[int],
    rest: Sequence[Placement],
) -> tuple[Array, Bools]:
    """Matrices ``(J, 4, 4)`` of the joints in the bind pose, along the first skin's axes, and which ``(J,)`` of them a skin surely tells:
    one that is the identity may be left out.

    What no skin tells stands on its parent, or carries its child, as the file lies there.
    """
    out = now.copy()
    known, plain = np.zeros((2, len(now)), np.bool_)
    for matrices, joints in zip(inverse, members, strict=True):
        sound = np.abs(np.linalg.det(matrices[:, :3, :3])) > _FLAT
        sound &= ~_left_out(matrices, joints, now, parents, rest)
        if not sound.any():
            continue
        own = {joint: np.linalg.inv(one) for one, joint, good in zip(matrices, joints, sound, strict=True) if good}
        # skins may be bound along axes of their own: a joint that two of them share tells how these lie to each other
        shared = next((joint for joint in own if known[joint]), None)
        if shared is not None:
            across = out[shared] @ np.linalg.inv(own[shared])
        elif known.any():
            first, other = int(np.argmax(known)), next(iter(own))
            across = out[first] @ np.linalg.inv(now[first]) @ now[other] @ np.linalg.inv(own[other])
        else:
            across = np.eye(4)
        for joint, one in own.items():
            if not known[joint]:
                out[joint], known[joint] = across @ one, True
                plain[joint] = _is_plain(one)
    if not known.any():
        return out, np.ones(len(now), np.bool_)
    told, reached = known.copy(), known.copy()
    for joint in range(len(now) - 1, 0, -1):
        parent = parents[joint]
        if reached[joint] and not reached[parent]:
            out[parent] = out[joint] @ np.linalg.inv(now[joint]) @ now[parent]
            reached[parent] = True
    for joint in range(1, len(now)):
        if not reached[joint]:
            out[joint] = out[parents[joint]] @ np.linalg.inv(now[parents[joint]]) @ now[joint]
            reached[joint] = True
    sure = told & ~plain
    return out, sure if sure.any() else told


def _left_out(
    matrices: Array, joints: Sequence[int], now: Array, parents: Sequence[int], rest: Sequence[Placement]
) -> Bools:
    """Which ``(N,)`` matrices of a skin say nothing: some tools write the identity for joints that no vertex follows.

    It is meant where it can be: above all others, at their scale, and where nothing lies between a joint and its parent.
    """
    plain = np.array([_is_plain(one) for one in matrices])
    if plain.all() or not plain.any():
        return np.zeros(len(plain), np.bool_)
    sizes = _size(now[list(joints)]) * _size(matrices)
    usual = float(np.median(sizes[~plain]))
    meant: dict[int, bool] = {}
    for number in np.argsort(joints):
        joint = joints[number]
        above = meant.get(parents[joint], parents[joint] not in joints) and (
            parents[joint] < 0 or not np.any(np.abs(rest[joint].translation) > _PLAIN)
        )
        meant[joint] = bool(plain[number] and above and abs(sizes[number] - usual) < _EVEN * usual)
    left_out: Bools = plain & ~np.array([meant[joint] for joint in joints])
    return left_out


def _is_plain(matrix: Array) -> bool:
    return bool(np.allclose(matrix, np.eye(4), rtol=0.0, atol=_PLAIN))


def _size(matrices: Array) -> Array:
    """How many times ``(J,)`` larger matrices ``(J, 4, 4)`` make things."""
    size: Array = np.cbrt(np.abs(np.linalg.det(matrices[:, :3, :3])))
    return np.maximum(size, _FLAT)


def _is_even(one: Array) -> bool:
    lengths = np.linalg.norm(one[:3, :3], axis=0)
    return float(np.ptp(lengths)) <= _EVEN * float(lengths.max())


def _orthogonal(axes: Array) -> Array:
    """The rotation ``(3, 3)`` that is nearest to a matrix."""
    u, _, v = np.linalg.svd(axes)
    turn: Array = u @ np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ v))]) @ v
    return turn

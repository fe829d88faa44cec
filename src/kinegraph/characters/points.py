"""The points of a rigged mesh: every vertex in the pose in which the mesh was bound, and the joints that it follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools, Indices, Singles
from kinegraph.characters.bones import Bones, matrix
from kinegraph.errors import FormatError, MissingExtraError
from kinegraph.formats.gltf import draco
from kinegraph.formats.gltf.accessors import Accessors
from kinegraph.formats.gltf.document import Document, Element
from kinegraph.formats.gltf.nodes import Nodes
from kinegraph.motion import rotation

# Joints that a vertex follows; glTF has four to a set.
_SET = 4
# The glTF code of numbers with a fraction.
_SINGLES = 5126


@dataclass(frozen=True, eq=False)
class SkinPoints:
    """V vertices. Joints without weight are 0."""

    places: Array
    """``(V, 3)``: in the bind pose."""
    joints: Indices
    """``(V, K)``: the joints that each follows."""
    weights: Array
    """``(V, K)``: how much, 1 in all."""

    def __len__(self) -> int:
        return len(self.places)

    def shares(self, joints: Sequence[int]) -> Array:
        """How much ``(V,)`` of each vertex follows any of some joints."""
        held: Array = (self.weights * np.isin(self.joints, joints)).sum(axis=1)
        return held

    def some(self, which: Indices | Bools) -> SkinPoints:
        """Some of them, by indices or by a mask."""
        return SkinPoints(self.places[which], self.joints[which], self.weights[which])

    def posed(self, rest: Array, positions: Array | Singles, orientations: Array) -> Array:
        """Where ``(F, V, 3)`` they are when joints that rest at ``rest (J, 3)`` are at ``positions (F, J, 3)``, turned by ``orientations
        (F, J, 4)``. In as many digits as the positions have.
        """
        digits = positions.dtype
        used = np.unique(self.joints[self.weights > 0])
        # one product for all: where a point is on each joint, weighted, and the weight itself, by how that joint is turned and where it is
        own = np.empty((len(used), 4, len(self)))
        for number, joint in enumerate(used):
            share = self.shares([int(joint)])
            own[number, :3], own[number, 3] = share * (self.places - rest[joint]).T, share
        turned = np.empty((len(positions), 3, len(used), 4), digits)
        turned[..., :3] = rotation.to_matrix(orientations[:, used]).transpose(0, 2, 1, 3)
        turned[..., 3] = positions[:, used].transpose(0, 2, 1)
        # frame by frame: of one large product threads would share the work, and spend more than they save
        posed = turned.reshape(len(positions), 3, -1) @ own.reshape(-1, len(self)).astype(digits)
        out: Array = posed.transpose(0, 2, 1)
        return out


NONE = SkinPoints(np.zeros((0, 3)), np.zeros((0, _SET), np.intp), np.zeros((0, _SET)))
"""No points."""


def of_body(
    document: Document, nodes: Nodes, bones: Bones, skins: Sequence[Element], accessors: Accessors
) -> tuple[SkinPoints, tuple[str, ...]]:
    """All vertices that follow joints of the body, those of rigid parts that hang on a joint included; and what could not be read."""
    index = {node: joint for joint, node in enumerate(bones.nodes)}
    numbers = {skin.where: number for number, skin in enumerate(skins)}
    parts: list[SkinPoints] = []
    notices: dict[str, None] = {}
    for node in range(len(nodes)):
        element = nodes.element(node)
        if "mesh" not in element.fields:
            continue
        mesh = document.root.item("meshes", element.integer("mesh"), element.where)
        skin = numbers.get(f"skins[{element.integer('skin')}]") if "skin" in element.fields else None
        bearer = next((index[one] for one in [node, *nodes.above(node)[::-1]] if one in index), None)
        if skin is None and ("skin" in element.fields or bearer is None):
            continue
        for primitive in mesh.items("primitives"):
            try:
                part = (
                    _rigid(primitive, nodes, node, bones, bearer, accessors)
                    if skin is None and bearer is not None
                    else _skinned(primitive, bones, skin or 0, accessors)
                )
            except (FormatError, MissingExtraError) as error:
                lacks = isinstance(error, MissingExtraError)
                if not lacks and "which is not read" not in str(error):
                    raise
                how = f"{draco.NAME}, and DracoPy is not installed" if lacks else "a compression that is not read"
                remedy = "install it with pip install 'kinegraph[draco]'" if lacks else "export it without"
                notices[
                    f"the mesh is packed by {how}, so its skin cannot be seen: it is written as it is, its soles are guessed from its "
                    f"joints and its size, and its hands are not kept out of its trunk ({remedy}, for feet that stand by the skin)"
                ] = None
                continue
            if part is not None:
                parts.append(part)
            else:
                notices["a part of the mesh has no weights: it does not follow the joints"] = None
    return _joined(parts), tuple(notices)


def corners_of_body(document: Document, nodes: Nodes, bones: Bones, skins: Sequence[Element]) -> Array:
    """Corners ``(C, 3)`` of boxes about the skinned parts of a mesh, which a file tells also of parts that are compressed."""
    numbers = {skin.where: number for number, skin in enumerate(skins)}
    found = [np.zeros((0, 3))]
    for element in map(nodes.element, range(len(nodes))):
        if not {"mesh", "skin"} <= element.fields.keys():
            continue
        skin = numbers.get(f"skins[{element.integer('skin')}]")
        if skin is None or not bones.inverse[skin].any():
            continue
        carried = (bones.bound[bones.members[skin][0]] @ bones.inverse[skin][0])[:3]
        mesh = document.root.item("meshes", element.integer("mesh"), element.where)
        for primitive in mesh.items("primitives"):
            place = primitive.needed("attributes").integer("POSITION")
            box = _box(document.root.item("accessors", place, primitive.where))
            found.append(box @ carried[:, :3].T + carried[:, 3])
    return np.concatenate(found)


def _box(accessor: Element) -> Array:
    """The corners of all that an accessor holds; none where it does not tell, or in whole numbers, whose unit is compressed too."""
    told = accessor.fields
    try:
        ends = np.array([told.get("min", ()), told.get("max", ())], np.float64)
    except (TypeError, ValueError):
        return np.zeros((0, 3))
    if told.get("componentType") != _SINGLES or ends.shape != (2, 3) or not np.isfinite(ends).all():
        return np.zeros((0, 3))
    return np.stack(np.meshgrid(*ends.T), axis=-1).reshape(-1, 3)


def _skinned(primitive: Element, bones: Bones, skin: int, accessors: Accessors) -> SkinPoints | None:
    places = accessors.attribute(primitive, "POSITION", "VEC3")
    attributes = primitive.needed("attributes")
    joints: list[Array] = []
    weights: list[Array] = []
    for number in (0, 1):
        if f"JOINTS_{number}" not in attributes.fields or f"WEIGHTS_{number}" not in attributes.fields:
            break
        for name, into in (("JOINTS", joints), ("WEIGHTS", weights)):
            into.append(accessors.attribute(primitive, f"{name}_{number}", "VEC4"))
    if not joints or any(len(one) != len(places) for one in (*joints, *weights)):
        return None
    members = np.array(bones.members[skin], np.intp)
    share = np.concatenate(weights, axis=1)
    # some tools leave any number where a vertex follows no joint
    which = np.where(share > 0, np.concatenate(joints, axis=1), 0).astype(np.intp)
    if which.max(initial=0) >= len(members):
        raise primitive.error(f"a vertex follows joint {which.max()}, but the skin has {len(members)}")
    whole = share.sum(axis=1, keepdims=True)
    share = share / np.where(whole > 0, whole, 1.0)
    inverse = bones.inverse[skin]
    if not inverse.any():
        inverse = np.tile(np.eye(4), (len(members), 1, 1))
    carried = bones.bound[members] @ inverse
    spread = np.concatenate([places, np.ones((len(places), 1))], axis=1)
    out = np.zeros((len(places), 3))
    for column in range(which.shape[1]):
        out += share[:, column, None] * np.einsum("vij,vj->vi", carried[which[:, column], :3], spread)
    joints_of = np.where(share > 0, members[which], 0)
    return _in_sets(SkinPoints(out, joints_of, share))


def _rigid(
    primitive: Element, nodes: Nodes, node: int, bones: Bones, bearer: int, accessors: Accessors
) -> SkinPoints | None:
    """A part without a skin, which goes with the joint that it hangs on."""
    places = accessors.attribute(primitive, "POSITION", "VEC3")
    on = np.eye(4)
    while node != bones.nodes[bearer]:
        on = matrix(nodes.placement(node)) @ on
        node = nodes.parents[node]
    moved = (bones.bound[bearer] @ on)[:3]
    joints, weights = np.zeros((len(places), _SET), np.intp), np.zeros((len(places), _SET))
    joints[:, 0], weights[:, 0] = bearer, 1.0
    return SkinPoints(places @ moved[:, :3].T + moved[:, 3], joints, weights)


def _in_sets(points: SkinPoints) -> SkinPoints:
    """The same with the four joints that weigh most."""
    if points.joints.shape[1] == _SET:
        return points
    order = np.argsort(-points.weights, axis=1)[:, :_SET]
    weights = np.take_along_axis(points.weights, order, axis=1)
    return SkinPoints(
        points.places,
        np.take_along_axis(points.joints, order, axis=1),
        weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-12),
    )


def _joined(parts: Sequence[SkinPoints]) -> SkinPoints:
    if not parts:
        return NONE
    arrays = ([getattr(part, name) for part in parts] for name in ("places", "joints", "weights"))
    places, joints, weights = (np.concatenate(some) for some in arrays)
    held = weights.sum(axis=1) > 0.5
    return SkinPoints(places[held], joints[held], weights[held])

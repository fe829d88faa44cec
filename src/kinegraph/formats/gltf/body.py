"""A skeleton and its mesh as the nodes, skin, mesh and materials of a glTF file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.formats.gltf import extras
from kinegraph.formats.gltf.buffer import ARRAY, INDICES, Buffer
from kinegraph.formats.gltf.sticks import sticks
from kinegraph.mannequin.body import mannequin
from kinegraph.mannequin.mesh import Mesh
from kinegraph.motion import Motion, Skeleton, kinematics, rotation

Colour = tuple[float, float, float]

# Skin and cloth, not metal: what catches the light says little, the shape says all.
_ROUGHNESS = 0.8
# More joints or vertices than this need the next wider integer; the largest one is kept free.
_BYTE, _SHORT = 255, 65535


def surface(motion: Motion, wanted: bool) -> Mesh:
    """The mannequin of a motion's body, or thin bones where none is wanted or can be made."""
    if wanted:
        body = mannequin(motion.skeleton, motion)
        if len(body.faces):
            return body
    return sticks(motion.skeleton)


@dataclass(frozen=True, eq=False)
class Shape:
    """A skeleton and its mesh as they stand in a file's buffer, however many bodies share them."""

    skeleton: Skeleton
    bind: Array
    """``(J, 4)``: local rotations of the pose that the mesh was bound in."""
    offsets: Array
    """``(J, 3)``: where the joints rest against those above them; the body stands on the floor over the origin."""
    primitives: list[dict[str, Any]]
    """The mesh, one primitive a look; its material is the number of the look."""
    looks: list[tuple[str, Colour]]
    """What the parts of the mesh are called, and their colours."""
    matrices: int
    """The accessor of the inverse bind matrices."""

    def nodes(self, first: int, name: str, mesh: int = 0, skin: int = 0) -> list[dict[str, Any]]:
        """One body's nodes, numbered from ``first``: its joints, and behind them the node that shows the mesh."""
        nodes = []
        turns = np.roll(self.bind, -1, axis=1).tolist()
        for joint, offset, turn, below in zip(
            self.skeleton.names, self.offsets.tolist(), turns, self.skeleton.children, strict=True
        ):
            node: dict[str, Any] = {"name": joint, "translation": offset, "rotation": turn}
            nodes.append(node | {"children": [first + child for child in below]} if below else node)
        return [*nodes, {"name": f"{name} body", "mesh": mesh, "skin": skin}]

    def skin(self, first: int, name: str) -> dict[str, Any]:
        """The skin of the body whose nodes are numbered from ``first``."""
        skin: dict[str, Any] = {
            "name": name,
            "skeleton": first,
            "joints": list(range(first, first + len(self.skeleton))),
            "inverseBindMatrices": self.matrices,
        }
        said = extras.of_skin(self.skeleton)
        return skin | {"extras": said} if said else skin


def shape(skeleton: Skeleton, mesh: Mesh, buffer: Buffer) -> Shape:
    """Put a skeleton's mesh into a buffer."""
    lift = np.array([0.0, -float(mesh.vertices[:, 1].min()), 0.0])
    lift[[0, 2]] = -skeleton.offsets[0, [0, 2]]
    offsets = skeleton.offsets.copy()
    offsets[0] += lift
    matrices = _inverse_bind(skeleton, offsets[0], mesh.bind, buffer)
    primitives = _primitives(mesh, lift, len(skeleton), buffer)
    return Shape(skeleton, mesh.bind, offsets, primitives, _looks(mesh), matrices)


def described(skeleton: Skeleton, mesh: Mesh, buffer: Buffer, name: str) -> dict[str, Any]:
    """The tree of a file with one body, but for its animations: joint k is node k.

    The body stands in the pose it was bound in, which is also where the nodes rest.
    """
    made = shape(skeleton, mesh, buffer)
    return {
        "scene": 0,
        "scenes": [{"name": name, "nodes": [0, len(skeleton)]}],
        "nodes": made.nodes(0, name),
        "skins": [made.skin(0, name)],
        "meshes": [{"name": f"{name} body", "primitives": made.primitives}],
        "materials": [material(part, colour) for part, colour in made.looks],
    }


def material(name: str, colour: Colour) -> dict[str, Any]:
    """A plain surface in a colour, linear."""
    return {
        "name": name,
        "pbrMetallicRoughness": {
            "baseColorFactor": [*colour, 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": _ROUGHNESS,
        },
    }


def _inverse_bind(skeleton: Skeleton, root: Array, bind: Array, buffer: Buffer) -> int:
    positions, orientations = kinematics.forward(skeleton, root, bind)
    inverse = np.tile(np.eye(4), (len(skeleton), 1, 1))
    inverse[:, :3, :3] = rotation.to_matrix(rotation.inverse(orientations))
    inverse[:, :3, 3] = -rotation.rotate(rotation.inverse(orientations), positions)
    buffer.view()
    # matrices stand by columns
    return buffer.add(inverse.transpose(0, 2, 1).astype("<f4"))


def _looks(mesh: Mesh) -> list[tuple[str, Colour]]:
    """The different looks of the parts: one material and one primitive each, however many parts share it."""
    return list(dict.fromkeys((part.name, part.colour) for part in mesh.parts))


def _primitives(mesh: Mesh, lift: Array, joints: int, buffer: Buffer) -> list[dict[str, Any]]:
    primitives = []
    normals = mesh.normals / np.maximum(np.linalg.norm(mesh.normals, axis=-1, keepdims=True), 1e-12)
    weights = _weights(mesh.weights)
    held = np.where(weights > 0, mesh.joints, 0)  # a joint without weight has to be the first
    for material, look in enumerate(_looks(mesh)):
        parts = [mesh.faces[part.first : part.last] for part in mesh.parts if (part.name, part.colour) == look]
        used, corners = np.unique(np.concatenate(parts), return_inverse=True)
        attributes = {}
        for name, values in (
            ("POSITION", (mesh.vertices[used] + lift).astype("<f4")),
            ("NORMAL", normals[used].astype("<f4")),
            ("JOINTS_0", held[used].astype("|u1" if joints <= _BYTE else "<u2")),
            ("WEIGHTS_0", weights[used]),
        ):
            buffer.view(ARRAY)
            attributes[name] = buffer.add(values, bounds=name == "POSITION")
        buffer.view(INDICES)
        indices = buffer.add(corners.ravel().astype("<u2" if len(used) <= _SHORT else "<u4"))
        primitives.append({"attributes": attributes, "indices": indices, "material": material})
    return primitives


def _weights(weights: Array) -> Any:
    """Weights ``(V, 4)`` in single precision that still sum to 1: the largest takes what rounding leaves."""
    small = weights.astype("<f4")
    rows = np.arange(len(small))
    largest = small.argmax(axis=1)
    small[rows, largest] = 0.0
    small[rows, largest] = 1.0 - small.sum(axis=1)
    return small

"""A skeleton and its mesh as the nodes, skin, mesh and materials of a glTF file."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.formats.gltf import extras
from kinegraph.formats.gltf.buffer import ARRAY, INDICES, Buffer
from kinegraph.mannequin.mesh import Mesh
from kinegraph.motion import Skeleton, kinematics, rotation

# Skin and cloth, not metal: what catches the light says little, the shape says all.
_ROUGHNESS = 0.8
# More joints or vertices than this need the next wider integer; the largest one is kept free.
_BYTE, _SHORT = 255, 65535


def described(skeleton: Skeleton, mesh: Mesh, buffer: Buffer, name: str) -> dict[str, Any]:
    """The file's tree but for its animations: joint k is node k, and behind the joints stands the node that shows the mesh.

    The body stands on the floor over the origin in the pose it was bound in, which is also where the nodes rest.
    """
    lift = np.array([0.0, -float(mesh.vertices[:, 1].min()), 0.0])
    lift[[0, 2]] = -skeleton.offsets[0, [0, 2]]
    offsets = skeleton.offsets.copy()
    offsets[0] += lift
    return {
        "scene": 0,
        "scenes": [{"name": name, "nodes": [0, len(skeleton)]}],
        "nodes": [*_joints(skeleton, offsets, mesh.bind), {"name": f"{name} body", "mesh": 0, "skin": 0}],
        "skins": [_skin(skeleton, offsets[0], mesh.bind, buffer, name)],
        "meshes": [{"name": f"{name} body", "primitives": _primitives(mesh, lift, len(skeleton), buffer)}],
        "materials": [
            {
                "name": part,
                "pbrMetallicRoughness": {
                    "baseColorFactor": [*colour, 1.0],
                    "metallicFactor": 0.0,
                    "roughnessFactor": _ROUGHNESS,
                },
            }
            for part, colour in _looks(mesh)
        ],
    }


def _joints(skeleton: Skeleton, offsets: Array, bind: Array) -> list[dict[str, Any]]:
    nodes = []
    for name, offset, turn, children in zip(
        skeleton.names, offsets.tolist(), np.roll(bind, -1, axis=1).tolist(), skeleton.children, strict=True
    ):
        node: dict[str, Any] = {"name": name, "translation": offset, "rotation": turn}
        nodes.append(node | {"children": list(children)} if children else node)
    return nodes


def _skin(skeleton: Skeleton, root: Array, bind: Array, buffer: Buffer, name: str) -> dict[str, Any]:
    positions, orientations = kinematics.forward(skeleton, root, bind)
    inverse = np.tile(np.eye(4), (len(skeleton), 1, 1))
    inverse[:, :3, :3] = rotation.to_matrix(rotation.inverse(orientations))
    inverse[:, :3, 3] = -rotation.rotate(rotation.inverse(orientations), positions)
    buffer.view()
    # matrices stand by columns
    matrices = buffer.add(inverse.transpose(0, 2, 1).astype("<f4"))
    skin: dict[str, Any] = {
        "name": name,
        "skeleton": 0,
        "joints": list(range(len(skeleton))),
        "inverseBindMatrices": matrices,
    }
    said = extras.of_skin(skeleton)
    return skin | {"extras": said} if said else skin


def _looks(mesh: Mesh) -> list[tuple[str, tuple[float, float, float]]]:
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

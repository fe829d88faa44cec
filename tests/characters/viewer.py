"""A viewer of glTF files by the specification alone: matrices of nodes, keys of an animation, vertices of a skin."""

from __future__ import annotations

import json
import struct
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.formats.gltf import meshopt
from kinegraph.formats.gltf.document import Element
from kinegraph.motion import rotation

_PACKED, _DRACO = "EXT_meshopt_compression", "KHR_draco_mesh_compression"
_TYPES = {5120: "<i1", 5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4", 5122: "<i2"}
_WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Viewer:
    """A file, whose animation can be looked at, at the times of its keys."""

    def __init__(self, path: Path):
        data = path.read_bytes()
        length = struct.unpack_from("<I", data, 12)[0]
        self.tree: dict[str, Any] = json.loads(data[20 : 20 + length])
        self.blob = data[28 + length :]
        self._views: dict[int, bytes] = {}
        self.parents = {
            child: index for index, node in enumerate(self.tree["nodes"]) for child in node.get("children", [])
        }

    def array(self, index: int) -> Array:
        """The numbers of an accessor."""
        accessor = self.tree["accessors"][index]
        view = self.tree["bufferViews"][accessor["bufferView"]]
        blob, begin = self.blob, view.get("byteOffset", 0)
        if _PACKED in view.get("extensions", {}):
            packed = view["extensions"][_PACKED]
            blob, begin = self._unpacked(accessor["bufferView"], packed), 0
            view = {"byteStride": packed["byteStride"]}
        begin += accessor.get("byteOffset", 0)
        kind, width = np.dtype(_TYPES[accessor["componentType"]]), _WIDTHS[accessor["type"]]
        stride = view.get("byteStride") or kind.itemsize * width
        raw = np.ndarray((accessor["count"], width), kind, blob, begin, (stride, kind.itemsize))
        values: Array = raw.astype(np.float64)
        if accessor.get("normalized"):
            values = values / np.iinfo(kind).max
        return values

    def _unpacked(self, index: int, packed: dict[str, Any]) -> bytes:
        """The bytes of a packed view. Here the library's own decoder is trusted: it agrees with the reference one byte for byte."""
        if index not in self._views:
            begin = packed.get("byteOffset", 0)
            told = Element(Path("viewed"), _PACKED, packed)
            data = memoryview(self.blob[begin : begin + packed["byteLength"]])
            self._views[index] = meshopt.unpacked(told, data).tobytes()
        return self._views[index]

    def attribute(self, primitive: dict[str, Any], name: str) -> Array:
        """The numbers of an attribute of a primitive, packed by Draco or not."""
        packed = primitive.get("extensions", {}).get(_DRACO)
        if packed is None:
            return self.array(primitive["attributes"][name])
        import DracoPy

        view = self.tree["bufferViews"][packed["bufferView"]]
        begin = view.get("byteOffset", 0)
        mesh = DracoPy.decode(self.blob[begin : begin + view["byteLength"]])
        values: Array = mesh.get_attribute_by_unique_id(packed["attributes"][name])["data"].astype(np.float64)
        return values

    def moved(self, name: str) -> tuple[Array, dict[int, Array]]:
        """Times ``(F,)`` of an animation, and the world's matrices ``(F, 4, 4)`` of all nodes at them."""
        animation = next(one for one in self.tree["animations"] if one.get("name") == name)
        keys: dict[tuple[int, str], tuple[Array, Array]] = {}
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            target = channel["target"]
            moments, values = self.array(sampler["input"])[:, 0], self.array(sampler["output"])
            if sampler.get("interpolation") == "STEP":  # the same as lines that are as steep as can be
                moments = np.repeat(moments, 2)[1:] - [*[0.0, 1e-6] * (len(moments) - 1), 0.0][::-1]
                values = np.repeat(values, 2, axis=0)[:-1]
            keys[target["node"], target["path"]] = moments, values
        times = max((one for one, _ in keys.values()), key=len)
        worlds: dict[int, Array] = {}

        def world(index: int) -> Array:
            if index not in worlds:
                own = self._local(index, keys, times)
                worlds[index] = world(self.parents[index]) @ own if index in self.parents else own
            return worlds[index]

        for index in range(len(self.tree["nodes"])):
            world(index)
        return times, worlds

    def _local(self, index: int, keys: dict[tuple[int, str], tuple[Array, Array]], times: Array) -> Array:
        node = self.tree["nodes"][index]
        if "matrix" in node:
            assert not any(target == index for target, _ in keys), "a node with a matrix is moved"
            return np.tile(np.array(node["matrix"]).reshape(4, 4).T, (len(times), 1, 1))
        parts = {}
        for path, usual in (("translation", [0, 0, 0]), ("rotation", [0, 0, 0, 1]), ("scale", [1, 1, 1])):
            if (index, path) in keys:
                at, values = keys[index, path]
                parts[path] = np.stack(
                    [np.interp(times, at, values[:, axis]) for axis in range(values.shape[1])], axis=1
                )
            else:
                parts[path] = np.tile(np.array(node.get(path, usual), np.float64), (len(times), 1))
        out = np.tile(np.eye(4), (len(times), 1, 1))
        out[:, :3, :3] = (
            rotation.to_matrix(rotation.normalize(np.roll(parts["rotation"], 1, axis=1))) * parts["scale"][:, None]
        )
        out[:, :3, 3] = parts["translation"]
        return out

    def vertices(self, worlds: dict[int, Array], below: Collection[str | int] | None = None) -> Array:
        """The vertices ``(F, V, 3)`` of all skins; below: only those that follow these nodes, by name or number, by more than half."""
        found = []
        for index, node in enumerate(self.tree["nodes"]):
            if "mesh" not in node:
                continue
            for primitive in self.tree["meshes"][node["mesh"]]["primitives"]:
                places = self.attribute(primitive, "POSITION")
                places = np.concatenate([places, np.ones((len(places), 1))], axis=1)
                if "skin" not in node:
                    chain = self._above(index)
                    if below is None or any(self._is_of(one, below) for one in chain):
                        found.append(np.einsum("fij,vj->fvi", worlds[index][:, :3], places))
                    continue
                skin = self.tree["skins"][node["skin"]]
                joints, weights = (self.attribute(primitive, name) for name in ("JOINTS_0", "WEIGHTS_0"))
                joints = np.where(weights > 0, joints, 0).astype(int)
                inverse = self.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
                if below is not None:
                    mine = np.array([self._is_of(joint, below) for joint in skin["joints"]])
                    held = (weights * mine[joints]).sum(axis=1) > 0.5
                    places, joints, weights = places[held], joints[held], weights[held]
                out = np.zeros((len(next(iter(worlds.values()))), len(places), 3))
                for column in range(4):
                    for joint in np.unique(joints[:, column]):
                        which = np.flatnonzero((joints[:, column] == joint) & (weights[:, column] > 0))
                        carried = (worlds[skin["joints"][joint]] @ inverse[joint])[:, :3]
                        out[:, which] += weights[which, column, None] * np.einsum("fij,vj->fvi", carried, places[which])
                found.append(out)
        return np.concatenate(found, axis=1)

    def _is_of(self, node: int, wanted: Collection[str | int]) -> bool:
        return node in wanted or self.tree["nodes"][node].get("name") in wanted

    def _above(self, index: int) -> list[int]:
        path = [index]
        while path[-1] in self.parents:
            path.append(self.parents[path[-1]])
        return path

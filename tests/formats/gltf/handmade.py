"""glTF files made by hand, as other tools might write them: a tree of nodes, a skin, and tracks of any kind."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

COMPONENTS = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Handmade:
    """A file under construction; ``tree`` is its JSON, to be bent as a test likes."""

    def __init__(self) -> None:
        self.blob = b""
        self.tree: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "by hand"},
            "nodes": [],
            "bufferViews": [],
            "accessors": [],
            "animations": [],
        }

    def view(self, data: bytes, **fields: Any) -> int:
        self.blob += b"\0" * (-len(self.blob) % 4)
        self.tree["bufferViews"].append({"buffer": 0, "byteOffset": len(self.blob), "byteLength": len(data), **fields})
        self.blob += data
        return len(self.tree["bufferViews"]) - 1

    def accessor(self, values: ArrayLike, dtype: str = "f4", **fields: Any) -> int:
        """Values ``(N,)`` or ``(N, width)``, packed, in a view of their own."""
        array = np.asarray(values).astype("<" + dtype)
        packed = {
            "bufferView": self.view(array.tobytes()),
            "componentType": COMPONENTS[dtype],
            "count": len(array),
            "type": TYPES[int(np.prod(array.shape[1:]))],
        }
        self.tree["accessors"].append(packed | fields)
        return len(self.tree["accessors"]) - 1

    def node(self, parent: int | None = None, **fields: Any) -> int:
        self.tree["nodes"].append(fields)
        index = len(self.tree["nodes"]) - 1
        if parent is not None:
            self.tree["nodes"][parent].setdefault("children", []).append(index)
        return index

    def skin(self, *joints: int, name: str = "", matrices: ArrayLike | None = None) -> int:
        made: dict[str, Any] = {"joints": list(joints)}
        if name:
            made["name"] = name
        if matrices is not None:
            made["inverseBindMatrices"] = self.accessor(np.asarray(matrices).transpose(0, 2, 1).reshape(-1, 16))
        self.tree.setdefault("skins", []).append(made)
        return len(self.tree["skins"]) - 1

    def animation(self, name: str = "") -> int:
        made: dict[str, Any] = {"channels": [], "samplers": []}
        self.tree["animations"].append(made | ({"name": name} if name else {}))
        return len(self.tree["animations"]) - 1

    def track(
        self, node: int, path: str, times: ArrayLike | int, values: ArrayLike | int, interpolation: str = "LINEAR"
    ) -> None:
        """A channel of the last animation, which begins with the first track; an int is an accessor that exists."""
        if not self.tree["animations"]:
            self.animation()
        animation = self.tree["animations"][-1]
        inputs, outputs = (each if isinstance(each, int) else self.accessor(each) for each in (times, values))
        animation["samplers"].append({"input": inputs, "output": outputs, "interpolation": interpolation})
        animation["channels"].append(
            {"sampler": len(animation["samplers"]) - 1, "target": {"node": node, "path": path}}
        )

    def glb(self) -> bytes:
        text = json.dumps(self.tree | {"buffers": [{"byteLength": len(self.blob)}]}).encode()
        return packed(text, self.blob)

    def save(self, folder: Path, kind: str = "glb") -> Path:
        """Write the file. kind: glb, embedded (a data URI) or beside (a .bin)."""
        path = folder / ("x.glb" if kind == "glb" else "x.gltf")
        if kind == "glb":
            path.write_bytes(self.glb())
            return path
        uri = "my%20bytes.bin"
        if kind == "embedded":
            uri = "data:application/gltf-buffer;base64," + base64.b64encode(self.blob).decode()
        else:
            (folder / "my bytes.bin").write_bytes(self.blob)
        path.write_text(json.dumps(self.tree | {"buffers": [{"byteLength": len(self.blob), "uri": uri}]}))
        return path


def packed(text: bytes, blob: bytes | None) -> bytes:
    """A GLB of a chunk of JSON and one of bytes."""
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    if blob is not None:
        blob += b"\0" * (-len(blob) % 4)
        chunks += struct.pack("<I4s", len(blob), b"BIN\0") + blob
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def taken(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The tree and the bytes of a GLB."""
    (length,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + length]), data[28 + length :]


def about(axis: str, degrees: ArrayLike) -> np.ndarray:
    """Quaternions x y z w, as glTF has them."""
    half = np.deg2rad(np.asarray(degrees, dtype=np.float64)) / 2
    out = np.zeros((*half.shape, 4))
    out[..., "xyz".index(axis)] = np.sin(half)
    out[..., 3] = np.cos(half)
    return out


def arm(**root: Any) -> Handmade:
    """Three joints in a row along +Y, half a metre apart, in a skin; the root's node takes further fields."""
    made = Handmade()
    top = made.node(name="root", **root)
    middle = made.node(top, name="middle", translation=[0, 0.5, 0])
    end = made.node(middle, name="end", translation=[0, 0.5, 0])
    made.skin(top, middle, end)
    return made

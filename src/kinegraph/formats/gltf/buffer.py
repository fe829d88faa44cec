"""The one buffer of a file that is written, and the accessors into it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_COMPONENTS = {"|u1": 5121, "<i2": 5122, "<u2": 5123, "<u4": 5125, "<f4": 5126}
_TYPES = {(): "SCALAR", (3,): "VEC3", (4,): "VEC4", (4, 4): "MAT4"}

ARRAY, INDICES = 34962, 34963


class Buffer:
    """Arrays one behind another, each aligned to four bytes, which suits every component type."""

    def __init__(self) -> None:
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []
        self._parts: list[bytes] = []
        self._length = 0

    def view(self, target: int | None = None) -> int:
        """Begin a stretch of the buffer; what is added next lies in it. target: `ARRAY`, `INDICES`, or None for other than a mesh."""
        started: dict[str, Any] = {"buffer": 0, "byteOffset": self._length, "byteLength": 0}
        self.views.append(started if target is None else started | {"target": target})
        return len(self.views) - 1

    def add(self, values: NDArray[Any], bounds: bool = False) -> int:
        """Put an array ``(N, …)`` into the last view; its accessor's index. bounds: whether the least and greatest values are told.

        Signed short numbers stand for −1 to 1.
        """
        data = np.ascontiguousarray(values)
        view = self.views[-1]
        accessor: dict[str, Any] = {
            "bufferView": len(self.views) - 1,
            "byteOffset": self._length - view["byteOffset"],
            "componentType": _COMPONENTS[data.dtype.str],
            "count": len(data),
            "type": _TYPES[data.shape[1:]],
        }
        if data.dtype.str == "<i2":
            accessor["normalized"] = True
        if bounds:
            flat = data.reshape(len(data), -1)
            accessor |= {"min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist()}
        packed = data.tobytes()
        packed += b"\0" * (-len(packed) % 4)
        self._parts.append(packed)
        self._length += len(packed)
        view["byteLength"] = self._length - view["byteOffset"]
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def joined(self) -> bytes:
        """All of it."""
        return b"".join(self._parts)

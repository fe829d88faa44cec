"""Accessors: arrays of numbers in a file's buffers, of any component type, packed, interleaved, normalised or sparse."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.errors import FormatError
from kinegraph.formats.gltf import draco, meshopt
from kinegraph.formats.gltf.document import Document, Element
from kinegraph.formats.text import quoted

_COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_SPARSE_INDICES = (5121, 5123, 5125)
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}

# Numbers a byte of a file may become: real files have one at most, small ones that say little may have some more.
_MOST_NUMBERS = 2
_ALWAYS = 1_000_000


class Accessors:
    """The accessors of a document; each is read once."""

    def __init__(self, document: Document):
        self._document = document
        self._read: dict[int, Array] = {}
        self._views: dict[str, memoryview] = {}
        self._primitives: dict[str, dict[str, NDArray[Any]]] = {}
        self._left = _MOST_NUMBERS * document.size + _ALWAYS

    def get(self, index: int, kind: str, asked_by: str) -> Array:
        """Accessor ``index`` as ``(count, width)`` numbers; ``kind`` is the type it has to be of, such as ``"VEC4"``."""
        accessor = self._document.root.item("accessors", index, asked_by)
        if accessor.text("type") != kind:
            raise accessor.error(f"expected {kind} for {asked_by}, found {quoted(accessor.text('type'))}")
        if index not in self._read:
            values = self._values(accessor, _WIDTHS[kind])
            if not np.isfinite(values).all():
                raise accessor.error(f"element {int(np.argwhere(~np.isfinite(values))[0][0])} is not a finite number")
            values.setflags(write=False)
            self._read[index] = values
        return self._read[index]

    def attribute(self, primitive: Element, name: str, kind: str) -> Array:
        """An attribute of a primitive's vertices, such as ``POSITION``, as `get` gives it, packed or not."""
        attributes = primitive.needed("attributes")
        index, asked_by = attributes.integer(name), attributes.place(name)
        extensions = primitive.inner("extensions")
        packed = extensions.inner(draco.NAME) if extensions else None
        if packed is None:
            return self.get(index, kind, asked_by)
        accessor = self._document.root.item("accessors", index, asked_by)
        if primitive.where not in self._primitives:
            self._primitives[primitive.where] = draco.unpacked(packed, self._bytes(self._view(packed)))
        raw = self._primitives[primitive.where].get(name)
        shape = (accessor.integer("count", least=1), _WIDTHS[kind])
        if raw is None or raw.shape != shape or not np.isfinite(raw).all():
            raise packed.error(f"its Draco compression is damaged: it holds no {name} for {shape[0]} vertices")
        return _normalised(raw) if accessor.fields.get("normalized") is True else raw.astype(np.float64)

    def _values(self, accessor: Element, width: int) -> Array:
        count = accessor.integer("count", least=1)
        self._left -= count * width
        if self._left < 0:
            raise accessor.error("the accessors claim far more numbers than the file has room for")
        component = _component(accessor, tuple(_COMPONENTS))
        if "bufferView" in accessor.fields:
            offset = accessor.integer("byteOffset", 0)
            raw = self._elements(accessor, offset, component, (count, width))
        else:
            raw = np.zeros((count, width), component)
        sparse = accessor.inner("sparse")
        if sparse is not None:
            raw = self._sparse(sparse, raw)
        return _normalised(raw) if accessor.fields.get("normalized") is True else raw.astype(np.float64)

    def _sparse(self, sparse: Element, base: NDArray[np.generic]) -> NDArray[np.generic]:
        count = sparse.integer("count", least=1)
        self._left -= count * (base.shape[1] + 1)
        if self._left < 0:
            raise sparse.error("it claims far more numbers than the file has room for")
        where, what = sparse.needed("indices"), sparse.needed("values")
        kind = _component(where, _SPARSE_INDICES)
        indices = self._elements(where, where.integer("byteOffset", 0), kind, (count, 1))[:, 0].astype(np.int64)
        if np.any(np.diff(indices) <= 0) or indices[-1] >= len(base):
            raise where.error(f"they do not rise, or go beyond the {len(base)} elements")
        out = base.copy()
        out[indices] = self._elements(what, what.integer("byteOffset", 0), base.dtype, (count, base.shape[1]))
        return out

    def _elements(
        self, holder: Element, offset: int, component: np.dtype[np.generic], shape: tuple[int, int]
    ) -> NDArray[np.generic]:
        """``shape`` components from the buffer view that ``holder`` names, without a copy."""
        view = self._view(holder)
        extensions = view.inner("extensions")
        compressed = [name for name in (extensions.fields if extensions else ()) if "compression" in name]
        if compressed and compressed != [meshopt.NAME]:
            raise view.error(
                f"it is compressed by {quoted(compressed[0])}, which is not read: export without compression"
            )
        data = self._unpacked(view) if compressed else self._bytes(view)
        length = len(data)
        size = shape[1] * component.itemsize
        stride = view.integer("byteStride", 0) or size
        if stride < size:
            raise view.error(f"a stride of {stride} bytes is too short for elements of {size}")
        if offset + stride * (shape[0] - 1) + size > length:
            raise holder.error(
                f"{shape[0]} elements of {size} bytes do not fit into the {length} bytes of {view.where}"
            )
        return np.ndarray(shape, component, data, offset, (stride, component.itemsize))

    def _view(self, holder: Element) -> Element:
        return self._document.root.item("bufferViews", holder.integer("bufferView"), holder.where)

    def _bytes(self, view: Element) -> memoryview:
        """What a view, or what it is compressed to, points to."""
        index = view.integer("buffer")
        self._document.root.item("buffers", index, view.where)
        data = self._document.buffers[index]
        begin, length = view.integer("byteOffset", 0), view.integer("byteLength", least=1)
        if begin + length > len(data):
            raise view.error(f"it ends at byte {begin + length}, beyond the {len(data)} of buffers[{index}]")
        return data[begin : begin + length]

    def _unpacked(self, view: Element) -> memoryview:
        if view.where not in self._views:
            packed = view.needed("extensions").needed(meshopt.NAME)
            self._views[view.where] = memoryview(meshopt.unpacked(packed, self._bytes(packed)).tobytes())
        return self._views[view.where]


def _component(holder: Element, allowed: tuple[int, ...]) -> np.dtype[np.generic]:
    kind = holder.integer("componentType")
    if kind not in allowed:
        raise FormatError(f"{holder.where}: unknown componentType {str(kind)[:20]}", holder.path)
    return np.dtype(_COMPONENTS[kind])


def _normalised(raw: NDArray[np.generic]) -> Array:
    """Integers as the fractions they stand for: unsigned ones of 0 to 1, signed ones of −1 to 1."""
    values = raw.astype(np.float64)
    if raw.dtype.kind == "f":
        return values
    scaled: Array = np.maximum(values / (2 ** (8 * raw.dtype.itemsize - (raw.dtype.kind == "i")) - 1), -1.0)
    return scaled

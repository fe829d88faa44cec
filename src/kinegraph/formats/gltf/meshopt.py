"""Buffer views packed by EXT_meshopt_compression, as its specification has them: attributes (version 0) and their filters.

An element's bytes are kept apart: all first bytes of a block of elements, then all second ones, each as what it has more than the byte
of the element before it. Sixteen of these at a time take 0, 2, 4 or 8 bits each; those that need more stand behind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.formats.gltf.document import Element

NAME = "EXT_meshopt_compression"
"""The extension."""

_Bytes = NDArray[np.uint8]

_HEADER = 0xA0
# Elements to a block at most, bytes to a block at most, elements to a group, and bytes that the end has at least.
_BLOCK, _BLOCK_BYTES, _GROUP, _TAIL = 256, 8192, 16, 32
# How many bytes one may become at most: two bits for sixteen.
_MOST = 64
# Bytes of a group of sixteen by its two bits, and the value that says that the true one stands behind.
_SIZES, _BEHIND = (0, 4, 8, 16), (0, 3, 15, 256)
# What the two-bit and four-bit values of a byte are, the highest bits first.
_TWO = (np.arange(256)[:, None] >> np.array([6, 4, 2, 0]) & 3).astype(np.uint8)
_FOUR = (np.arange(256)[:, None] >> np.array([4, 0]) & 15).astype(np.uint8)


def unpacked(packed: Element, data: memoryview) -> _Bytes:
    """The bytes ``(count, stride)`` that a view stands for. packed: its extension. data: what that points to."""
    count, stride = packed.integer("count", least=1), packed.integer("byteStride", least=1)
    if packed.text("mode") != "ATTRIBUTES":
        raise packed.error("only attributes are taken out of their compression")
    if stride % 4 or stride > _BLOCK:
        raise packed.error(f"a stride of {stride} bytes is none of 4, 8 … {_BLOCK}")
    if count * stride > _MOST * len(data):
        raise packed.error(f"{len(data)} bytes cannot hold {count} elements of {stride}")
    bytes_in = np.frombuffer(data, np.uint8)
    if len(bytes_in) < 1 + max(stride, _TAIL) or bytes_in[0] != _HEADER:
        raise packed.error("its compression is damaged, or of a version that is not read: export without compression")
    out = np.empty((count, stride), np.uint8)
    last, at = bytes_in[-stride:], 1
    room = min(_BLOCK_BYTES // stride // _GROUP * _GROUP, _BLOCK)
    try:
        for first in range(0, count, room):
            block = out[first : first + room]
            for column in range(stride):
                more, at = _column(bytes_in, at, len(block))
                # zigzag: even ones go up, odd ones down; bytes go round
                block[:, column] = np.cumsum((more >> 1) ^ (0 - (more & 1)), dtype=np.uint8) + last[column]
            last = block[-1]
    except IndexError:
        raise packed.error("its compression is damaged: it ends too early") from None
    filtered = _FILTERS.get(packed.text("filter", "NONE"))
    if filtered is None:
        raise packed.error(f"its filter is none of {', '.join(_FILTERS)}")
    return filtered(packed, out)


def _column(data: _Bytes, at: int, count: int) -> tuple[_Bytes, int]:
    """One byte of each of ``count`` elements, as they are told, from ``at`` on; and where the next one begins."""
    groups = -(-count // _GROUP)
    kinds = _TWO[data[at : at + -(-groups // 4)]][:, ::-1].reshape(-1).tolist()
    at += -(-groups // 4)
    out = np.zeros((groups, _GROUP), np.uint8)
    for group in range(groups):
        kind = kinds[group]
        if not kind:
            continue
        raw = data[at : at + _SIZES[kind]]
        at += _SIZES[kind]
        if len(raw) < _SIZES[kind]:
            raise IndexError
        if kind == 3:
            out[group] = raw
            continue
        values = (_TWO if kind == 1 else _FOUR)[raw].reshape(-1)
        large = np.flatnonzero(values == _BEHIND[kind])
        if len(large):
            behind = data[at : at + len(large)]
            if len(behind) < len(large):
                raise IndexError
            values[large] = behind
            at += len(large)
        out[group] = values
    return out.reshape(-1)[:count], at


def _octahedral(packed: Element, data: _Bytes) -> _Bytes:
    """Directions that were folded onto a plane."""
    kind: np.dtype[Any] = np.dtype(np.int8 if data.shape[1] == 4 else np.int16)
    if data.shape[1] not in (4, 8):
        raise packed.error("directions take 4 or 8 bytes")
    folded = data.view(kind).astype(np.float64)
    x, y = folded[:, 0], folded[:, 1]
    z = folded[:, 2] - np.abs(x) - np.abs(y)
    over = np.minimum(z, 0.0)
    unfolded = np.stack([x + np.where(x >= 0, over, -over), y + np.where(y >= 0, over, -over), z], axis=1)
    unfolded *= (2 ** (8 * kind.itemsize - 1) - 1) / np.maximum(np.linalg.norm(unfolded, axis=1), 1e-12)[:, None]
    out = folded.astype(kind)
    out[:, :3] = _rounded(unfolded)
    return out.view(np.uint8)


def _quaternion(packed: Element, data: _Bytes) -> _Bytes:
    """Rotations without their largest number."""
    if data.shape[1] != 8:
        raise packed.error("rotations take 8 bytes")
    told = data.view(np.int16).astype(np.int64)
    three = told[:, :3] * (np.sqrt(0.5) / (told[:, 3] | 3))[:, None]
    largest = np.sqrt(np.maximum(1.0 - (three**2).sum(axis=1), 0.0))
    out = np.empty((len(told), 4), np.int16)
    place = (told[:, 3, None] & 3) + np.arange(1, 5) & 3
    values = np.concatenate([three, largest[:, None]], axis=1) * np.iinfo(np.int16).max
    np.put_along_axis(out, place, _rounded(values).astype(np.int16), axis=1)
    return out.view(np.uint8)


def _exponential(packed: Element, data: _Bytes) -> _Bytes:
    """Numbers as an exponent and what it is of."""
    told = np.ascontiguousarray(data).view("<i4")
    numbers: Array = np.ldexp((told << 8 >> 8).astype(np.float64), told >> 24)
    return numbers.astype("<f4").view(np.uint8)


def _rounded(values: Array) -> Array:
    rounded: Array = np.trunc(values + np.copysign(0.5, values))
    return rounded


_FILTERS: dict[str, Callable[[Element, _Bytes], _Bytes]] = {
    "NONE": lambda _, data: data,
    "OCTAHEDRAL": _octahedral,
    "QUATERNION": _quaternion,
    "EXPONENTIAL": _exponential,
}

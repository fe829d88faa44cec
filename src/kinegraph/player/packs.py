"""Packs: facts and arrays in one piece of bytes, which a browser reads without parsing or copying any numbers.

A pack is ``KGP1``, the header's length (uint32, little-endian), the header (JSON in UTF-8, padded with spaces), and the data. Every array
begins at a multiple of eight bytes, as typed arrays require.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.errors import FormatError

MEDIA_TYPE = "application/x-kinegraph-pack"

_MAGIC = b"KGP1"
_FRONT = len(_MAGIC) + 4
_ALIGN = 8
_DTYPES = frozenset(("float32", "float64", "int16", "uint16", "uint8", "int32", "uint32"))
_NONE: Mapping[str, float] = MappingProxyType({})


def pack(facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], scales: Mapping[str, float] = _NONE) -> bytes:
    """Facts (plain JSON) and arrays as one piece of bytes. If an array has a scale, it stands for its numbers times that scale.

    >>> facts, arrays, scales = unpack(pack({"fps": 30}, {"root": np.zeros((2, 3), np.float32)}))
    >>> facts, arrays["root"].shape
    ({'fps': 30}, (2, 3))
    """
    listed: dict[str, dict[str, Any]] = {}
    pieces: list[bytes] = []
    offset = 0
    for name, array in arrays.items():
        if array.dtype.name not in _DTYPES:
            raise ValueError(f"array {name!r} holds {array.dtype.name}, which no pack takes")
        data = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
        entry: dict[str, Any] = {"dtype": array.dtype.name, "shape": list(array.shape), "offset": offset}
        if name in scales:
            entry["scale"] = float(scales[name])
        listed[name] = entry
        pad = -len(data) % _ALIGN
        pieces += (data, bytes(pad))
        offset += len(data) + pad
    text = json.dumps(
        {"facts": dict(facts), "arrays": listed}, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    header = text.encode("utf-8", "replace")
    header += b" " * (-(_FRONT + len(header)) % _ALIGN)
    return b"".join((_MAGIC, struct.pack("<I", len(header)), header, *pieces))


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]], dict[str, float]]:
    """Facts, arrays as they were stored (read-only views), and the scales of those that have one.

    >>> import kinegraph as kg
    >>> import numpy as np
    >>> turns = np.array([0, 16384, 32767], np.int16)
    >>> facts, arrays, scales = kg.player.unpack(kg.player.pack({}, {"turns": turns}, {"turns": 1 / 32767}))
    >>> (arrays["turns"] * scales["turns"]).round(3).tolist()
    [0.0, 0.5, 1.0]
    """
    try:
        if data[:4] != _MAGIC:
            raise ValueError("it does not begin with KGP1")
        (length,) = struct.unpack_from("<I", data, 4)
        begin = _FRONT + length
        header = json.loads(data[_FRONT:begin].decode())
        arrays: dict[str, NDArray[Any]] = {}
        scales: dict[str, float] = {}
        for name, entry in header["arrays"].items():
            if entry["dtype"] not in _DTYPES:
                raise ValueError(f"array {name!r} is of unknown kind {entry['dtype']!r}")
            dtype = np.dtype(entry["dtype"]).newbyteorder("<")
            shape = tuple(int(size) for size in entry["shape"])
            count = int(np.prod(shape, dtype=np.int64))
            arrays[name] = np.frombuffer(data, dtype, count, begin + entry["offset"]).reshape(shape)
            if "scale" in entry:
                scales[name] = float(entry["scale"])
        return header["facts"], arrays, scales
    except (ValueError, KeyError, TypeError, AttributeError, struct.error) as error:
        raise FormatError(f"this is no pack of kinegraph: {error}") from error

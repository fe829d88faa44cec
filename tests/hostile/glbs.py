"""Hostile GLB files: a good rigged mesh with an animation, in which one thing is changed."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import kinegraph as kg
from tests.formats.gltf.handmade import packed, taken

_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 3, 10**9, 2**32, 10**30, 0.5, -1e38, 1e38, 1e300, "", "x", "../../x", "\0", "a" * 100_000, [], {}, [0], [[]],
    [0] * 3, [0] * 4, [0] * 16, [1e38] * 3, [1e38] * 4, [0] * 100_000, "VEC4", "MAT4", "CUBICSPLINE", 5120, 5125, "data:;base64,AAAA",
)  # fmt: skip
_FLOATS = (float("nan"), float("inf"), 1e38, -1e38, 1e-40, 0.0)


@dataclass(frozen=True)
class Case:
    """A hostile file: what is changed, and its bytes."""

    name: str
    make: Callable[[], bytes]

    def write(self, folder: Path) -> Path:
        """Put it into a folder."""
        path = folder / "hero.glb"
        path.write_bytes(self.make())
        return path


@cache
def good() -> bytes:
    """Some frames of a walk, with a body."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "good.glb"
        kg.save(kg.samples.make("walk").motion[:40], path)
        return path.read_bytes()


def cases() -> Iterator[Case]:
    """Every value of the tree, of lists one element; every accessor's numbers; the header, the chunks and their lengths."""
    tree, blob = taken(good())
    for way in {_pattern(way): way for way in _ways(tree)}.values():
        for value in _VALUES:
            yield Case(f"{_said(way)} = {json.dumps(value)[:24]}", lambda way=way, value=value: _with(way, value))
        yield Case(f"{_said(way)} is gone", lambda way=way: _with(way, None, gone=True))
    for number, view in enumerate(tree["bufferViews"]):
        begin, size = view.get("byteOffset", 0), view["byteLength"]
        for value in _FLOATS:
            filled = struct.pack("<f", value) * (size // 4)
            bent = blob[:begin] + filled + blob[begin + len(filled) :]
            yield Case(
                f"bufferViews[{number}] holds {value}", lambda bent=bent: packed(json.dumps(tree).encode(), bent)
            )
        full = blob[:begin] + b"\xff" * size + blob[begin + size :]
        yield Case(f"bufferViews[{number}] is full", lambda full=full: packed(json.dumps(tree).encode(), full))
    data = good()
    for at in (4, 8, 12, 16):
        for word in (0, 1, 2**31, 2**32 - 1):
            bent = data[:at] + struct.pack("<I", word) + data[at + 4 :]
            yield Case(f"word {at} = {word}", lambda bent=bent: bent)
    for part in range(1, 20):
        yield Case(f"{part} of 20 parts", lambda part=part: data[: len(data) * part // 20])
    deep = b'{"asset":' * 100_000
    yield Case("a tree of any depth", lambda: packed(deep, blob))
    yield Case(
        "a number of any length", lambda: packed(b'{"asset":{"version":"2.0"},"a":' + b"1" * 100_000 + b"}", blob)
    )


def _ways(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if here:
        yield here
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        yield from _ways(one, (*here, key))


def _pattern(way: tuple[Any, ...]) -> str:
    return ".".join("*" if isinstance(part, int) else part for part in way)


def _said(way: tuple[Any, ...]) -> str:
    return ".".join(map(str, way))


def _with(way: tuple[Any, ...], value: Any, *, gone: bool = False) -> bytes:
    tree, blob = taken(good())
    at = tree
    for part in way[:-1]:
        at = at[part]
    if gone:
        del at[way[-1]]
    else:
        at[way[-1]] = value
    return packed(json.dumps(tree).encode(), blob)

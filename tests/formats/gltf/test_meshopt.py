"""Views packed by EXT_meshopt_compression, by a packer of our own that takes every kind of group; real files agree with the reference
decoder byte for byte.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinegraph.errors import FormatError
from kinegraph.formats.gltf import meshopt
from kinegraph.formats.gltf.document import Element


def packed(data: np.ndarray[Any, Any]) -> bytes:
    """Bytes ``(count, stride)`` packed; each group takes as few bits as it can."""
    count, stride = data.shape
    out = bytearray([0xA0])
    last = data[0] - data[0]
    room = min(8192 // stride // 16 * 16, 256)
    for first in range(0, count, room):
        block = data[first : first + room]
        for column in range(stride):
            steps = np.diff(block[:, column].astype(np.int64), prepend=int(last[column])).astype(np.int8).astype(int)
            zigzag = ((steps << 1) ^ (steps >> 7)) & 255
            groups = np.concatenate([zigzag, np.zeros(-len(zigzag) % 16, int)]).reshape(-1, 16)
            bodies = [_group(group.tolist()) for group in groups]
            kinds = [kind for kind, _ in bodies] + [0] * (-len(bodies) % 4)
            for at in range(0, len(kinds), 4):
                out.append(sum(kind << 2 * place for place, kind in enumerate(kinds[at : at + 4])))
            out += b"".join(body for _, body in bodies)
        last = block[-1]
    end = (data[0] - data[0]).tobytes()
    return bytes(out) + b"\0" * max(32 - len(end), 0) + end


def _group(values: list[int]) -> tuple[int, bytes]:
    options = [(3, bytes(values))]
    for kind, bits in ((1, 2), (2, 4)):
        behind = (1 << bits) - 1
        short = [min(value, behind) for value in values]
        whole = int("".join(f"{one:0{bits}b}" for one in short), 2).to_bytes(2 * bits)
        options.append((kind, whole + bytes(value for value in values if value >= behind)))
    if not any(values):
        options.append((0, b""))
    return min(options, key=lambda option: len(option[1]))


def view(count: int, stride: int, mode: str = "ATTRIBUTES", named: str = "NONE") -> Element:
    return Element(
        Path("hero.glb"),
        "bufferViews[0].extensions.EXT_meshopt_compression",
        {"count": count, "byteStride": stride, "mode": mode, "filter": named},
    )


@pytest.mark.parametrize(("count", "stride"), [(1, 4), (15, 8), (16, 4), (257, 12), (1000, 64), (70, 256)])
@pytest.mark.parametrize("rough", [0, 1, 5, 40])
def test_what_was_packed_comes_back(count: int, stride: int, rough: int) -> None:
    rng = np.random.default_rng(count + rough)
    steps = rng.normal(scale=rough, size=(count, stride)).astype(np.int64)
    data = (steps.cumsum(axis=0) % 256).astype(np.uint8)
    assert np.array_equal(meshopt.unpacked(view(count, stride), memoryview(packed(data))), data)


def test_filters_give_what_was_meant() -> None:
    rng = np.random.default_rng(3)
    way = rng.normal(size=(40, 3))
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    folded = way[:, :2] / np.abs(way).sum(axis=1, keepdims=True)
    below = way[:, 2] < 0
    folded[below] = (1 - np.abs(folded[below][:, ::-1])) * np.where(folded[below] >= 0, 1, -1)
    told = np.concatenate([np.round(folded * 127), np.full((40, 1), 127), np.zeros((40, 1))], axis=1).astype(np.int8)
    back = meshopt.unpacked(view(40, 4, named="OCTAHEDRAL"), memoryview(packed(told.view(np.uint8)))).view(np.int8)
    assert np.abs(back[:, :3] / 127 - way).max() < 0.02

    turns = rng.normal(size=(40, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    most = np.abs(turns).argmax(axis=1)
    turns *= np.sign(turns[np.arange(40), most])[:, None]
    others = np.take_along_axis(turns, (most[:, None] + 1 + np.arange(3)) % 4, axis=1)
    short = np.concatenate([np.round(others * np.sqrt(2) * 32767), (32767 & ~3 | most)[:, None]], axis=1)
    bytes_of = short.astype("<i2").view(np.uint8).reshape(40, 8)
    got = meshopt.unpacked(view(40, 8, named="QUATERNION"), memoryview(packed(bytes_of))).view("<i2") / 32767
    assert np.abs(got - turns).max() < 1e-3

    numbers = np.array([[0.0], [1.5], [-2.25], [1024.0]])
    whole = ((-8 << 24) | (np.round(numbers * 256).astype(np.int64) & 0xFFFFFF)).astype("<i4").view(np.uint8)
    made = meshopt.unpacked(view(4, 4, named="EXPONENTIAL"), memoryview(packed(whole))).view("<f4")
    assert np.array_equal(made, numbers)


def test_damage_is_told() -> None:
    data = (np.arange(400, dtype=np.int64).reshape(100, 4) * 37 % 256).astype(np.uint8)
    sound = packed(data)
    with pytest.raises(FormatError, match="damaged"):
        meshopt.unpacked(view(100, 4), memoryview(b"\xa1" + sound[1:]))
    with pytest.raises(FormatError, match="cannot hold"):
        meshopt.unpacked(view(10**9, 4), memoryview(sound))
    with pytest.raises(FormatError, match="ends too early"):
        meshopt.unpacked(view(5000, 4), memoryview(sound))
    with pytest.raises(FormatError, match="only attributes"):
        meshopt.unpacked(view(100, 4, "TRIANGLES"), memoryview(sound))
    with pytest.raises(FormatError, match="its filter is none of"):
        meshopt.unpacked(view(100, 4, named="ROT13"), memoryview(sound))

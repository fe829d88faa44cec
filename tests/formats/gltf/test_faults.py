"""Damaged and hostile files: a `FormatError` that says what and where, soon and in little memory, and nothing else."""

from __future__ import annotations

import copy
import json
import struct
import tracemalloc
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinegraph import samples
from kinegraph.errors import FormatError
from kinegraph.formats import gltf
from kinegraph.formats.options import ReadOptions
from tests.formats.gltf.handmade import Handmade, about, arm, packed, taken


def sound() -> Handmade:
    made = arm()
    made.track(0, "rotation", np.arange(4) / 30, about("x", [0, 9, 20, 30]))
    return made


def refused(path: Path, what: str) -> None:
    with pytest.raises(FormatError, match=what) as caught:
        gltf.read(path, ReadOptions())
    assert str(path) in str(caught.value)


Change = Callable[[dict[str, Any]], Any]


def put(*keys: Any) -> Change:
    """A change of the tree: the last of ``keys`` is put where the others lead."""

    def change(tree: dict[str, Any]) -> None:
        *way, last, value = keys
        at: Any = tree
        for key in way:
            at = at[key]
        at[last] = value

    return change


FAULTS: dict[str, tuple[Change, str]] = {
    "no asset": (lambda tree: tree.pop("asset"), "'asset', which is missing"),
    "glTF 1": (put("asset", "version", "1.0"), r"this is glTF '1\.0'"),
    "no animation": (lambda tree: tree.pop("animations"), "there is no animation"),
    "animations are no list": (put("animations", {}), "animations: expected a list"),
    "an animation is no object": (put("animations", 0, 3), r"animations\[0\]: expected an object, found int"),
    "only morph targets": (
        put("animations", 0, "channels", 0, "target", "path", "weights"),
        "move only morph targets",
    ),
    "nothing moves": (put("animations", 0, "channels", []), "move no node"),
    "another node moves": (
        put("nodes", 0, "children", []),
        "hang on no common node",
    ),
    "a channel of no node": (put("animations", 0, "channels", 0, "target", "node", 9), r"refers to nodes\[9\]"),
    "a channel without a sampler": (
        put("animations", 0, "channels", 0, "sampler", 7),
        r"channels\[0\]: refers to animations\[0\]\.samplers\[7\], but there are 1",
    ),
    "an unknown interpolation": (
        put("animations", 0, "samplers", 0, "interpolation", "QUADRATIC"),
        "unknown interpolation 'QUADRATIC'",
    ),
    "too few values for a spline": (
        put("animations", 0, "samplers", 0, "interpolation", "CUBICSPLINE"),
        "4 times with 4 values",
    ),
    "times of the wrong type": (put("animations", 0, "samplers", 0, "input", 1), "expected SCALAR"),
    "no such accessor": (put("animations", 0, "samplers", 0, "output", 99), r"refers to accessors\[99\]"),
    "an accessor beyond its view": (put("accessors", 1, "count", 5), "5 elements of 16 bytes do not fit"),
    "a huge accessor": (put("accessors", 1, "count", 10**15), "far more numbers than the file has room for"),
    "a huge accessor of nothing": (
        put("accessors", 1, {"componentType": 5126, "type": "VEC4", "count": 10**9}),
        "far more numbers",
    ),
    "an unknown component": (put("accessors", 1, "componentType", 5130), r"accessors\[1\]: unknown componentType 5130"),
    "a count that is no number": (put("accessors", 1, "count", "4"), r"accessors\[1\]\.count: expected a whole number"),
    "a truth for a count": (put("accessors", 1, "count", True), "expected a whole number"),
    "a negative offset": (put("accessors", 1, "byteOffset", -4), "byteOffset: expected a whole number"),
    "a view beyond its buffer": (put("bufferViews", 1, "byteLength", 4000), r"bufferViews\[1\]: it ends at byte"),
    "a view of no buffer": (put("bufferViews", 1, "buffer", 1), r"refers to buffers\[1\], but there are 1"),
    "a stride too short": (put("bufferViews", 1, "byteStride", 8), "a stride of 8 bytes is too short"),
    "a compressed view": (
        put("bufferViews", 1, "extensions", {"EXT_other_compression": {}}),
        "compressed by 'EXT_other_compression'",
    ),
    "a compressed view that tells nothing": (
        put("bufferViews", 1, "extensions", {"EXT_meshopt_compression": {}}),
        r"EXT_meshopt_compression: expected a whole number of at least 0 as 'buffer'",
    ),
    "nodes in a circle": (put("nodes", 2, "children", [0]), "go round in a circle"),
    "a node with two parents": (put("nodes", 0, "children", [1, 2]), r"nodes\[2\] hangs on it and on"),
    "a child of nobody's": (put("nodes", 2, "children", [17]), r"refers to nodes\[17\]"),
    "a skin of no joints": (put("skins", 0, "joints", []), r"skins\[0\]: it has no joints"),
    "a skin of a joint that is not there": (put("skins", 0, "joints", [0, 8]), r"refers to nodes\[8\]"),
    "a joint twice": (put("skins", 0, "joints", [0, 1, 1]), "lists a joint twice"),
    "a translation of two numbers": (put("nodes", 1, "translation", [1, 2]), "translation: expected 3 numbers"),
    "a translation without measure": (put("nodes", 1, "translation", [1, 2, 1e300]), "expected 3 numbers"),
    "a rotation of text": (put("nodes", 1, "rotation", ["a"] * 4), "rotation: expected 4 numbers"),
    "a name that is no text": (put("nodes", 1, "name", 5), r"nodes\[1\]\.name: expected a text"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_says_what_and_where(tmp_path: Path, fault: str) -> None:
    change, what = FAULTS[fault]
    made = sound()
    assert len(gltf.read(made.save(tmp_path), ReadOptions()).root) == 4
    change(made.tree)
    refused(made.save(tmp_path), what)


def test_an_animation_of_something_else(tmp_path: Path) -> None:
    made = arm()
    made.track(made.node(name="lamp"), "rotation", [0, 1], about("x", [0, 9]))
    refused(made.save(tmp_path), "do not move the joints of the skin, but 'lamp'")


def test_keys_that_go_back_and_keys_that_are_no_numbers(tmp_path: Path) -> None:
    made = arm()
    made.track(0, "rotation", [0, 2, 1], about("x", [0, 9, 0]))
    refused(made.save(tmp_path), "key 2 is earlier")
    made = arm()
    made.track(0, "translation", [0, 1], [[0, 0, 0], [0, np.nan, 0]])
    refused(made.save(tmp_path), r"accessors\[1\]: element 1 is not a finite number")


@pytest.mark.parametrize("seconds", [1e7, 1e30])
def test_a_clip_of_ages_is_refused(tmp_path: Path, seconds: float) -> None:
    made = arm()
    made.track(0, "rotation", [0, seconds], about("x", [0, 9]))
    refused(made.save(tmp_path), "frames/s of 3 joints are not read")


def test_sparse_faults(tmp_path: Path) -> None:
    for indices, what in (([1, 1], "do not rise"), ([1, 4], "beyond the 4 elements")):
        made = sound()
        made.tree["accessors"][1]["sparse"] = {
            "count": 2,
            "indices": {"bufferView": made.view(np.array(indices, "<u1").tobytes()), "componentType": 5121},
            "values": {"bufferView": made.view(np.zeros((2, 4), "<f4").tobytes())},
        }
        refused(made.save(tmp_path), what)


def test_containers(tmp_path: Path) -> None:
    path = tmp_path / "x.glb"
    data = sound().glb()
    (length,) = struct.unpack_from("<I", data, 12)
    for damaged, what in (
        (b"", "the file is empty"),
        (b"glTF\2\0", "truncated within its header"),
        (b"FBX" + data[3:], "neither GLB nor JSON"),
        (data[:4] + struct.pack("<I", 1) + data[8:], "GLB version 1"),
        (data[:-8], "truncated: its header says"),
        (data[:12] + struct.pack("<I", 2**31) + data[16:], "the chunk at byte 12 says"),
        (data[:16] + b"BIN\0" + data[20:], "the first chunk is 'BIN"),
        (data[:8] + struct.pack("<I", 12) + data[12:], "no chunk of JSON"),
        (data[:40] + b"}" + data[41:], "the chunk of JSON is damaged"),
        (packed(json.dumps(sound().tree | {"buffers": [{"byteLength": 5}]}).encode(), None), "neither a URI nor"),
        (packed(b"[" * 100_000, b""), "JSON is damaged: maximum recursion"),
        (packed(b'{"asset": NaN}', b""), "JSON is damaged: NaN"),
        (packed(b'{"asset": \xff}', b""), "JSON is damaged: 'utf-8'"),
        (packed(b"[1]", b""), "holds no object"),
        (data[: 28 + length] + b"", "truncated"),
    ):
        path.write_bytes(damaged)
        refused(path, what)


@pytest.mark.parametrize(
    ("uri", "what"),
    [
        ("absent.bin", "there is no file 'absent.bin' beside it"),
        ("../secret.bin", "only files in the folder"),
        ("/etc/passwd", "only files in the folder"),
        ("file:///etc/passwd", "only files in the folder"),
        ("https://example.org/x.bin", "only files in the folder"),
        ("data:application/octet-stream;base64,@@@", "base64 is damaged"),
        ("data:text/plain,hello", "not in base64"),
        ("short.bin", "truncated: 112 bytes are told, 5 are there"),
        ("%00", "cannot be found|there is no file"),
    ],
)
def test_buffers(tmp_path: Path, uri: str, what: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(b"\0" * 1000)
    (folder / "short.bin").write_bytes(b"\0" * 5)
    made = sound()
    assert len(made.blob) <= 112
    path = folder / "x.gltf"
    path.write_text(json.dumps(made.tree | {"buffers": [{"byteLength": 112, "uri": uri}]}))
    refused(path, what)


def test_not_a_file(tmp_path: Path) -> None:
    refused(tmp_path / "absent.glb", "no such file")
    refused(tmp_path, "this is a folder")


def test_extras_of_ours_that_were_tampered_with(tmp_path: Path) -> None:
    path = tmp_path / "x.glb"
    gltf.write(samples.make("walk").motion[:3], path)
    tree, blob = taken(path.read_bytes())
    for change, what in (
        (put("skins", 0, "extras", "tips", [{"joint": 99, "offset": [0, 0, 0]}]), "expected one of the 24 joints"),
        (put("skins", 0, "extras", "tips", [{"joint": 1}]), "expected one of the 24 joints"),
        (put("skins", 0, "extras", "roles", {"tail": 1}), "its joints make no skeleton: .*tail"),
        (put("skins", 0, "extras", "roles", {"head": "x"}), "expected a whole number"),
        (put("animations", 0, "extras", "fps", "fast"), "expected a rate"),
        (put("animations", 0, "extras", []), "expected an object"),
    ):
        bent = copy.deepcopy(tree)
        change(bent)
        path.write_bytes(packed(json.dumps(bent).encode(), blob))
        refused(path, what)


def test_a_wrong_rate_in_the_extras_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "x.glb"
    gltf.write(samples.make("walk").motion[:30], path)
    tree, blob = taken(path.read_bytes())
    tree["animations"][0]["extras"]["fps"] = 24.0
    path.write_bytes(packed(json.dumps(tree).encode(), blob))
    assert gltf.read(path, ReadOptions()).fps == 60.0


# -- memory -----------------------------------------------------------------------------------------------------------


def many_views_of_the_same_bytes() -> Handmade:
    made = Handmade()
    view = made.view(np.zeros((20_000, 4), "<f4").tobytes())
    made.tree["accessors"] = [
        {"bufferView": view, "componentType": 5126, "count": 20_000, "type": "VEC4"} for _ in range(2000)
    ]
    times = made.accessor(np.arange(20_000) / 30)
    top = made.node(name="top")
    made.skin(top, *(made.node(top) for _ in range(1999)))
    made.animation()
    for node in range(2000):
        made.track(node, "rotation", times, node)
    return made


def many_joints_of_the_same_keys() -> Handmade:
    made = Handmade()
    values = made.accessor(np.tile([0.6, 0, 0, 0.8], (20_000, 1)))
    times = made.accessor(np.arange(20_000) / 30)
    top = made.node(name="top")
    made.skin(top, *(made.node(top) for _ in range(5000)))
    made.animation()
    for node in range(5001):
        made.track(node, "rotation", times, values)
    return made


def many_clips_of_the_same_keys() -> Handmade:
    made = arm()
    values = made.accessor(np.tile([0.6, 0, 0, 0.8], (20_000, 1)))
    times = made.accessor(np.arange(20_000) / 30)
    for clip in range(2000):
        made.animation(f"clip {clip}")
        made.track(0, "rotation", times, values)
    return made


@pytest.mark.parametrize(
    "bomb", [many_views_of_the_same_bytes, many_joints_of_the_same_keys, many_clips_of_the_same_keys]
)
def test_memory_stays_small(tmp_path: Path, bomb: Callable[[], Handmade]) -> None:
    path = bomb().save(tmp_path)
    tracemalloc.start()
    with pytest.raises(FormatError):
        gltf.read_all(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 400e6


# -- anything ---------------------------------------------------------------------------------------------------------

# what may stand where anything else should
NASTY: list[Any] = [
    None, True, -1, 0, 1, 2, 3, 7, 31, 10**9, 10**30, 0.5, 1e308, 3.4e38, "", "x", "VEC4", "STEP", "CUBICSPLINE", 5120, 5121, 5126,
    [], {}, [0], [[]], [0, 0, 0], [0] * 4, [0] * 16, [1e38] * 3, [1e38] * 4, {"node": 0},
]  # fmt: skip


def ways(tree: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value in a tree."""
    below = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [*([way] if way else []), *(deep for key, value in below for deep in ways(value, (*way, key)))]


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """A file of ours, the same as if another tool had written it, and one made by hand."""
    path = tmp_path_factory.mktemp("seeds") / "x.glb"
    gltf.write(samples.make("walk").motion[:4], path, mesh=False)
    tree, blob = taken(path.read_bytes())
    tree["asset"]["generator"] = "another tool"
    return [path.read_bytes(), packed(json.dumps(tree).encode(), blob), sound().glb()]


def is_read_or_refused(path: Path, data: bytes) -> bool:
    path.write_bytes(data)
    try:
        for motion in gltf.read_all(path):
            assert np.isfinite(motion.positions).all()
    except FormatError:
        return False
    return True


@given(data=st.data())
@settings(max_examples=300)
def test_trees_with_nasty_values(tmp_path: Path, seeds: list[bytes], data: st.DataObject) -> None:
    tree, blob = taken(data.draw(st.sampled_from(seeds)))
    for _ in range(data.draw(st.integers(1, 3))):
        way = data.draw(st.sampled_from(ways(tree)))
        # a copy: what is put in may be changed by the next
        put(*way, deepcopy(data.draw(st.sampled_from(NASTY))))(tree)
    is_read_or_refused(tmp_path / "x.glb", packed(json.dumps(tree).encode(), blob))


@given(data=st.data())
@settings(max_examples=200)
def test_damaged_bytes(tmp_path: Path, seeds: list[bytes], data: st.DataObject) -> None:
    damaged = bytearray(data.draw(st.sampled_from(seeds)))
    for _ in range(data.draw(st.integers(0, 8))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    is_read_or_refused(tmp_path / "x.glb", bytes(damaged[: data.draw(st.integers(0, len(damaged)))]))


@given(data=st.data())
def test_damaged_numbers(tmp_path: Path, seeds: list[bytes], data: st.DataObject) -> None:
    """The tree is sound, the buffer holds any bytes: what was read must be finite all the same."""
    tree, blob = taken(data.draw(st.sampled_from(seeds)))
    noise = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    bent = np.frombuffer(blob, np.uint8).copy()
    where = noise.integers(0, len(bent), data.draw(st.sampled_from([1, 4, len(bent)])))
    bent[where] = noise.integers(0, 256, len(where))
    is_read_or_refused(tmp_path / "x.glb", packed(json.dumps(tree).encode(), bent.tobytes()))


@given(data=st.binary(max_size=200))
def test_any_bytes(tmp_path: Path, data: bytes) -> None:
    for head in (b"", b"glTF", b"{", packed(b"{}", None)[:12]):
        assert not is_read_or_refused(tmp_path / "x.glb", head + data)


def test_the_seeds_themselves_are_read(tmp_path: Path, seeds: list[bytes]) -> None:
    assert all(is_read_or_refused(tmp_path / "x.glb", seed) for seed in seeds)

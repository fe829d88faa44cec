"""Small files that ask for much: each is refused with a sentence before it has taken time or memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.cli.reading import _roles
from kinegraph.crowds import reading as crowd_reading
from kinegraph.errors import FormatError, GraphError, KinegraphError
from kinegraph.graph import labels
from kinegraph.paths.reading import read_curve
from kinegraph.scenes import reading as scene_reading
from kinegraph.strikes import table


def test_a_chain_of_joints_has_an_end(tmp_path: Path) -> None:
    count = 60_000
    joints = "".join(f"JOINT j{n}\n{{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n" for n in range(count))
    path = tmp_path / "chain.bvh"
    path.write_text(
        f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n{joints}"
        f"End Site\n{{\nOFFSET 0 1 0\n}}\n{'}' * (count + 1)}\nMOTION\nFrames: 1\nFrame Time: 0.03\n"
        + "0 "
        * (count + 3)
    )
    with pytest.raises(FormatError, match="more than 5,000 joints"):
        kg.load(path)


def test_joints_of_other_formats_are_counted_too(tmp_path: Path) -> None:
    count = 6000
    arrays = {
        "names": np.array([f"j{n}" for n in range(count)]),
        "parents": np.arange(-1, count - 1),
        "offsets": np.zeros((count, 3)),
        "root": np.zeros((1, 3)),
        "rotations": np.tile([1.0, 0, 0, 0], (1, count, 1)),
        "fps": np.array(30.0),
    }
    np.savez(tmp_path / "chain.npz", **arrays)
    with pytest.raises(FormatError, match="6,000 joints"):
        kg.load(tmp_path / "chain.npz")


def test_an_archive_does_not_grow_without_bound(tmp_path: Path) -> None:
    # 160 MB of zeros, with so much noise that they shrink by less than a hundred
    np.savez_compressed(
        tmp_path / "zeros.npz",
        rotations=np.zeros((200_000, 25, 4), "f8"),
        root=np.random.default_rng(1).random(300_000),
    )
    assert (tmp_path / "zeros.npz").stat().st_size > 2_000_000
    with pytest.raises(FormatError, match=r"would grow from 2\.\d to 162 MB"):
        kg.load(tmp_path / "zeros.npz")


def svg(data: str, head: str = "") -> bytes:
    return f'{head}<svg xmlns="http://www.w3.org/2000/svg"><path d="{data}"/></svg>'.encode()


@pytest.mark.parametrize(
    ("drawn", "message"),
    [
        (svg("M0 0" + "c1 1 2 2 3 3" * 200_000), "more than"),
        (svg("M0 0" + "l1 1" * 200_000), "more than 100,000 commands"),
        (svg("M0 0 A1e300 1e300 0 1 1 1e200 1e200"), r"larger than 1e\+09"),
        (svg("M0 0 A1e-300 1e300 0 1 1 5 5"), r"larger than 1e\+09"),
        (svg("M0 0 L1e999 0"), r"larger than 1e\+09"),
        (svg("M0 0 L1 1", "<?xml version='1.0' encoding='utf-16'?>") + b"\xff\xfe", "not SVG"),
        (b"\xff\xfe<\x00", "not SVG|no path"),
    ],
)
def test_drawings_that_nobody_walks(drawn: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "drawn.svg"
    path.write_bytes(drawn)
    with pytest.raises(FormatError, match=message):
        read_curve(path)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "ebcdic-cp-us", "no-such-thing", "utf-8"])
def test_a_drawing_may_declare_any_encoding(encoding: str, tmp_path: Path) -> None:
    """What it declares was settled when it was read as text."""
    path = tmp_path / "drawn.svg"
    path.write_bytes(svg("M0 0 L3 4", f'<?xml version="1.0" encoding="{encoding}" standalone="no"?>\n'))
    assert read_curve(path).length == 5.0


@pytest.mark.parametrize("tiny", ["1e-300", "1e-9", "0"])
def test_arcs_without_size(tiny: str, tmp_path: Path) -> None:
    path = tmp_path / "drawn.svg"
    path.write_bytes(svg(f"M0 0 A{tiny} {tiny} 0 1 1 3 4"))
    assert np.isfinite(read_curve(path).length)


READERS: dict[str, Callable[[Path], Any]] = {
    "labels": labels.read,
    "strikes": table.read,
    "scene": scene_reading.read,
    "crowd": crowd_reading.read,
    "roles": _roles,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100_000,
        "a = " + "{b = " * 50_000,
        "a = " + "1" * 100_000,
        ".".join(["a"] * 20_000) + " = 1",
        "[" + ".".join(["a"] * 20_000) + "]",
        "a = 9999-99-99",
        "x" * 6_000_000,
    ],
    ids=["lists", "tables", "digits", "names", "heading", "date", "length"],
)
def test_toml_of_any_depth(reader: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "given.toml"
    path.write_text(text)
    with pytest.raises(KinegraphError):
        READERS[reader](path)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, '{"seconds": ' + "1" * 100_000 + "}"])
def test_scenes_in_json_of_any_depth(text: str, tmp_path: Path) -> None:
    path = tmp_path / "given.json"
    path.write_text(text)
    with pytest.raises(KinegraphError):
        scene_reading.read(path)


def test_names_with_some_points_are_read(tmp_path: Path) -> None:
    path = tmp_path / "given.toml"
    path.write_text('left_ankle = "a.b.c"\n')
    assert _roles(path) == {"left_ankle": "a.b.c"}


def test_a_path_has_an_end() -> None:
    graph = kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    with pytest.raises(GraphError, match="9,999 m long: at most 5,000 m"):
        kg.follow(graph, "line:9999")


def test_json_paths_of_any_depth(tmp_path: Path) -> None:
    path = tmp_path / "given.json"
    for text in (
        "[" * 100_000,
        json.dumps({"points": [[0, 10**300], [1, 1]]}),
        '{"controls": [[0,0],[1,1]], "degree": 1e300}',
    ):
        path.write_text(text)
        with pytest.raises(KinegraphError):
            kg.repath(kg.samples.make("walk").motion, str(path))

"""Paths out of words and files, and into files."""

from __future__ import annotations

import contextlib
import json
import pathlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph.errors import FormatError, KinegraphError, MotionError
from kinegraph.paths import Path, from_sketch, read, write
from kinegraph.paths.bspline import Spline
from kinegraph.paths.reading import read_curve
from kinegraph.paths.shapes import drawn

SQUARE = [[0.0, 0.0], [0.0, 2.0], [2.0, 2.0]]
HEIGHTS = [1.0, 0.5, 0.25]


def put(folder: pathlib.Path, name: str, text: str) -> pathlib.Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("text", ["0,0 0,2 2,2", " 0, 0  0 ,2\n2,2 ", "0,0;0,2;2,2", "0,0 0,2 0,2 2e0,2."])
def test_points(text: str) -> None:
    assert read(text).points.tolist() == SQUARE


def test_shapes() -> None:
    assert read("circle:3").length == pytest.approx(6 * np.pi, abs=1e-4)


@pytest.mark.parametrize(
    "text",
    [
        "[[0, 0], [0, 2], [2, 2]]",
        '[{"x": 0, "z": 0}, {"x": 0, "z": 2}, {"z": 2, "x": 2}]',
        '{"points": [[0, 0], [0, 2], [2, 2]], "name": "corner"}',
        "\ufeff[[0, 0], [0, 2], [0, 2], [2, 2]]",
    ],
)
def test_json(tmp_path: pathlib.Path, text: str) -> None:
    assert read(put(tmp_path, "a.json", text)).points.tolist() == SQUARE


@pytest.mark.parametrize(
    "text",
    [
        "x,z\n0,0\n0,2\n2,2\n",
        "x,y\n0,0\n0,2\n2,2",
        "0,0\n0,2\n2,2\n",
        "time;z;x\n0;0;0\n1;2;0\n2;2;2\n",
        "X\tZ\r\n0\t0\r\n\r\n0\t2\r\n2\t2\r\n",
        "x, y, z\n0, 9, 0\n0, 9, 2\n2, 9, 2\n",
        "# drawn by hand, in metres\n0,0\n0,2\n2,2\n",
    ],
)
def test_csv(tmp_path: pathlib.Path, text: str) -> None:
    assert read(str(put(tmp_path, "a.CSV", text))).points.tolist() == SQUARE


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", "[[0, 1, 0], [0, 0.5, 2], [2, 0.25, 2]]"),
        ("a.json", '{"points": [{"x": 0, "y": 1, "z": 0}, {"x": 0, "y": 0.5, "z": 2}, {"x": 2, "y": 0.25, "z": 2}]}'),
        ("a.csv", "0,1,0\n0,.5,2\n2,.25,2\n"),
        ("a.csv", "x,y,z\n0,1,0\n0,.5,2\n2,.25,2\n"),
        ("a.csv", "z;x;y\n0;0;1\n2;0;.5\n2;2;.25\n"),
    ],
)
def test_heights(tmp_path: pathlib.Path, name: str, text: str) -> None:
    path = read(put(tmp_path, name, text))
    assert path.points.tolist() == SQUARE
    assert path.heights is not None
    assert path.heights.tolist() == HEIGHTS


def test_points_with_heights() -> None:
    path = read("0,1,0 0,.5,2 2,.25,2")
    assert path.points.tolist() == SQUARE
    assert path.heights is not None
    assert path.heights.tolist() == HEIGHTS


def test_a_trailing_separator_is_no_height(tmp_path: pathlib.Path) -> None:
    path = read(put(tmp_path, "a.csv", "0,0,\n0,2,\n2,2,\n"))
    assert path.points.tolist() == SQUARE
    assert path.heights is None


@pytest.mark.parametrize(
    ("text", "degree", "knots"),
    [
        ('{"controls": [[0, 0], [0, 2], [2, 2], [2, 4]]}', 3, [0, 0, 0, 0, 1, 1, 1, 1]),
        ('{"degree": 1, "controls": [{"x": 0, "z": 0}, {"x": 0, "z": 2}]}', 1, [0, 0, 1, 1]),
        ('{"degree": 1, "controls": [[0, 0, 0], [0, 1, 2]], "knots": [0, 0, 5, 5]}', 1, [0, 0, 5, 5]),
    ],
)
def test_splines(tmp_path: pathlib.Path, text: str, degree: int, knots: list[float]) -> None:
    file = put(tmp_path, "a.json", text)
    spline = read_curve(file)
    assert isinstance(spline, Spline)
    assert spline.degree == degree
    assert spline.knots.tolist() == knots
    # where a path is wanted, the points along it
    path = read(file)
    assert isinstance(path, Path)
    assert path.length == pytest.approx(spline.length, rel=1e-4)
    assert (path.heights is not None) == spline.has_heights


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", "[[0, 0], [0, 2]", r"a\.json:1:\d+: this is not JSON"),
        ("a.json", '[[0, 0],\n[0, "2"]]', "point 2 holds '2'"),
        ("a.json", "[[0, 0], [0, NaN]]", "point 2 holds 'nan'"),
        ("a.json", "[[0, 0], [0, true]]", "not a finite number"),
        ("a.json", f"[[0, 0], [0, 1{'0' * 400}]]", "not a finite number"),
        ("a.json", "[[0, 0], [0, 1, 2]]", "point 2 is not a pair"),
        ("a.json", '[{"x": 0, "y": 0}]', "has y.*call it z"),
        ("a.json", '[{"x": 0}]', "needs x and z"),
        ("a.json", "[[0, 0, 0], [0, 1]]", r"point 2 is not a triple \[x, y, z\], as the first one is"),
        ("a.json", '[{"x": 0, "y": 0, "z": 0}, {"x": 0, "z": 1}]', "point 2 is not a triple"),
        ("a.json", "[[0, 1, 2, 3]]", r"point 1 is not a pair \[x, z\]: "),
        ("a.json", "[[0, 0, 0], [0, 1, 0]]", r"a\.json: the path rises straight up at point 2"),
        ("a.json", '{"points": [[0, 0]], "controls": [[0, 0]]}', "both"),
        ("a.json", '{"controls": [[0, 0], [1, 1], [2, 2]]}', r"a\.json: a spline of degree 3 needs at least 4"),
        ("a.json", '{"controls": [[0, 0], [1, 1]], "degree": "1"}', "whole number of at least 1, got '1'"),
        ("a.json", '{"controls": [[0, 0], [1, 1]], "degree": 1, "knots": [0, 1]}', "take 4 knots"),
        ("a.json", '{"controls": [[0, 0], [1, 1]], "degree": 1, "knots": [0, [1]]}', "must be numbers"),
        ("a.json", '{"controls": 3}', "expected a list"),
        ("a.csv", "0,0,0,0\n1,1,1,1\n", r"a\.csv:1: 4 columns without a heading"),
        ("a.csv", "0,0,0\n1,1\n", r"a\.csv:2: expected at least 3 columns, found 2"),
        ("a.csv", "y,z\n0,0\n1,1\n", "expected columns x and z"),
        ("a.json", '{"path": []}', "points"),
        ("a.json", "[]", "empty"),
        ("a.json", "3", "expected a list"),
        ("a.json", "[" * 100_000, "not"),
        ("a.json", "[[1, 2]]", r"a\.json: a path needs at least two points"),
        ("a.json", "[[1, 2], [1, 2]]", r"a\.json: the path has no length"),
        ("a.csv", "x,z\n0,0\n1,nan\n", r"a\.csv:3: 'nan' is not a finite number"),
        ("a.csv", "x,z\n0,0\n1\n", r"a\.csv:3: expected at least 2 columns"),
        ("a.csv", "a,b\n0,0\n1,1\n", r"a\.csv:1: expected columns x and z, found 'a, b'"),
        ("a.csv", "hello", r"a\.csv:1: expected two columns"),
        ("a.csv", "", "empty"),
        ("a.csv", "x,z\n", "at least two points"),
    ],
)
def test_bad_files(tmp_path: pathlib.Path, name: str, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(put(tmp_path, name, text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty text"),
        ("0,0", "at least two points"),
        ("0,0 1", "'1' is not a point"),
        ("0,0 nan,1", "'nan,1' is not a point"),
        ("0,0 1,2,3", "'1,2,3' is not a point"),
        ("0,0 0,0", "no length"),
        ("0,0 0,20000", "20.00 km"),
        ("squar:6", "Did you mean square"),
        ("walk.bvh", "read from .json, .csv, .svg, not from '.bvh'"),
        ("nowhere.json", "no such file"),
        (".", "read from"),
    ],
)
def test_bad_words(text: str, message: str) -> None:
    with pytest.raises(KinegraphError, match=message):
        read(text)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(KinegraphError):
        assert read(text).length > 0


@pytest.mark.parametrize("name", ["a.json", "a.csv"])
def test_what_is_written_is_read_back_exactly(tmp_path: pathlib.Path, name: str) -> None:
    path = drawn(5, 2)
    write(path, tmp_path / name)
    np.testing.assert_array_equal(read(tmp_path / name).points, path.points)


@pytest.mark.parametrize("name", ["a.json", "a.csv"])
def test_heights_are_written_and_read_back(tmp_path: pathlib.Path, name: str) -> None:
    path = Path(SQUARE, [0.1, 1 / 3, 2.0])
    write(path, tmp_path / name)
    again = read(tmp_path / name)
    np.testing.assert_array_equal(again.points, path.points)
    np.testing.assert_array_equal(again.heights, path.heights)


@pytest.mark.parametrize(
    "spline",
    [
        Spline([[0, 0], [0.1, 1 / 3], [1, 1], [2, 1]]),
        Spline([[0, 0, 0], [0.1, 0.2, 1], [1, 0.1, 1]], 2),
        Spline([[0, 0], [0, 1], [1, 1], [2, 1], [3, 3]]).refined(1 / 3),
    ],
    ids=repr,
)
def test_splines_are_written_and_read_back(tmp_path: pathlib.Path, spline: Spline) -> None:
    write(spline, tmp_path / "a.json")
    again = read_curve(tmp_path / "a.json")
    assert isinstance(again, Spline)
    assert again.degree == spline.degree
    np.testing.assert_array_equal(again.controls, spline.controls)
    np.testing.assert_array_equal(again.knots, spline.knots)
    with pytest.raises(FormatError, match=r"a spline is written to \.json"):
        write(spline, tmp_path / "a.csv")
    assert not (tmp_path / "a.csv").exists()


def test_json_says_its_unit(tmp_path: pathlib.Path) -> None:
    write(Path(SQUARE), tmp_path / "a.json")
    assert json.loads((tmp_path / "a.json").read_text()) == {"unit": "m", "points": SQUARE}


def test_writes_no_other_format(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FormatError, match=r"\.json or \.csv"):
        write(Path(SQUARE), tmp_path / "a.svg")


def test_a_sketch_loses_its_tremor() -> None:
    meant = drawn(20, 4)
    random = np.random.default_rng(0)
    stroke = meant.at(np.linspace(0, 20, 400)) + random.normal(size=(400, 2)) * 0.02
    path = from_sketch(stroke)
    distance, _ = meant.nearest(path.points)
    assert distance.mean() < 0.01
    assert path.length == pytest.approx(20, rel=0.02)
    assert Path(stroke).length > 21
    np.testing.assert_allclose(path.points[[0, -1]], stroke[[0, -1]], atol=1e-9)


def test_a_sketch_must_be_a_stroke() -> None:
    with pytest.raises(MotionError, match="at least two"):
        from_sketch([[0, 0]])

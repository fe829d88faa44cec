"""`HeightField`: through its heights, smooth between, held beyond; files and refusals."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

from kinegraph.errors import FormatError, MotionError
from kinegraph.paths.heightfield import HeightField


def rolling(x: np.ndarray, z: np.ndarray) -> np.ndarray:
    return np.asarray(0.4 * np.sin(0.7 * x) + 0.3 * np.cos(0.5 * z) + 0.1 * x)


def field() -> HeightField:
    x, z = np.meshgrid(-4 + 0.25 * np.arange(41), 1 + 0.25 * np.arange(31))
    return HeightField(rolling(x, z), -4, 1, 0.25)


def test_goes_through_its_heights_and_is_exact_between() -> None:
    made = field()
    assert made([-4.0 + 0.25 * 7, 1.0 + 0.25 * 3]) == pytest.approx(made.heights[3, 7], abs=1e-12)
    random = np.random.default_rng(0)
    points = random.uniform([-3, 2], [5, 7.5], size=(3, 50, 2))
    np.testing.assert_allclose(made(points), rolling(points[..., 0], points[..., 1]), atol=1e-4)
    across = 0.28 * np.cos(0.7 * points[..., 0]) + 0.1
    ahead = -0.15 * np.sin(0.5 * points[..., 1])
    np.testing.assert_allclose(made.gradient(points), np.stack([across, ahead], axis=-1), atol=1e-3)


def test_is_held_beyond_its_edges() -> None:
    made = field()
    np.testing.assert_allclose(made([[-99.0, 3.0], [99.0, 99.0]]), [made([-4.0, 3.0]), made.heights[-1, -1]])
    np.testing.assert_allclose(made.gradient([-99.0, 3.0]), [0, made.gradient([-4.0, 3.0])[1]])
    np.testing.assert_array_equal(made.gradient([99.0, 99.0]), 0)


def test_few_heights_are_enough() -> None:
    tilted = HeightField([[0, 0.5, 1], [0.1, 0.6, 1.1], [0.2, 0.7, 1.2]])
    assert tilted([0.5, 0.5]) == pytest.approx(0.3)
    np.testing.assert_allclose(tilted.gradient([0.5, 0.5]), [0.5, 0.1], atol=1e-12)


def test_is_smooth_across_its_rows() -> None:
    bump = HeightField(np.pad([[0.3]], 4))
    for place in (3.0, 4.0, 5.0):
        before, after = bump.gradient([[4.3, place - 1e-7], [4.3, place + 1e-7]])
        np.testing.assert_allclose(before, after, atol=1e-5)


@pytest.mark.parametrize("name", ["a.npz", "a.csv", "b.csv"])
def test_files_say_where_it_lies(tmp_path: pathlib.Path, name: str) -> None:
    made = field()
    if name == "a.npz":
        np.savez(tmp_path / name, heights=made.heights, x0=-4.0, z0=1.0, step=0.25)
    else:
        corner, mark = ("z/x", ",") if name == "a.csv" else ("", ";")
        rows = [[corner, *(repr(-4 + 0.25 * c) for c in range(41))]]
        rows += [[repr(1 + 0.25 * r), *map(repr, row)] for r, row in enumerate(made.heights.tolist())]
        (tmp_path / name).write_text("\n".join(mark.join(row) for row in rows))
    again = HeightField.from_file(tmp_path / name, x0=9, z0=9, step=9)
    np.testing.assert_array_equal(again.heights, made.heights)
    assert (again.x0, again.z0, again.step) == pytest.approx((-4, 1, 0.25))


@pytest.mark.parametrize("name", ["a.npz", "a.npy", "a.csv"])
def test_heights_alone_lie_where_they_are_told(tmp_path: pathlib.Path, name: str) -> None:
    heights = np.array([[0.0, 0.1, 0.2], [0.0, 0.2, 0.1], [0.0, 0.0, 0.0]])
    file = tmp_path / name
    if name == "a.npz":
        np.savez(file, heights=heights)
    elif name == "a.npy":
        np.save(file, heights)
    else:
        file.write_text("0,0.1,0.2\n0,0.2,0.1\n0,0,0\n")
    made = HeightField.from_file(file, x0=5, step=2)
    np.testing.assert_array_equal(made.heights, heights)
    assert (made.x0, made.z0, made.step) == (5, 0, 2)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "", "empty"),
        ("a.csv", "0,0\n0,a\n", r"a\.csv:2: 'a' is not a finite number"),
        ("a.csv", "0,0\n0\n", r"a\.csv:2: 1 columns, but 2 in the first row"),
        ("a.csv", "0,0\n", r"a\.csv: a height field is \(R, C\)"),
        ("a.csv", "0,0,0\n0,0,5\n0,0,5\n", r"a\.csv: the height field at x = .* degrees steep"),
        ("a.csv", ",0,1,3\n0,0,0,0\n1,0,0,0\n2,0,0,0\n", "rise evenly"),
        ("a.csv", ",0,1,2\n0,0,0,0\n3,0,0,0\n6,0,0,0\n", "rise evenly"),
        ("a.csv", ",2,1,0\n2,0,0,0\n1,0,0,0\n0,0,0,0\n", "rise evenly"),
        ("a.csv", ",0,1\n0,0,0\n1,0,0\n", "under the heading"),
        ("a.npy", "no array", "not a height field as NumPy writes it"),
        ("a.npz", "PK\x03\x04 broken", "not a height field as NumPy writes it"),
    ],
)
def test_bad_files(tmp_path: pathlib.Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(FormatError, match=message):
        HeightField.from_file(tmp_path / name)


def test_an_archive_without_heights(tmp_path: pathlib.Path) -> None:
    np.savez(tmp_path / "a.npz", terrain=np.zeros((3, 3)))
    with pytest.raises(FormatError, match="holds no 'heights', only 'terrain'"):
        HeightField.from_file(tmp_path / "a.npz")
    np.savez(tmp_path / "b.npz", heights=np.zeros((3, 3)), step=np.ones(3))
    with pytest.raises(FormatError, match="not a height field"):
        HeightField.from_file(tmp_path / "b.npz")


@pytest.mark.parametrize(
    ("heights", "step", "message"),
    [
        ([0, 1], 1, r"is \(R, C\), at least three rows"),
        ([[0, 1], [1, 1]], 1, r"three rows of three heights; got \(2, 2\)"),
        ([[0, 1], [2]], 1, "rows of equal length"),
        ([[0, 1, 0], [0, np.nan, 0], [0, 0, 0]], 1, "row 2, column 2 of the height field is no height"),
        ([[0, 1e9, 0], [0, 0, 0], [0, 0, 0]], 1, "row 1, column 2"),
        (np.zeros((3, 3)), 0, "step of a height field must be above 0"),
        (np.zeros((3, 3)), np.nan, "step of a height field must be above 0"),
        (np.zeros((3, 3)), 1e5, "beyond 100 km"),
        ([[0, 3, 6]] * 3, 2, "x = .* is 56 degrees steep, and at most 45"),
        (np.zeros((2001, 2001)), 1, "4,004,001 heights: at most 4,000,000"),
    ],
)
def test_refusals(heights: object, step: float, message: str) -> None:
    with pytest.raises(MotionError, match=message):
        HeightField(heights, step=step)  # type: ignore[arg-type]


def test_is_a_value() -> None:
    heights = np.zeros((3, 3))
    made = HeightField(heights)
    heights[0] = 9
    assert made.heights[0, 0] == 0

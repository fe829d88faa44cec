"""Tables for spreadsheets and notebooks."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinegraph import Motion, Skeleton, samples
from kinegraph.errors import FormatError
from kinegraph.formats.csv import write
from kinegraph.motion import kinematics, rotation


@pytest.fixture(scope="module")
def walk() -> Motion:
    return samples.make("walk").motion[:40]


def table(path: Path) -> tuple[list[str], np.ndarray]:
    """The heading and the numbers, read by other people's code."""
    with path.open(encoding="utf-8", newline="") as lines:
        heading = next(csv.reader(lines))
    return heading, np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)


def test_positions_stand_under_the_joints_names(tmp_path: Path, walk: Motion) -> None:
    write(walk, tmp_path / "x.csv")
    heading, numbers = table(tmp_path / "x.csv")
    assert heading[:2] == ["frame", "seconds"]
    assert heading[2:] == [f"{name}.{axis}" for name in walk.skeleton.names for axis in "xyz"]
    np.testing.assert_array_equal(numbers[:, 0], np.arange(40))
    np.testing.assert_array_equal(numbers[:, 1], np.arange(40) / walk.fps)
    np.testing.assert_allclose(numbers[:, 2:].reshape(40, -1, 3), walk.positions, rtol=0, atol=5.1e-7)


def test_rotations_and_the_root_give_the_motion_back(tmp_path: Path, walk: Motion) -> None:
    write(walk, tmp_path / "x.csv", what="rotations")
    heading, numbers = table(tmp_path / "x.csv")
    root = walk.skeleton.names[0]
    assert heading[2:9] == [f"{root}.position.{axis}" for axis in "xyz"] + [f"{root}.{axis}" for axis in "wxyz"]
    turns = rotation.normalize(numbers[:, 5:].reshape(40, -1, 4))
    positions, _ = kinematics.forward(walk.skeleton, numbers[:, 2:5], turns)
    np.testing.assert_allclose(positions, walk.positions, rtol=0, atol=1e-5)


def test_bones_that_change_length_keep_their_places(tmp_path: Path, walk: Motion) -> None:
    stretched = np.tile(walk.skeleton.offsets, (40, 1, 1)) * np.linspace(1.0, 1.2, 40)[:, None, None]
    write(replace(walk, translations=stretched), tmp_path / "x.csv", what="rotations")
    heading, numbers = table(tmp_path / "x.csv")
    second = walk.skeleton.names[1]
    at = heading.index(f"{second}.position.x")
    np.testing.assert_allclose(numbers[:, at : at + 3], stretched[:, 1], rtol=0, atol=5.1e-7)


def test_units_axes_and_place(tmp_path: Path, walk: Motion) -> None:
    write(walk, tmp_path / "x.csv", units="cm", up="z", in_place=True)
    _, numbers = table(tmp_path / "x.csv")
    found = numbers[:, 2:].reshape(40, -1, 3)
    moved = walk.positions - (walk.root - walk.root[0])[:, None] * [1, 0, 1]
    wanted = 100 * np.stack([moved[..., 0], -moved[..., 2], moved[..., 1]], axis=-1)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-6)
    assert np.ptp(walk.root[:, 2]) > 0.1  # it would have gone somewhere


def test_names_are_kept_quoted_and_told_apart(tmp_path: Path) -> None:
    names = ('a "b", c', "hand", "hand", "hand.2", "two\nlines")
    body = Skeleton(names, [-1, 0, 0, 0, 0], np.zeros((5, 3)))
    write(Motion(body, np.ones((2, 3)), rotation.identity(2, 5), 30.0), tmp_path / "x.csv")
    heading, numbers = table(tmp_path / "x.csv")
    assert heading[2::3] == ['a "b", c.x', "hand.x", "hand.3.x", "hand.2.x", "two lines.x"]
    assert numbers.shape == (2, 17)


def test_no_minus_zero_is_shown(tmp_path: Path) -> None:
    motion = Motion(Skeleton(("a",), [-1], np.zeros((1, 3))), np.full((1, 3), -1e-9), rotation.identity(1, 1), 30.0)
    write(motion, tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text().splitlines()[1] == "0,0.0,0.000000,0.000000,0.000000"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"what": "angles"}, "expected positions or rotations"),
        ({"up": "x"}, "expected y or z"),
        ({"units": "mile"}, "unknown unit"),
    ],
)
def test_wishes_that_make_no_sense_leave_no_file(
    tmp_path: Path, walk: Motion, options: dict[str, str], said: str
) -> None:
    with pytest.raises(FormatError, match=said):
        write(walk, tmp_path / "x.csv", **options)
    assert not list(tmp_path.iterdir())

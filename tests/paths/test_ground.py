"""Grounds by name: exact heights, gradients against differences, and refusals that say what to write."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

from kinegraph.errors import FormatError, KinegraphError, MotionError
from kinegraph.paths.ground import GROUNDS, Ground, ground, hill, register_ground
from kinegraph.paths.named import Spelled

ALL = ("slope:0.2", "slope:-20%,30", "hill:2,10", "hill:-1,4,1,2", "waves:0.5,6", "ramp:1,2,6", "ramp:-1,2,6")


def test_all_grounds_are_tried() -> None:
    assert {text.partition(":")[0] for text in ALL} == set(GROUNDS)


@pytest.mark.parametrize("text", ALL)
def test_gradients_are_those_of_differences(text: str) -> None:
    made: Ground = ground(text)
    random = np.random.default_rng(0)
    points = random.uniform(-12, 22, size=(5, 40, 2))
    heights, gradient = made(points), made.gradient(points)
    assert heights.shape == (5, 40)
    assert gradient.shape == (5, 40, 2)
    for axis in (0, 1):
        step = 1e-5 * np.eye(2)[axis]
        np.testing.assert_allclose(gradient[..., axis], (made(points + step) - made(points - step)) / 2e-5, atol=1e-5)


@pytest.mark.parametrize("text", [text for text in ALL if not text.startswith(("slope", "hill:-1"))])
def test_begins_level_at_the_origin(text: str) -> None:
    assert ground(text)([0.0, 0.0]) == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(ground(text).gradient([0.0, 0.0]), 0, atol=1e-12)


@pytest.mark.parametrize(
    ("text", "place", "height"),
    [
        ("slope:0", (5, 5), 0),
        ("slope:0.2", (7, 5), 1),
        ("slope:20%", (7, 5), 1),
        ("slope: 20% , 90", (5, 7), 1),
        ("slope:-0.2,180", (7, 5), 1),
        ("hill:2,10", (0, 10), 2),
        ("hill:2,10", (0, 5), 1),
        ("hill:2,10", (5, 10), 1),
        ("hill:2,10", (0, 21), 0),
        ("hill:2,10,3", (3, 10), 2),
        ("Hill:2,10,3,4", (3, 4), 2),
        ("waves:0.5,6", (9, 3), 0.5),
        ("waves:0.5,6", (9, 6), 0),
        ("ramp:1,2,6", (9, 1), 0),
        ("ramp:1,2,6", (9, 4), 0.5),
        ("ramp:1,2,6", (9, 60), 1),
    ],
)
def test_heights(text: str, place: tuple[float, float], height: float) -> None:
    assert ground(text)(np.array(place, dtype=float)) == pytest.approx(height, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hil:2,10", "no ground is called 'hil'. Did you mean hill"),
        ("lake:3", r"no ground is called 'lake'. There are slope:GRADE\[,HEADING\], hill:HEIGHT,RADIUS\[,X\]\[,Z\]"),
        ("", "no ground is called ''"),
        ("slope", r"'slope' holds 0 of its numbers: write slope:GRADE\[,HEADING\]"),
        ("hill:2", "holds 1 of its numbers: write hill:HEIGHT,RADIUS"),
        ("ramp:1,2,3,4", "holds 4 of its numbers"),
        ("hill:2,x", "'x' in 'hill:2,x' is not a number"),
        ("hill:2%,10", "'2%' in 'hill:2%,10' is not a number"),
        ("hill:nan,10", "the height of 'hill:nan,10' must be a number within"),
        ("slope:inf", "the grade of 'slope:inf' must be a number within"),
        ("slope:120%", "a slope of 120 % is 50 degrees steep, and at most 45 are taken"),
        ("hill:8,10", "a hill of 8 m within 10 m is 51 degrees steep"),
        ("hill:-8,10", "51 degrees steep"),
        ("hill:1,0", "radius of a hill must be above 0 m, got 0"),
        ("waves:2,6", "waves of 2 m every 6 m is 46 degrees steep"),
        ("waves:2,-6", "length of waves must be above 0"),
        ("ramp:3,2,6", "a ramp of 3 m within 4 m is 48 degrees steep"),
        ("ramp:1,6,2", "from START to END, must be above 0 m, got -4"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(MotionError, match=message):
        ground(text)


def test_45_degrees_are_taken() -> None:
    assert ground("slope:100%")([0.0, 1.0]) == pytest.approx(1)


def test_points_must_be_points() -> None:
    for text in ALL:
        with pytest.raises(MotionError, match=r"\(\.\.\., 2\)"):
            ground(text)([1.0, 2.0, 3.0])


def test_files(tmp_path: pathlib.Path) -> None:
    np.save(tmp_path / "a.npy", np.full((3, 4), 0.5))
    for source in (tmp_path / "a.npy", str(tmp_path / "a.npy")):
        assert ground(source)([1.0, 1.0]) == pytest.approx(0.5)
    with pytest.raises(FormatError, match="no such file"):
        ground("nowhere.npy")
    with pytest.raises(FormatError, match=r"read from \.npz, \.npy, \.csv, not from '\.png'"):
        ground(tmp_path / "a.png")


def test_every_ground_has_an_example_and_a_sentence() -> None:
    for one in GROUNDS.values():
        assert one.example.startswith(f"{one.name}:")
        assert np.ptp(ground(one.example)(np.stack([np.zeros(50), np.linspace(0, 8, 50)], axis=-1))) > 0.1
        assert one.help.endswith(".")


@pytest.mark.parametrize("one", GROUNDS.values(), ids=list(GROUNDS))
def test_the_numbers_of_a_ground_can_be_set_by_hand(one: Spelled[Ground]) -> None:
    ahead = np.stack([np.ones(50), np.linspace(0, 8, 50)], axis=-1)

    def heights(*numbers: float) -> Any:
        units = (dial.unit for dial in one.dials)
        words = (f"{number}%" if unit == "%" else str(number) for number, unit in zip(numbers, units, strict=False))
        return ground(f"{one.name}:{','.join(words)}")(ahead)

    usual = [dial.usual for dial in one.dials]
    assert np.ptp(heights(*usual)) > 0.1
    assert np.ptp(heights(0, *usual[1:])) == 0
    # what need not be said is as usual
    assert heights(*usual[: one.needed]) == pytest.approx(heights(*usual))
    for dial in one.dials:
        assert dial.least <= dial.usual <= dial.most
        assert 0 < dial.step <= (dial.most - dial.least) / 10


def test_a_ground_that_is_added_is_read_like_any_other() -> None:
    @register_ground("bump:1,4", "A hill that is as wide as it is told.")
    def bump(height: float, radius: float) -> Ground:
        return hill(height, radius)

    try:
        assert list(GROUNDS)[-1] == "bump"
        assert ground("bump:1,4")([0.0, 4.0]) == 1
        assert [(dial.label, dial.most) for dial in GROUNDS["bump"].dials] == [("Height", 2), ("Radius", 8)]
        with pytest.raises(MotionError, match=r"write bump:HEIGHT,RADIUS, in metres"):
            ground("bump:1")
        with pytest.raises(MotionError, match=r"There are slope:.*, bump:HEIGHT,RADIUS, in metres, and height fields"):
            ground("moor:1")
        with pytest.raises(KinegraphError, match="already a ground called 'bump'"):
            register_ground("bump:1,4", "Again.")(bump)
    finally:
        GROUNDS.remove("bump")
    with pytest.raises(MotionError, match="no ground is called 'bump'"):
        ground("bump:1,4")

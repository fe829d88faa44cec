"""Shapes by name: exact values, and refusals that say what to write."""

from __future__ import annotations

import numpy as np
import pytest

from kinegraph.errors import KinegraphError, MotionError
from kinegraph.paths import Path, read
from kinegraph.paths.shapes import DRAWN_RADIUS, SHAPES, drawn, eight, register_shape, shape, spiral, wave

ALL = ("line:8", "circle:3", "eight:3", "square:6", "wave:12,1.5", "spiral:3", "zigzag:3", "drawn:60")


@pytest.mark.parametrize("text", ALL)
def test_every_shape_begins_at_the_origin_heading_z_in_fine_steps(text: str) -> None:
    path = shape(text)
    assert path.points[0].tolist() == [0, 0]
    assert abs(path.heading(0.0)) < 0.01
    assert np.diff(path.lengths).max() < 0.02


def test_all_shapes_are_tried() -> None:
    assert {text.partition(":")[0] for text in ALL} == set(SHAPES)


@pytest.mark.parametrize(
    ("text", "length", "end"),
    [
        ("line:8", 8, (0, 8)),
        ("circle:3", 6 * np.pi, (0, 0)),
        ("circle:0.2", 0.4 * np.pi, (0, 0)),
        ("eight:3", 12 * np.pi, (0, 0)),
        ("square:6", 24, (0, 0)),
        ("zigzag:3", 12, (6, 6)),
        ("zigzag:2,3", 6, (2, 4)),
        ("wave:12,1.5", None, (0, 12)),
        ("drawn:60", 60, None),
        (" Circle : 3 ", 6 * np.pi, (0, 0)),
    ],
)
def test_lengths_and_ends(text: str, length: float | None, end: tuple[float, float] | None) -> None:
    path = shape(text)
    if length is not None:
        assert path.length == pytest.approx(length, abs=1e-4)
    if end is not None:
        np.testing.assert_allclose(path.points[-1], end, atol=1e-9)


def test_a_circle_turns_left() -> None:
    path = shape("circle:3")
    np.testing.assert_allclose(np.linalg.norm(path.points - [3, 0], axis=1), 3, atol=1e-12)
    np.testing.assert_allclose(path.at(1.5 * np.pi), [3, 3], atol=1e-4)


def test_an_eight_crosses_smoothly_into_the_other_loop() -> None:
    path = eight(2)
    half = path.length / 2
    np.testing.assert_allclose(path.at(half), [0, 0], atol=1e-9)
    assert abs(path.heading(half)) < 0.01
    np.testing.assert_allclose(path.curvature([half - 1, half + 1]), [0.5, -0.5], rtol=1e-4)


def test_a_wave_swings_about_a_line() -> None:
    path = wave(12, 1.5, 2)
    assert path.points[:, 0].min() == 0
    assert path.points[:, 0].max() == pytest.approx(3)
    np.testing.assert_allclose(path.points[:, 0], 1.5 * (1 - np.cos(2 * np.pi * path.points[:, 1] / 6)), atol=1e-12)
    # the arc length of a sine by a fine sum
    z = np.linspace(0, 12, 400_001)
    exact = np.hypot(np.diff(z), np.diff(1.5 * np.cos(2 * np.pi * z / 6))).sum()
    assert path.length == pytest.approx(exact, abs=1e-4)


def test_a_spiral_tightens_to_a_third() -> None:
    path = spiral(3, 2)
    np.testing.assert_allclose(path.curvature([0.2, path.length - 0.2]), [1 / 3, 1], rtol=0.03)


@pytest.mark.parametrize("seed", range(6))
def test_a_drawn_curve_can_be_walked(seed: int) -> None:
    path = drawn(60, seed)
    curvature = path.curvature(np.linspace(0, 60, 3000))
    assert np.abs(curvature).max() < 1.001 / DRAWN_RADIUS
    # a curve, not a line: it turns both ways, and tightly somewhere
    assert curvature.max() > 0.3
    assert curvature.min() < -0.3
    np.testing.assert_array_equal(path.points, drawn(60, seed).points)
    assert not np.allclose(path.points, drawn(60, seed + 1).points)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("circl:3", "Did you mean circle"),
        ("foo:3", "no shape is called 'foo'.*circle:RADIUS"),
        ("circle", "write circle:RADIUS"),
        ("circle:", "write circle:RADIUS"),
        ("circle:3,4", "write circle:RADIUS"),
        ("wave:12", r"write wave:LENGTH,AMPLITUDE\[,PERIODS\]"),
        ("circle:x", "'x' in 'circle:x' is not a number"),
        ("circle:0", "radius of 'circle:0' must be above 0"),
        ("circle:-1", "must be above 0"),
        ("line:nan", "must be above 0"),
        ("line:inf", "too large"),
        ("line:10001", "at most 10 km"),
        ("eight:1000", "12.57 km long"),
        ("square:3000", "12.00 km long"),
        ("spiral:10,9999", "at most 10 km"),
        ("zigzag:3,1.5", "whole number"),
        ("drawn:60,-1", "whole number of at least 0"),
        ("drawn:60,nan", "whole number of at least 0"),
        ("wave:10,1,1000", "at least 0.1 m"),
        ("line:1e-12", "no length"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(MotionError, match=message):
        shape(text)


def test_every_shape_has_an_example_and_a_sentence() -> None:
    for one in SHAPES.values():
        assert one.example.startswith(f"{one.name}:")
        assert shape(one.example).length > 1
        assert one.help.endswith(".")


def test_a_shape_that_is_added_is_read_like_any_other() -> None:
    @register_shape("hook:4", "Straight ahead, then a leg to the left.")
    def hook(length: float, leg: float = 1.0) -> Path:
        return Path([[0, 0], [0, length], [leg, length]])

    try:
        assert list(SHAPES)[-1] == "hook"
        assert SHAPES["hook"].usage == "hook:LENGTH[,LEG]"
        assert read("hook:4").length == 5
        assert read("Hook: 4, 2").length == 6
        with pytest.raises(MotionError, match=r"'hook:' holds 0 of its numbers: write hook:LENGTH\[,LEG\] in metres"):
            shape("hook:")
        with pytest.raises(MotionError, match=r"no shape is called 'hok'\. Did you mean hook"):
            shape("hok:4")
        with pytest.raises(KinegraphError, match="already a shape called 'hook'"):
            register_shape("hook:1", "Again.")(hook)
    finally:
        SHAPES.remove("hook")
    with pytest.raises(MotionError, match="no shape is called 'hook'"):
        shape("hook:4")

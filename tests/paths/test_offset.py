"""Paths beside a path: their distance, round corners, and loops that are cut out."""

from __future__ import annotations

import numpy as np
import pytest

from kinegraph.errors import MotionError
from kinegraph.paths import Path
from kinegraph.paths.bspline import Spline
from kinegraph.paths.shapes import circle, drawn, eight, square


@pytest.mark.parametrize(("distance", "radius"), [(0.5, 1.5), (-0.5, 2.5), (1.5, 0.5)])
def test_beside_a_circle_is_a_circle(distance: float, radius: float) -> None:
    beside = circle(2).offset(distance)
    np.testing.assert_allclose(np.linalg.norm(beside.points - [2, 0], axis=1), radius, atol=1e-3)
    assert beside.length == pytest.approx(2 * np.pi * radius, rel=1e-2)


def test_left_is_towards_x() -> None:
    np.testing.assert_allclose(Path([[0, 0], [0, 5]]).offset(1).points[[0, -1]], [[1, 0], [1, 5]], atol=1e-12)
    np.testing.assert_allclose(Path([[0, 0], [0, 5]]).offset(-1).points[[0, -1]], [[-1, 0], [-1, 5]], atol=1e-12)


def test_inside_corners_are_sharp_and_outside_ones_round() -> None:
    inside, outside = square(4).offset(0.5), square(4).offset(-0.5)
    assert inside.length == pytest.approx(16 - 6 * 0.5, abs=0.02)
    assert outside.length == pytest.approx(16 + 3 * np.pi / 2 * 0.5, abs=0.02)
    np.testing.assert_allclose(square(4).nearest(outside.points)[0], 0.5, atol=5e-3)
    # near both ends of the square the other end is nearer
    middle = inside.points[(inside.lengths > 1) & (inside.lengths < inside.length - 1)]
    np.testing.assert_allclose(square(4).nearest(middle)[0], 0.5, atol=5e-3)


def test_a_bend_tighter_than_the_distance_makes_no_loop() -> None:
    bend = Spline([[0, 0], [2, 3], [2.2, 3.3], [2.4, 3], [4.4, 0]])
    beside = bend.offset(0.45)
    assert np.abs(bend.curvature(np.linspace(0, bend.length, 500))).max() > 1 / 0.45
    assert bend.nearest(beside.points)[0].min() > 0.45 * 0.995
    # it never runs backwards: no turn between neighbouring pieces of more than the one cut
    turns = np.abs(np.angle(np.exp(1j * np.diff(np.arctan2(*np.diff(beside.points, axis=0).T)))))
    assert np.count_nonzero(turns > 0.5) <= 2


def test_a_path_that_crosses_itself_is_not_cut_at_the_crossing() -> None:
    beside = eight(3).offset(0.5)
    assert beside.length == pytest.approx(2 * np.pi * (2.5 + 3.5), rel=1e-3)


def test_heights_come_along() -> None:
    hill = Path([[0, 0], [0, 4], [4, 4]], [0, 1, 3])
    beside = hill.offset(-0.5)
    assert beside.heights is not None
    np.testing.assert_allclose(beside.heights[[0, -1]], [0, 3])
    # round the corner it stays as high as the corner, to the centimetre in which the direction turns
    round_corner = (beside.points[:, 0] < -0.01) & (beside.points[:, 1] > 4.01)
    np.testing.assert_allclose(beside.heights[round_corner], 1, atol=0.01)


def test_beside_a_way_there_and_back_it_goes_round_the_end() -> None:
    beside = Path([[0, 0], [0, 2], [0, 0.5]]).offset(0.5)
    assert beside.length == pytest.approx(3.5 + np.pi / 2, abs=0.02)


def test_refusals() -> None:
    with pytest.raises(MotionError, match=r"nothing is left 1\.5 m beside this path"):
        circle(1).offset(1.5)
    for distance in (np.nan, np.inf, 1e9):
        with pytest.raises(MotionError, match="by a number of metres"):
            drawn(5).offset(distance)

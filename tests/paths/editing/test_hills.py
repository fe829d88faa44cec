from __future__ import annotations

import numpy as np
import pytest

from kinegraph.errors import MotionError
from kinegraph.paths.editing.hills import Terrain
from kinegraph.paths.ends import Laps, Onward
from kinegraph.paths.path import Path
from kinegraph.paths.shapes import shape


def rising(grade: float = 0.3, length: float = 5.0) -> Path:
    return Path([[0, 0], [0, length]], [0.0, grade * length])


def test_the_altitude_of_a_path_holds_to_both_sides() -> None:
    terrain = Terrain(rising())
    points = np.array([[[-0.4, 2.0], [0.4, 2.5]], [[0.0, 3.0], [1.0, 1.0]]])
    np.testing.assert_allclose(terrain.under(points, np.array([2.2, 2.0])), [[0.6, 0.75], [0.9, 0.3]], atol=1e-9)


def test_beside_a_bend_it_is_the_altitude_of_the_nearest_place() -> None:
    circle = shape("circle:2")
    curve = Path(circle.points, 0.1 * circle.lengths)
    terrain = Terrain(curve)
    s = np.linspace(1.0, curve.length - 1.0, 40)
    heading = circle.heading(s)
    left = np.stack([np.cos(heading), -np.sin(heading)], axis=-1)
    for aside in (-0.5, 0.5):
        for ahead in (-0.4, 0.4):
            points = curve.at(s) + aside * left
            np.testing.assert_allclose(terrain.under(points, s + ahead), 0.1 * s, atol=1e-4)


def test_a_foot_behind_the_beginning_stands_lower_on_a_rise() -> None:
    terrain = Terrain(rising())
    behind, beyond = terrain.under(np.array([[0.0, -0.3], [0.0, 5.3]]), np.array([0.0, 5.0]))
    assert behind == pytest.approx(-0.09, abs=0.005)
    assert beyond == pytest.approx(1.59, abs=0.005)
    far = terrain.under(np.array([[0.0, -9.0]]), np.array([0.0]))
    assert far[0] == pytest.approx(-0.3, abs=0.01)


def test_the_normal_stands_on_the_ground() -> None:
    terrain = Terrain(shape("line:5"), lambda points: 0.2 * points[..., 0] - 0.1 * points[..., 1])
    normal = terrain.normal(np.array([[0.5, 1.0]]), np.array([1.0]))[0]
    np.testing.assert_allclose(normal, np.array([-0.2, 1.0, 0.1]) / np.sqrt(1.05), atol=1e-9)


def test_the_way_is_longer_than_the_map_by_its_slope() -> None:
    terrain = Terrain(rising(0.75))
    assert terrain.length == pytest.approx(6.25)
    np.testing.assert_allclose(terrain.floor(np.array([0.0, 1.25, 6.25])), [0.0, 1.0, 5.0], atol=1e-9)


def test_laps_add_up_on_hills_too() -> None:
    circle = shape("circle:2")
    hilly = Path(circle.points, 0.2 * (1 - np.cos(circle.lengths / 2)))
    terrain = Terrain(Laps(hilly))
    walked = np.linspace(0.0, 3.5 * terrain.length, 500)
    floor = terrain.floor(walked)
    assert (np.diff(floor) > 0).all()
    assert terrain.floor(np.array([2 * terrain.length]))[0] == pytest.approx(2 * hilly.length)
    assert terrain.along(floor).max() == pytest.approx(0.4, abs=1e-3)


def test_beyond_the_end_the_map_is_the_way() -> None:
    terrain = Terrain(Onward(rising(0.75)))
    assert terrain.floor(np.array([8.25]))[0] == pytest.approx(7.0)


def test_too_steep_a_way_is_refused_with_figure_and_place() -> None:
    with pytest.raises(MotionError, match=r"falls by 120% at 0\.\d\d m of the path"):
        Terrain(rising(-1.2))
    Terrain(rising(-0.99))


def test_every_lap_is_as_high_and_as_bent_as_the_first() -> None:
    eight = shape("eight:2")
    way = Laps(Path(eight.points, 0.1 * np.sin(2 * np.pi * eight.lengths / eight.length)))
    terrain = Terrain(way)
    s = np.linspace(0.1, way.length - 0.1, 60)
    for lap in (1, 2):
        np.testing.assert_allclose(terrain.along(s + lap * way.length), terrain.along(s), atol=1e-9)
        np.testing.assert_allclose(way.curvature(s + lap * way.length), way.curvature(s), atol=1e-6)
    assert np.ptp(terrain.along(s)) > 0.15


def test_beyond_the_end_of_a_bend_the_way_is_straight() -> None:
    circle = shape("circle:2")
    way = Onward(circle)
    assert way.curvature([-0.5, circle.length + 0.5]).tolist() == [0.0, 0.0]
    assert way.curvature(circle.length / 2) == pytest.approx(0.5, rel=0.02)


def test_the_length_of_a_rolling_way_is_that_of_its_profile() -> None:
    terrain = Terrain(shape("line:9"), lambda points: 0.2 * np.sin(3.0 * points[..., 1]))
    z = np.linspace(0.0, 9.0, 200_001)
    exact = float(np.hypot(np.diff(z), np.diff(0.2 * np.sin(3.0 * z))).sum())
    assert terrain.length == pytest.approx(exact, abs=1e-3)
    assert terrain.floor(np.array([exact])) == pytest.approx(9.0, abs=1e-3)

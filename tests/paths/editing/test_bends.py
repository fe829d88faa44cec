from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.paths.bspline import Spline
from kinegraph.paths.editing.bends import leant, moments, paced, rounded, tight
from kinegraph.paths.moving import MovingFrame
from kinegraph.paths.path import Path
from kinegraph.paths.reading import read_curve
from kinegraph.paths.shapes import shape

FPS = 60.0


def circling(radius: float, speed: float, frames: int) -> MovingFrame:
    walked = speed * np.arange(frames) / FPS
    circle = shape(f"circle:{abs(radius)}")
    points, heading = circle.at(walked), np.unwrap(circle.heading(walked))
    return MovingFrame(points * [np.sign(radius), 1.0], np.sign(radius) * heading, walked)


def straight(speed: float, frames: int) -> MovingFrame:
    walked = speed * np.arange(frames) / FPS
    return MovingFrame(np.stack([np.zeros(frames), walked], axis=-1), np.zeros(frames), walked)


def test_speed_falls_with_the_cube_root_of_the_curvature() -> None:
    gentle, eight_times = (paced(np.zeros(200), np.full(200, curvature), FPS) for curvature in (0.4, 1.2))
    assert gentle == pytest.approx(1.0)
    assert eight_times == pytest.approx((1 / 3) ** (1 / 3))


def test_what_was_slow_in_its_own_bend_is_quicker_on_a_line_within_limits() -> None:
    assert paced(np.full(200, 0.7), np.zeros(200), FPS) == pytest.approx(1.75 ** (1 / 3))
    assert paced(np.full(200, 9.0), np.zeros(200), FPS) == pytest.approx(1.25)
    assert paced(np.zeros(200), np.full(200, 9.0), FPS) == pytest.approx(0.6)


def test_left_and_right_are_alike() -> None:
    bend = np.linspace(-2.0, 2.0, 300)
    np.testing.assert_allclose(paced(np.zeros(300), bend, FPS), paced(np.zeros(300), -bend, FPS), atol=1e-12)


def test_moments_play_at_the_pace() -> None:
    assert moments(np.ones(100)).tolist() == list(range(100))
    half = moments(np.full(101, 0.5))
    assert len(half) == 201
    np.testing.assert_allclose(np.diff(half), 0.5)
    varied = moments(np.linspace(0.6, 1.2, 200))
    assert varied[0] == 0.0
    assert (np.diff(varied) > 0).all()
    assert varied[-1] <= 199


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_body_leans_into_the_bend_as_weight_and_speed_ask(side: float) -> None:
    motion = samples.make("stand").motion
    frames = len(motion)
    speed, radius = 1.4, 2.0 * side
    made = leant(motion, straight(speed, frames), circling(radius, speed, frames))
    target = circling(radius, speed, frames)
    at = frames // 2
    left = np.array([np.cos(target.heading[at]), -np.sin(target.heading[at])])
    lean = speed**2 / (radius * 9.81)

    def shifted(role: str) -> tuple[float, float]:
        """Metres to the left that a joint went, and its height."""
        before, after = (m.position(role)[at] for m in (motion, made))
        return float((after - before)[[0, 2]] @ left), float(before[1])

    (hips, low), (head, high) = shifted("hips"), shifted("head")
    # a little less than for small angles, and about the place on the path, from which this one stands off
    aside = float((motion.root[at][[0, 2]] - target.points[at]) @ left)
    assert hips == pytest.approx(lean * low - 0.5 * lean**2 * aside, rel=0.08)
    assert head - hips == pytest.approx(0.5 * lean * (high - low), rel=0.08)


def test_going_straight_as_before_changes_nothing() -> None:
    motion = samples.make("walk").motion
    line = straight(1.2, len(motion))
    np.testing.assert_allclose(leant(motion, line, line).positions, motion.positions, atol=1e-9)


def test_tight_places_are_found_with_where() -> None:
    (first, second, third) = tight(shape("zigzag:3"), 0.5)
    assert (first.x, first.z) == pytest.approx((0.0, 3.0), abs=0.1)
    assert (second.s, third.s) == pytest.approx((6.0, 9.0), abs=0.1)
    assert first.is_corner(0.5)
    assert tight(shape("circle:3"), 2.9) == []
    (ring,) = tight(shape("circle:0.4"), 0.5)
    assert ring.radius == pytest.approx(0.4, rel=0.02)
    assert not ring.is_corner(0.5)


def test_the_corner_of_a_spline_is_tight_too() -> None:
    (corner,) = tight(Spline([[0, 0], [0, 3], [3, 3]], 1), 0.5)
    assert (corner.x, corner.z) == pytest.approx((0.0, 3.0), abs=0.1)


@pytest.mark.parametrize("radius", [0.3, 0.5, 0.8])
def test_corners_are_rounded_to_the_radius_and_the_rest_stays(radius: float) -> None:
    sharp = shape("square:6")
    soft = rounded(sharp, radius)
    assert not tight(soft, 0.95 * radius)
    np.testing.assert_allclose(soft.at([0.0, soft.length]), sharp.at([0.0, sharp.length]), atol=1e-9)
    away, _ = sharp.nearest(soft.points)
    assert away.max() < 0.6 * radius
    # the middles of the sides are as they were
    middle = np.abs(soft.points[:, 1] - 3.0) < 0.5
    assert away[middle].max() < 1e-6


def test_a_ring_is_left_a_ring() -> None:
    ring = shape("circle:0.4")
    away, _ = ring.nearest(rounded(ring, 0.5).points)
    assert away.max() < 1e-3


@pytest.mark.parametrize("path", ["circle:0.05", "0,0 0,4 0,0"])
def test_what_turns_right_round_is_no_corner(path: str) -> None:
    curve = read_curve(path)
    places = tight(curve, 0.5)
    assert places
    assert not any(place.is_corner(0.5) for place in places)
    assert rounded(curve, 0.5).length == pytest.approx(curve.length, rel=0.01)


def test_a_corner_on_a_hill_keeps_its_heights() -> None:
    sharp = Path([[0, 0], [0, 3], [3, 3]], [0.0, 0.6, 1.2])
    soft = rounded(sharp, 0.4)
    assert float(soft.height(0.0)) == pytest.approx(0.0)
    assert float(soft.height(soft.length)) == pytest.approx(1.2)
    assert float(soft.height(soft.length / 2)) == pytest.approx(0.6, abs=0.01)


def test_nobody_leans_more_than_a_walker_can() -> None:
    motion = samples.make("stand").motion
    frames = len(motion)
    target = circling(1.0, 4.0, frames)
    made = leant(motion, straight(4.0, frames), target)
    # within its first lap
    at = 45
    left = np.array([np.cos(target.heading[at]), -np.sin(target.heading[at])])
    before, after = (
        float(np.arctan2((m.root[at][[0, 2]] - target.points[at]) @ left, m.root[at][1])) for m in (motion, made)
    )
    assert 0.2 < after - before <= 0.25


@pytest.mark.parametrize("radius", [1.0, -2.0])
def test_a_body_that_leant_in_its_own_bend_leans_no_more_in_the_same(radius: float) -> None:
    motion = samples.make("walk").motion
    bend = circling(radius, 1.2, len(motion))
    np.testing.assert_allclose(leant(motion, bend, bend).positions, motion.positions, atol=1e-9)


def test_moments_take_as_long_as_the_pace_asks() -> None:
    pace = np.linspace(0.6, 1.2, 400)
    taken = float(np.sum(2.0 / (pace[1:] + pace[:-1])))
    made = moments(pace)
    assert len(made) == int(taken) + 1
    at = np.interp(made[:-1] + 0.5 * np.diff(made), np.arange(400), pace)
    np.testing.assert_allclose(np.diff(made), at, rtol=1e-3)


def test_a_bend_as_long_as_the_radius_is_meant() -> None:
    (corner,) = tight(Path([[0, 0], [0, 1], [1, 1]]), 0.5)
    bend = replace(corner, along=0.6)
    assert not bend.is_corner(0.5)
    assert bend.is_corner(0.7)


@pytest.mark.parametrize("before", np.linspace(1.0, 1.05, 7))
def test_a_corner_is_found_wherever_it_is(before: float) -> None:
    (corner,) = tight(Path([[0, 0], [0, before], [1, before]]), 0.5)
    assert corner.s == pytest.approx(before, abs=0.1)
    assert corner.radius < 0.2

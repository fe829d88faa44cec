"""`Path`: arc length, directions, nearest places, and what it refuses."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph.errors import MotionError
from kinegraph.motion import FloorTransform
from kinegraph.paths import Path
from kinegraph.paths.shapes import circle, drawn, eight, line, square
from tests.strategies import floor_transforms, generators

CORNER = Path([[0, 0], [0, 3], [4, 3]])


@st.composite
def polylines(draw: st.DrawFn) -> Path:
    """Paths of any form, some with far more segments than others, that may cross themselves."""
    random = draw(generators())
    steps = random.normal(size=(draw(st.sampled_from((1, 2, 5, 40, 300))), 2)) * 10.0 ** draw(st.integers(-2, 1))
    return Path(np.concatenate([[[0.0, 0.0]], np.cumsum(steps, axis=0)]))


def brute_nearest(path: Path, point: np.ndarray) -> tuple[float, float]:
    """Distance and place by looking at every segment with plain arithmetic."""
    best = (np.inf, 0.0)
    for a, b, s in zip(path.points[:-1], path.points[1:], path.lengths[:-1], strict=True):
        along = float(np.clip((point - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1))
        distance = float(np.linalg.norm(point - a - along * (b - a)))
        if distance < best[0] - 1e-12:
            best = (distance, float(s + along * np.linalg.norm(b - a)))
    return best


def test_is_measured_along_its_segments() -> None:
    assert CORNER.lengths.tolist() == [0, 3, 7]
    assert CORNER.length == 7
    np.testing.assert_allclose(CORNER.at([[-1, 1.5], [5, 8]]), [[[0, 0], [0, 1.5]], [[2, 3], [4, 3]]])
    np.testing.assert_allclose(CORNER.tangent([1, 5]), [[0, 1], [1, 0]])
    np.testing.assert_allclose(CORNER.heading([1, 3, 5]), [0, np.pi / 4, np.pi / 2])
    assert len(CORNER) == 3
    assert repr(CORNER) == "Path(7 m, 3 points)"


def test_is_a_value() -> None:
    given_points = np.array([[0.0, 0.0], [1.0, 1.0]])
    path = Path(given_points)
    given_points[0] = 9
    assert path.points[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        path.points[0] = 1
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(path)).points, path.points)


def test_repeated_points_are_dropped() -> None:
    path = Path([[0, 0], [0, 0], [0, 1], [0, 1], [0, 1], [1, 1], [1, 1]])
    assert path.points.tolist() == [[0, 0], [0, 1], [1, 1]]


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([[1, 2]], "at least two points, got 1"),
        (np.zeros((0, 2)), "at least two points, got 0"),
        ([[1, 2], [1, 2], [1, 2]], "no length"),
        ([[0, 0], [np.nan, 1], [2, 2]], "point 2 of the path is not finite"),
        ([[0, 0], [1, 1], [np.inf, 2]], "point 3 of the path is not finite"),
        ([[0, 0], [0, 10_001]], r"10.00 km long, and at most 10 km"),
        ([[0, 0], [0, 1e300]], "beyond 1,000 km"),
        ([[0, 0, 0], [1, 1, 1]], r"must be \(N, 2\)"),
        ([0, 1, 2], r"must be \(N, 2\)"),
        ([["a", "b"], ["c", "d"]], "pairs of numbers"),
    ],
)
def test_refuses_what_is_no_path(points: object, message: str) -> None:
    with pytest.raises(MotionError, match=message):
        Path(points)  # type: ignore[arg-type]


def test_ten_kilometres_are_taken() -> None:
    assert Path([[0, 0], [0, 10_000]]).length == 10_000


@given(polylines(), floor_transforms())
def test_arc_length_does_not_depend_on_where_it_lies(path: Path, transform: FloorTransform) -> None:
    placed = path.place(transform)
    np.testing.assert_allclose(placed.lengths, path.lengths, rtol=1e-9, atol=1e-9)
    s = np.linspace(0, path.length, 9)
    turn = placed.heading(s) - path.heading(s) - transform.angle
    np.testing.assert_allclose(np.exp(1j * turn), 1, atol=1e-6)
    np.testing.assert_allclose(path.reversed().at(path.length - s), path.at(s), atol=1e-9)


@given(polylines(), generators())
def test_nearest_is_exact(path: Path, random: np.random.Generator) -> None:
    points = random.normal(size=(6, 2)) * path.length / 3
    distance, s = path.nearest(points.reshape(2, 3, 2))
    assert distance.shape == s.shape == (2, 3)
    expected = np.array([brute_nearest(path, point) for point in points])
    np.testing.assert_allclose(distance.ravel(), expected[:, 0], atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(path.at(s).reshape(-1, 2) - points, axis=1), expected[:, 0], atol=1e-9)


def test_nearest_holds_at_the_centre_of_a_circle() -> None:
    # every segment is equally near there, so the tree alone could not tell
    distance, _ = circle(2).nearest([[2.0, 0.0], [2.1, 0.0]])
    np.testing.assert_allclose(distance, [2, 1.9], atol=1e-4)


@pytest.mark.parametrize("path", [line(5), CORNER, circle(3).resampled(0.5), drawn(20, 3)], ids=repr)
def test_nearest_undoes_at(path: Path) -> None:
    s = np.linspace(0, path.length, 203)[:-1]
    distance, found = path.nearest(path.at(s))
    np.testing.assert_allclose(distance, 0, atol=1e-9)
    np.testing.assert_allclose(found, s, atol=1e-6)


def test_curvature_is_positive_to_the_left() -> None:
    s = np.linspace(-1, 100, 301)
    np.testing.assert_allclose(circle(3).curvature(s), 1 / 3, rtol=1e-4)
    np.testing.assert_allclose(line(4).curvature(s), 0, atol=1e-9)
    mirrored = Path(circle(3).points * [-1, 1])
    np.testing.assert_allclose(mirrored.curvature(s), -1 / 3, rtol=1e-4)
    # what is turned in all does not depend on how it is spread
    around = np.linspace(2.5, 3.5, 2001)
    assert np.trapezoid(CORNER.curvature(around), around) == pytest.approx(np.pi / 2, rel=1e-3)


def test_a_dense_curve_turns_steadily_up_to_its_ends() -> None:
    ring = circle(1)
    s = np.concatenate([np.linspace(0, 0.03, 61), np.linspace(-0.03, 0, 61) + ring.length])
    turn = ring.heading(s) - s
    np.testing.assert_allclose(np.exp(1j * turn), 1, atol=2e-4)
    # and a corner just before an end does not turn the end about
    hook = Path([[0, 0], [0, 0.012], [1, 0.012]])
    assert abs(hook.heading(0.0)) < 1e-9
    np.testing.assert_allclose(hook.reversed().heading(hook.length), np.pi)


def test_a_path_that_doubles_back_has_a_direction() -> None:
    back = Path([[0, 0], [0, 1], [0, 0]])
    np.testing.assert_allclose(back.tangent([0.5, 1.0, 1.5]), [[0, 1], [0, -1], [0, -1]])


@given(polylines(), st.floats(0.01, 0.5))
def test_resampling_is_even_and_keeps_the_ends(path: Path, share: float) -> None:
    step = share * path.length
    even = path.resampled(step)
    np.testing.assert_allclose(even.points[[0, -1]], path.points[[0, -1]], atol=1e-9)
    assert even.length <= path.length * (1 + 1e-9)


def test_resampling_a_smooth_curve_keeps_its_length() -> None:
    even = drawn(30).resampled(0.05)
    assert len(even) == 601
    assert even.length == pytest.approx(30, abs=2e-3)
    np.testing.assert_allclose(np.diff(even.lengths), 0.05, rtol=1e-3)
    for step in (0, -1, np.nan, 1e-9):
        with pytest.raises(MotionError, match=r"step (of|above)"):
            even.resampled(step)


def test_smoothing_keeps_straight_lines_and_ends() -> None:
    straight = Path([[0, 0], [3, 4]]).smoothed(0.5)
    np.testing.assert_allclose(straight.points[:, 1], straight.points[:, 0] * 4 / 3, atol=1e-12)
    round_corner = CORNER.smoothed(0.3)
    np.testing.assert_allclose(round_corner.points[[0, -1]], [[0, 0], [4, 3]], atol=1e-9)
    # a Gaussian rounds a right angle by σ / √π, and bends there by 2 / (σ √π)
    assert np.abs(round_corner.curvature(np.linspace(0, 7, 500))).max() < 2 / (0.3 * np.sqrt(np.pi))
    assert round_corner.nearest([0, 3])[0] == pytest.approx(0.3 / np.sqrt(np.pi), rel=1e-2)
    assert CORNER.smoothed(0) is CORNER
    with pytest.raises(MotionError, match="0 or more metres"):
        CORNER.smoothed(-1)


# -- heights ----------------------------------------------------------------------------------------------------------------

RAMP = Path([[0, 0], [0, 3], [4, 3]], [0, 0.5, 2])


def test_heights_lift_it_and_do_not_count_for_its_length() -> None:
    assert RAMP.length == CORNER.length == 7
    np.testing.assert_allclose(RAMP.height([[-1, 1.5], [5, 99]]), [[0, 0.25], [1.25, 2]])
    np.testing.assert_allclose(RAMP.slope([-1, 1, 3, 5, 99]), [1 / 6, 1 / 6, (1 / 6 + 3 / 8) / 2, 3 / 8, 3 / 8])
    np.testing.assert_array_equal(CORNER.height([1, 2]), 0)
    np.testing.assert_array_equal(CORNER.slope([1, 2]), 0)
    assert CORNER.heights is None
    with pytest.raises(ValueError, match="read-only"):
        RAMP.heights[0] = 1  # type: ignore[index]


def test_heights_come_along() -> None:
    s = np.linspace(0, 7, 29)
    np.testing.assert_allclose(RAMP.place(FloorTransform(1, 2, 3)).height(s), RAMP.height(s))
    np.testing.assert_allclose(RAMP.reversed().height(7 - s), RAMP.height(s))
    np.testing.assert_allclose(RAMP.resampled(0.5).heights, RAMP.height(np.arange(15) / 2))
    again = pickle.loads(pickle.dumps(RAMP))
    np.testing.assert_array_equal(again.heights, RAMP.heights)
    # where points are dropped, so are their heights
    assert Path([[0, 0], [0, 0], [0, 1]], [1, 1, 2]).heights.tolist() == [1, 2]  # type: ignore[union-attr]


def test_heights_are_smoothed_too() -> None:
    straight = Path([[0, 0], [0, 3], [0, 6]], [0, 0, 1]).smoothed(0.3)
    assert straight.heights is not None
    np.testing.assert_allclose(straight.heights[[0, -1]], [0, 1], atol=1e-9)
    # a Gaussian rounds a bend of the profile by its slope's jump times σ / √(2π)
    assert straight.height(3.0) == pytest.approx(0.3 / 3 / np.sqrt(2 * np.pi), rel=1e-2)
    np.testing.assert_allclose(straight.height([1.0, 5.0]), [0, 2 / 3], atol=1e-6)


@pytest.mark.parametrize(
    ("points", "heights", "message"),
    [
        ([[0, 0], [0, 1]], [0], r"2 points has as many heights; got \(1,\)"),
        ([[0, 0], [0, 1]], [0, np.nan], "height of point 2 is not finite"),
        ([[0, 0], [0, 1]], ["a", "b"], "must be numbers"),
        ([[0, 0], [0, 1]], [0, 1e9], "higher than 10 km"),
        ([[0, 0], [0, 1], [0, 1], [0, 2]], [0, 1, 1.5, 2], "rises straight up at point 3: .* 0.5 m higher or lower"),
        # little by little as well
        ([[0, 0], *[[0, 1]] * 4, [0, 2]], [0, 1, 1 + 8e-10, 1 + 16e-10, 1, 2], "straight up at point 4"),
    ],
)
def test_heights_that_cannot_be(points: object, heights: object, message: str) -> None:
    with pytest.raises(MotionError, match=message):
        Path(points, heights)  # type: ignore[arg-type]


def test_closed_is_what_ends_as_it_begins() -> None:
    assert circle(3).closed
    assert eight(2).closed
    # a square ends at a right angle to its beginning; there and back ends the other way round
    assert not square(4).closed
    assert not Path([[0, 0], [0, 1], [0, 0]]).closed
    assert not line(3).closed
    assert not line(0.005).closed


# -- following a walker ---------------------------------------------------------------------------------------------------


def test_a_walker_on_an_eight_is_not_taken_for_one_on_the_other_loop() -> None:
    path = eight(3)
    s = np.linspace(0, path.length, 900)
    random = np.random.default_rng(1)
    walker = path.at(s) + random.normal(size=(900, 2)) * 0.02
    distance, found = path.track(walker)
    assert np.all(np.diff(found) >= 0)
    assert np.abs(found - s).max() < 0.15
    # near the crossing the other loop may be nearer, but it is not where the walker is
    away = (np.abs(s - path.length / 2) > 1) & (s > 1) & (s < path.length - 1)
    np.testing.assert_allclose(distance[away], path.nearest(walker[away])[0], atol=1e-9)
    assert distance.max() < 0.1


@pytest.mark.parametrize("path", [square(6), Path([[0, 0], [0, 6], [6, 6], [6, 0], [0, 0]])], ids=repr)
def test_a_walker_who_cuts_corners_is_taken_across_them(path: Path) -> None:
    cut = Path([[0, 0], [0, 5.7], [0.3, 6], [5.7, 6], [6, 5.7], [6, 0.3], [5.7, 0], [0, 0]])
    walker = cut.at(np.linspace(0, cut.length, 600))
    distance, s = path.track(walker)
    assert np.all(np.diff(s) >= 0)
    assert s[-1] == pytest.approx(24, abs=1e-6)
    # exact there too, since the window reaches round the corner
    np.testing.assert_allclose(distance, path.nearest(walker)[0], atol=1e-9)


def test_progress_never_falls_and_a_standing_walker_makes_none() -> None:
    path = line(5)
    z = np.concatenate([np.linspace(0, 2, 30), np.full(20, 2.0), np.linspace(2, 1.95, 5), np.linspace(1.95, 4, 30)])
    distance, s = path.track(np.stack([np.full(len(z), 0.1), z], axis=-1))
    np.testing.assert_allclose(s, np.maximum.accumulate(z), atol=1e-12)
    np.testing.assert_allclose(distance, 0.1, atol=1e-12)


def test_tracking_may_begin_anywhere_and_follow_long_strides() -> None:
    path = line(30)
    walker = np.stack([np.zeros(9), 10 + 2.0 * np.arange(9)], axis=-1)
    np.testing.assert_allclose(path.track(walker, start=9.7)[1], walker[:, 1])
    np.testing.assert_allclose(path.track(walker[:1], start=99)[1], 30)


def test_a_track_must_be_points() -> None:
    for bad in (np.zeros((3, 3)), np.zeros(2), [[0, np.nan]]):
        with pytest.raises(MotionError, match=r"\(F, 2\)|\(\.\.\., 2\)|not finite"):
            CORNER.track(bad)

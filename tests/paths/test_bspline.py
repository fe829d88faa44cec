"""`Spline`: arc length against quadrature, directions against differences, nearest places against brute force; editing and refusals."""

from __future__ import annotations

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from kinegraph.errors import MotionError
from kinegraph.motion import FloorTransform
from kinegraph.paths.bspline import Spline
from kinegraph.paths.curve import Curve
from kinegraph.paths.path import Path
from kinegraph.paths.shapes import circle, drawn, eight
from tests.strategies import floor_transforms, generators

ARCH = Spline([[0, 0], [0, 2], [2, 2], [2, 0], [4, 0], [4, 3]])
HILLY = Spline([[0, 0, 0], [0, 0.5, 2], [2, 1, 2], [2, 0, 0], [4, 0.2, 0]])
# the corner of three controls, a stretch of no length between corners of four, ends that stand still, and a way there and back
DEGENERATE = (
    Spline([[0, 0], [0, 1], [0, 1], [0, 1], [1, 1]]),
    Spline([[0, 0], [0, 1], [0, 1], [0, 1], [0, 1], [1, 1], [2, 1]]),
    Spline([[0, 0], [0, 0], [0, 0], [0, 0], [0, 2], [0, 2], [0, 2], [0, 2]]),
    Spline([[0, 0], [0, 1], [0, 0]], 2),
    Spline([[0, 0], [0, 0], [1, 1], [2, 0], [2, 0]], 2),
    # a true cusp inside a piece
    Spline([[0, 0], [1, 1], [0, 1], [1, 0]], 3),
)


@st.composite
def splines(draw: st.DrawFn, lowest: int = 1, flat: bool = False) -> Spline:
    """Splines of any degree and size, with uniform or uneven knots, some of them with gentle heights."""
    random = draw(generators())
    degree = draw(st.integers(lowest, 6))
    count = degree + 1 + draw(st.integers(0, 8))
    controls = np.cumsum(random.normal(size=(count, 2)), axis=0) * 10.0 ** draw(st.integers(-1, 1))
    knots = None
    if draw(st.booleans()):
        inner = np.cumsum(random.uniform(0.05, 1, size=count - degree))
        knots = np.concatenate([np.zeros(degree + 1), inner, np.full(degree, inner[-1])])
    if not flat and draw(st.booleans()):
        # along the way: so it never rises where the floor stands still
        controls = np.insert(controls, 1, 0.3 * controls[:, 0], axis=1)
    return Spline(controls, degree, knots)  # type: ignore[arg-type]


def parameters(spline: Spline, count: int = 41) -> np.ndarray:
    return np.linspace(spline.knots[0], spline.knots[-1], count)


def quadrature(spline: Spline, t: float) -> float:
    """Arc length up to ``t`` by adaptive quadrature from knot to knot."""
    stops = [*np.unique(spline.knots[spline.knots < t]), t]

    def speed(at: float) -> float:
        return float(np.hypot(*spline.derivative(at)))

    return sum(quad(speed, a, b, epsabs=1e-12, epsrel=1e-12, limit=400)[0] for a, b in pairwise(stops))


def test_passes_through_its_first_and_last_control() -> None:
    np.testing.assert_allclose(ARCH.at([0, ARCH.length]), [[0, 0], [4, 3]], atol=1e-12)
    np.testing.assert_allclose(ARCH.at([-1, 99]), [[0, 0], [4, 3]], atol=1e-12)
    np.testing.assert_allclose(ARCH.heading([-1, 0]), 0, atol=1e-12)
    assert len(ARCH) == 6
    assert repr(ARCH).endswith("6 controls, degree 3)")


def test_a_path_and_a_spline_are_curves() -> None:
    curves: list[Curve] = [ARCH, HILLY, circle(2)]
    for curve in curves:
        s = np.linspace(-1, curve.length + 1, 12).reshape(3, 4)
        assert curve.at(s).shape == (3, 4, 2)
        assert curve.heading(s).shape == curve.curvature(s).shape == curve.height(s).shape == (3, 4)
        assert curve.at(1.0).shape == (2,)
        assert np.ndim(curve.heading(1.0)) == np.ndim(curve.height(1.0)) == np.ndim(curve.curvature(1.0)) == 0


def test_is_a_value() -> None:
    given_controls = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0]])
    spline = Spline(given_controls)
    given_controls[0] = 9
    assert spline.controls[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        spline.controls[0] = 1
    again = pickle.loads(pickle.dumps(HILLY))
    np.testing.assert_array_equal(again.controls, HILLY.controls)
    np.testing.assert_array_equal(again.knots, HILLY.knots)
    assert again.degree == 3


# -- arc length -----------------------------------------------------------------------------------------------------------


@given(splines(), st.floats(0.01, 1))
def test_arc_length_is_that_of_quadrature(spline: Spline, share: float) -> None:
    t = share * float(spline.knots[-1])
    assert spline.lengths(t) == pytest.approx(quadrature(spline, t), rel=1e-8, abs=1e-9 * spline.length)


@given(splines())
def test_the_inverse_undoes_arc_length(spline: Spline) -> None:
    s = np.linspace(0, spline.length, 97)
    np.testing.assert_allclose(spline.lengths(spline.parameter(s)), s, atol=1e-12 * spline.length)
    t = parameters(spline)
    # a slow stretch of the parameter takes little length, so that t is less exact there than s
    slowest = np.hypot(*spline.derivative(np.linspace(t[0], t[-1], 4001)).T).min()
    if slowest > 1e-3 * spline.length / t[-1]:
        np.testing.assert_allclose(spline.parameter(spline.lengths(t)), t, atol=1e-9 * t[-1])


def test_a_walk_at_even_speed_is_even() -> None:
    points = ARCH.at(np.linspace(0, ARCH.length, 20_001))
    steps = np.hypot(*np.diff(points, axis=0).T)
    np.testing.assert_allclose(steps, ARCH.length / 20_000, rtol=1e-6)


def test_a_circle_of_many_points_has_its_length_and_curvature() -> None:
    angle = np.linspace(0, 2 * np.pi, 200)
    ring = Spline.through(3 * np.stack([1 - np.cos(angle), np.sin(angle)], axis=-1), 5)
    assert ring.length == pytest.approx(6 * np.pi, rel=1e-9)
    np.testing.assert_allclose(ring.curvature(np.linspace(0.2, 18.6, 300)), 1 / 3, rtol=1e-5)
    assert ring.closed
    assert not ARCH.closed


@pytest.mark.parametrize("spline", DEGENERATE, ids=repr)
def test_cusps_and_stretches_of_no_length_are_harmless(spline: Spline) -> None:
    s = np.linspace(-0.1, spline.length + 0.1, 501)
    for values in (spline.at(s), spline.tangent(s), spline.heading(s), spline.curvature(s), spline.parameter(s)):
        assert np.isfinite(values).all()
    np.testing.assert_allclose(np.hypot(*spline.tangent(s).T), 1)
    inside = np.clip(s, 0, spline.length)
    np.testing.assert_allclose(spline.lengths(spline.parameter(s)), inside, atol=1e-12)
    assert spline.length == pytest.approx(quadrature(spline, float(spline.knots[-1])), rel=1e-8)
    t = spline.parameter(s)
    assert np.all(np.diff(t) >= 0)


def test_a_corner_turns_from_one_way_to_the_other() -> None:
    corner = DEGENERATE[1]
    np.testing.assert_allclose(corner.heading([0.5, 0.999, 1.001, 2.0]), [0, 0, np.pi / 2, np.pi / 2], atol=1e-6)
    # there it stands still, and looks where it goes on; at an end that stands still, whence it came
    assert corner.heading(1.0) == pytest.approx(np.pi / 2)
    assert DEGENERATE[4].heading(DEGENERATE[4].length) == pytest.approx(np.pi * 3 / 4, abs=1e-3)


# -- directions -----------------------------------------------------------------------------------------------------------


@given(splines(lowest=3, flat=True))
def test_heading_and_curvature_are_those_of_differences(spline: Spline) -> None:
    s = np.linspace(0.05, 0.95, 31) * spline.length
    step = 1e-5 * spline.length
    # a bend within few steps has no differences to compare with
    gentle = np.abs(spline.curvature(np.stack([s - step, s, s + step]))).max(axis=0) < 50 / spline.length
    chord = spline.at(s + step) - spline.at(s - step)
    turn = spline.heading(s) - np.arctan2(chord[:, 0], chord[:, 1])
    np.testing.assert_allclose(np.exp(1j * turn)[gentle], 1, atol=1e-4)
    change = np.angle(np.exp(1j * (spline.heading(s + step) - spline.heading(s - step)))) / (2 * step)
    np.testing.assert_allclose(spline.curvature(s)[gentle], change[gentle], atol=0.05 / spline.length, rtol=0.02)


def test_curvature_of_a_parabola() -> None:
    # x = t, z = t² for t in ±1, as its Bézier points
    parabola = Spline([[-1, 1], [0, -1], [1, 1]], 2)
    u = np.linspace(0, 1, 101)
    x = 2 * u - 1
    np.testing.assert_allclose(parabola.point(u), np.stack([x, x**2], axis=-1), atol=1e-12)
    # heading grows towards +X, and from +X to −X over +Z it falls
    exact = -2 / (1 + 4 * x**2) ** 1.5
    np.testing.assert_allclose(parabola.curvature(parabola.lengths(u)), exact, rtol=1e-9)
    assert parabola.length == pytest.approx(np.sqrt(5) + np.arcsinh(2) / 2, rel=1e-12)


# -- heights ----------------------------------------------------------------------------------------------------------------


def test_heights_do_not_count_for_arc_length() -> None:
    flat = Spline(HILLY.controls[:, [0, 2]])
    assert flat.length == pytest.approx(HILLY.length, rel=1e-12)
    s = np.linspace(0, flat.length, 50)
    np.testing.assert_allclose(flat.at(s), HILLY.at(s), atol=1e-9)
    np.testing.assert_array_equal(flat.height(s), 0)
    np.testing.assert_array_equal(flat.slope(s), 0)
    assert flat.steepest == 0
    assert HILLY.height([0, 99]).tolist() == pytest.approx([0, 0.2])


def test_slope_is_that_of_differences() -> None:
    s = np.linspace(0.1, HILLY.length - 0.1, 60)
    differences = (HILLY.height(s + 1e-5) - HILLY.height(s - 1e-5)) / 2e-5
    np.testing.assert_allclose(HILLY.slope(s), differences, atol=1e-6)
    fine = np.abs(HILLY.slope(np.linspace(0, HILLY.length, 5000))).max()
    assert HILLY.steepest == pytest.approx(fine, rel=1e-2)


@pytest.mark.parametrize(
    ("controls", "degree", "where"),
    [
        # rises while the floor stands
        ([[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 2]], 1, "90 degrees steep between its control points 2 and 3"),
        ([[0, 0, 0], *[[0, y, 1] for y in (0, 1, 2, 3)], [0, 3, 2]], 3, "control points 2 and 5"),
        # turns back on the floor, while it rises
        ([[0, 0, 0], [0, 1, 1], [0, 2, 0]], 2, "90 degrees steep between its control points 1 and 3"),
        # the same, with a rise that is gentle but where it turns back
        ([[0, 0, 0], [0, 0.05, 1], [0, 0.1, 0]], 2, "90 degrees steep between its control points 1 and 3"),
        # just too steep: a rise of six in one
        ([[0, 0, 0], [0, 6, 1]], 1, "81 degrees steep"),
    ],
)
def test_refuses_to_rise_straight_up(controls: object, degree: int, where: str) -> None:
    with pytest.raises(MotionError, match=where):
        Spline(controls, degree)  # type: ignore[arg-type]


def test_standing_still_with_a_height_is_no_rise() -> None:
    spline = Spline([[0, 0, 0], *[[0, 0.5, 1]] * 4, [1, 0.5, 1], [2, 0, 1]])
    assert np.isfinite(spline.slope(np.linspace(0, spline.length, 100))).all()
    assert spline.steepest < 0.7


# -- nearest ----------------------------------------------------------------------------------------------------------------


@given(splines(flat=True), generators())
def test_nearest_is_that_of_brute_force(spline: Spline, random: np.random.Generator) -> None:
    size = np.ptp(spline.controls, axis=0).max()
    points = spline.controls.mean(axis=0) + random.normal(size=(2, 4, 2)) * size / 2
    distance, s = spline.nearest(points)
    assert distance.shape == s.shape == (2, 4)
    np.testing.assert_allclose(np.linalg.norm(spline.at(s) - points, axis=-1), distance, atol=1e-9 * size)
    dense = spline.point(parameters(spline, 20_001))
    brute = np.linalg.norm(points[..., None, :] - dense, axis=-1).min(axis=-1)
    # a dense sample never comes nearer than the curve, and comes near enough
    assert np.all(distance <= brute + 1e-9 * size)
    np.testing.assert_allclose(distance, brute, atol=1e-3 * size)


def test_nearest_undoes_at() -> None:
    s = np.linspace(0, ARCH.length, 101)
    distance, found = ARCH.nearest(ARCH.at(s))
    np.testing.assert_allclose(distance, 0, atol=1e-9)
    np.testing.assert_allclose(found, s, atol=1e-6)
    with pytest.raises(MotionError, match=r"\(\.\.\., 2\)"):
        ARCH.nearest([1, 2, 3])


# -- editing ----------------------------------------------------------------------------------------------------------------


@given(splines(), st.floats(0.01, 0.99))
def test_refining_keeps_the_curve(spline: Spline, share: float) -> None:
    t = share * float(spline.knots[-1])
    if np.count_nonzero(spline.knots == t) >= spline.degree:
        return
    finer = spline.refined(t)
    assert len(finer) == len(spline) + 1
    size = np.abs(spline.controls).max()
    np.testing.assert_allclose(finer.point(parameters(spline)), spline.point(parameters(spline)), atol=1e-12 * size)
    assert finer.length == pytest.approx(spline.length, rel=1e-9)
    np.testing.assert_allclose(finer.height([1, 2]), spline.height([1, 2]), atol=1e-9 * size)


def test_refining_until_a_corner_can_be_dragged() -> None:
    finer = ARCH
    for _ in range(3):
        finer = finer.refined(1.5)
    t = parameters(ARCH)
    np.testing.assert_allclose(finer.point(t), ARCH.point(t), atol=1e-12)
    with pytest.raises(MotionError, match=r"corner at 1\.5 already"):
        finer.refined(1.5)
    for t_out in (0, 3, -1, 9, np.nan):
        with pytest.raises(MotionError, match="between 0 and 3"):
            ARCH.refined(t_out)


def test_moving_a_control_moves_only_what_is_near() -> None:
    moved = ARCH.moved(5, [9, 9])
    np.testing.assert_array_equal(moved.controls[:5], ARCH.controls[:5])
    np.testing.assert_allclose(moved.point([0, 1, 2]), ARCH.point([0, 1, 2]), atol=1e-12)
    np.testing.assert_allclose(moved.point(3), [9, 9])
    np.testing.assert_array_equal(ARCH.moved(-1, [9, 9]).controls, moved.controls)
    assert HILLY.moved(2, [5, 6]).controls[2].tolist() == [5, 1, 6]
    assert HILLY.moved(2, [5, 0.4, 6]).controls[2].tolist() == [5, 0.4, 6]


def test_controls_are_inserted_and_deleted() -> None:
    more = ARCH.inserted(1, [7, 7])
    assert more.controls[:3].tolist() == [[0, 0], [7, 7], [0, 2]]
    np.testing.assert_array_equal(more.deleted(1).controls, ARCH.controls)
    np.testing.assert_array_equal(more.deleted(1).knots, ARCH.knots)
    assert ARCH.inserted(6, [7, 7]).controls[-1].tolist() == [7, 7]
    assert HILLY.inserted(1, [1, 1]).controls[1].tolist() == [1, 0.25, 1]
    assert ARCH.with_degree(5).degree == 5
    assert ARCH.with_degree(1).length == pytest.approx(2 + 2 + 2 + 2 + 3)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda: ARCH.moved(6, [0, 0]), "6 control points, from 0: there is none of number 6"),
        (lambda: ARCH.deleted(-7), "none of number -7"),
        (lambda: ARCH.inserted(7, [0, 0]), "none of number 7"),
        (lambda: ARCH.moved(0, [0, 0, 0]), "has 2 numbers"),
        (lambda: HILLY.moved(0, [0]), "has 3 numbers"),
        (lambda: ARCH.moved(0, [0, np.nan]), "control point 1 of the spline is not finite"),
        (lambda: ARCH.with_degree(6), "needs at least 7 control points, got 6: add 1, or lower the degree to 5"),
        (lambda: Spline(ARCH.controls[:4]).deleted(0), "needs at least 4 control points, got 3"),
    ],
)
def test_edits_that_cannot_be(edit: object, message: str) -> None:
    with pytest.raises(MotionError, match=message):
        edit()  # type: ignore[operator]


@given(splines(), floor_transforms())
def test_placed_and_reversed(spline: Spline, transform: FloorTransform) -> None:
    placed, back = spline.place(transform), spline.reversed()
    assert placed.length == pytest.approx(spline.length, rel=1e-8)
    assert back.length == pytest.approx(spline.length, rel=1e-9)
    s = np.linspace(0, spline.length, 9)
    size = spline.length
    np.testing.assert_allclose(back.at(size - s), spline.at(s), atol=1e-8 * size)
    np.testing.assert_allclose(back.height(size - s), spline.height(s), atol=1e-8 * size)
    flat = np.insert(spline.at(s), 1, 0.0, axis=-1)
    np.testing.assert_allclose(placed.at(s), transform.apply(flat)[:, [0, 2]], atol=1e-6)
    np.testing.assert_allclose(placed.height(s), spline.height(s), atol=1e-6)


# -- from points, and into points ---------------------------------------------------------------------------------------------


@given(generators(), st.integers(1, 5))
def test_goes_through_points(random: np.random.Generator, degree: int) -> None:
    points = np.cumsum(random.normal(size=(degree + 1 + random.integers(8), 2)), axis=0)
    spline = Spline.through(points, degree)
    assert len(spline) == len(points)
    np.testing.assert_allclose(spline.nearest(points)[0], 0, atol=1e-6)
    np.testing.assert_array_equal(spline.controls[[0, -1]], points[[0, -1]])


def test_goes_through_points_with_heights() -> None:
    points = np.array([[0, 0, 0], [0, 0.2, 1], [0, 0.2, 1], [1, 0.4, 2], [2, 0.1, 2]])
    spline = Spline.through(points)
    assert len(spline) == 4
    distance, s = spline.nearest(points[:, [0, 2]])
    np.testing.assert_allclose(distance, 0, atol=1e-9)
    np.testing.assert_allclose(spline.height(s), points[:, 1], atol=1e-6)
    with pytest.raises(MotionError, match="at least 4 control points, got 3"):
        Spline.through(points[:4])


@pytest.mark.parametrize(
    ("path", "controls", "far"), [(eight(2), 24, 0.02), (drawn(20, 3), 40, 0.01), (circle(3), 12, 0.02)]
)
def test_fits_a_path_with_few_controls(path: Path, controls: int, far: float) -> None:
    spline = Spline.fitted(path.points, controls)
    assert len(spline) == controls
    np.testing.assert_allclose(spline.controls[[0, -1]], path.points[[0, -1]], atol=1e-12)
    s = np.linspace(0, 1, 500)
    away = np.hypot(*(spline.at(s * spline.length) - path.at(s * path.length)).T)
    assert away.max() < far
    assert spline.length == pytest.approx(path.length, rel=1e-3)


def test_a_fit_gives_a_spline_of_the_same_space_back() -> None:
    # of even speed, so that evenly spaced places are evenly spaced parameters
    line = Spline([[0, 0], [1, 1], [2, 2], [3, 3], [4, 4]], 1)
    np.testing.assert_allclose(Spline.fitted(line.controls, 5, 1).controls, line.controls, atol=1e-9)
    with pytest.raises(MotionError, match="needs at least 4 control points: it cannot be fitted with 3"):
        Spline.fitted(line.controls, 3)


def test_points_along_it_lie_on_it() -> None:
    path = HILLY.path(0.01)
    np.testing.assert_allclose(HILLY.nearest(path.points)[0], 0, atol=1e-9)
    assert path.length == pytest.approx(HILLY.length, abs=1e-3)
    s = np.linspace(0, path.length, 40)
    np.testing.assert_allclose(path.height(s), HILLY.height(s), atol=1e-3)
    assert ARCH.path().heights is None


def test_the_curve_beside_it_keeps_its_distance() -> None:
    for distance in (0.3, -0.3):
        beside = HILLY.offset(distance)
        away, s = HILLY.nearest(beside.points)
        np.testing.assert_allclose(away, 0.3, atol=1e-3)
        np.testing.assert_allclose(beside.heights, HILLY.height(s), atol=0.02)
    left = ARCH.offset(0.2).points[0]
    np.testing.assert_allclose(left, [0.2, 0], atol=1e-9)


# -- refusals -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("controls", "degree", "knots", "message"),
    [
        (
            [[0, 0], [1, 1], [2, 2]],
            3,
            None,
            "degree 3 needs at least 4 control points, got 3: add 1, or lower the degree to 2",
        ),
        ([[0, 0]], 1, None, "needs at least 2 control points, got 1: add 1$"),
        (np.zeros((0, 2)), 1, None, "got 0: add 2"),
        ([[0, 0], [1, 1]], 0, None, "whole number of at least 1"),
        ([[0, 0], [1, 1]], 1.5, None, "whole number of at least 1"),
        ([[0, 0], [1, 1]], True, None, "whole number of at least 1"),
        ([[1, 2]] * 5, 3, None, "no length"),
        ([[1, 0, 2], [1, 1, 2]], 1, None, "no length"),
        ([[0, 0], [np.nan, 1]], 1, None, "control point 2 of the spline is not finite"),
        ([[0, 0], [0, 1e300]], 1, None, "beyond 1,000 km"),
        ([[0, 0], [0, 10_001]], 1, None, "10.00 km"),
        ([[0, 0, 0, 0]] * 4, 3, None, r"\(N, 2\) or \(N, 3\)"),
        ([["a", "b"]] * 4, 3, None, "must be numbers"),
        (ARCH.controls, 3, [0, 1, 2], "6 control points of degree 3 take 10 knots"),
        (ARCH.controls, 3, [0, 0, 0, 0, 2, 1, 3, 3, 3, 3], "knot 6 lies before"),
        (ARCH.controls, 3, [0, 0, 0, 1, 1, 2, 3, 3, 3, 3], "each stand 4 times"),
        (ARCH.controls, 3, [0, 0, 0, 0, 0, 2, 3, 3, 3, 3], "knot 0 stands too often"),
        (ARCH.controls, 1, [0, 0, 1, 1, 2, 3, 4, 4], "knot 1 stands too often"),
        (ARCH.controls, 3, [0] * 10, "each stand 4 times"),
        (ARCH.controls, 3, [0, 0, 0, 0, np.nan, 2, 3, 3, 3, 3], "knot 5 of the spline is not finite"),
        (ARCH.controls, 3, "knots", "must be numbers"),
        (ARCH.controls, 3, [0, 0, 0, 0, 1, 2, 1e9, 1e9, 1e9, 1e9], "beyond 1,000,000: scale them down"),
        (ARCH.controls[:4], 3, [0] * 4 + [1e-320] * 4, "scale them up"),
        (ARCH.controls[:4], 3, [1e5] * 4 + [1e5 + 1e-3] * 4, "from 100000 to 100000 only: scale them up"),
        (ARCH.controls, 3, [0, 0, 0, 0, 1, 1 + 1e-12, 3, 3, 3, 3], "knots 5 and 6 of the spline are almost the same"),
    ],
)
def test_refuses_what_is_no_spline(controls: object, degree: int, knots: object, message: str) -> None:
    with pytest.raises(MotionError, match=message):
        Spline(controls, degree, knots)  # type: ignore[arg-type]


def test_coincident_neighbours_are_taken() -> None:
    assert Spline([[0, 0], [0, 0], [1, 0], [1, 0], [1, 1]]).length > 1

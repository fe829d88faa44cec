from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.polynomial import legendre
from numpy.polynomial import polynomial as powers

import kinegraph as kg
from kinegraph.errors import MotionError
from kinegraph.paths.curve import Curve
from kinegraph.paths.polynomial import Polynomial, PolynomialCurve, highest_degree


@given(degree=st.integers(1, 12), seed=st.integers(0, 2**31), scale=st.floats(0.1, 100))
def test_a_polynomial_is_found_again_with_its_derivatives(degree: int, seed: int, scale: float) -> None:
    coefficients = np.random.default_rng(seed).normal(size=(degree + 1, 2))
    u = np.linspace(-1, 1, 200)
    fitted = Polynomial.fitted(powers.polyval(u, coefficients).T, degree, (3.0, 3.0 + 2 * scale))
    t = 3.0 + scale * (u + 1)
    for order in range(3):
        exact = powers.polyval(u, powers.polyder(coefficients, order)).T / scale**order
        size = np.abs(exact).max() + 1 / scale**order
        assert fitted.derivative(t, order) == pytest.approx(exact, abs=1e-8 * size)
    assert fitted.degree == degree


@pytest.mark.parametrize("degree", [1, 5, 20, 45])
def test_nothing_of_that_degree_comes_nearer(degree: int) -> None:
    values = np.random.default_rng(degree).normal(size=(400, 2))
    left = values - Polynomial.fitted(values, degree, (0.0, 399.0)).at(np.arange(400.0))
    # what is left has no share of any lower polynomial
    shares = legendre.legvander(np.linspace(-1, 1, 400), degree).T @ left
    assert np.abs(shares).max() < 1e-10 * 400


def test_far_from_the_origin_it_fits_as_well() -> None:
    values = np.random.default_rng(1).normal(size=(300, 2))
    near, far = (Polynomial.fitted(values + shift, 45) for shift in (0.0, 1e5))
    t = np.linspace(0, 1, 1000)
    assert far.at(t) - 1e5 == pytest.approx(near.at(t), abs=1e-9)


def test_beyond_its_span_it_is_held() -> None:
    fitted = Polynomial.fitted(np.arange(20.0)[:, None] ** 2, 3, (0.0, 19.0))
    assert fitted.at([-5.0, 40.0]).ravel() == pytest.approx([0.0, 361.0], abs=1e-9)


@pytest.mark.parametrize("samples", [2, 3, 8, 10, 12, 30, 100, 225, 300, 1000])
def test_what_is_allowed_is_well_conditioned_and_what_is_beyond_is_refused(samples: int) -> None:
    most = highest_degree(samples)
    values = np.linspace(0, 1, samples)[:, None]
    assert Polynomial.fitted(values, most).degree == most
    basis = legendre.legvander(np.linspace(-1, 1, samples), most) * np.sqrt(2 * np.arange(most + 1) + 1)
    assert np.linalg.cond(basis) < 25
    with pytest.raises(MotionError):
        Polynomial.fitted(values, most + 1)


@pytest.mark.parametrize(
    ("degree", "samples", "words"),
    [
        (0, 100, "1 to 45, got 0"),
        (46, 5000, "1 to 45, got 46"),
        (20, 20, "needs more than 20 frames, and there are 20: choose degree 13 or less"),
        (45, 100, "swing out between 100 frames: choose degree 30 or less"),
        (1, 1, "at least 2 frames, and there is 1"),
    ],
)
def test_degrees_that_cannot_be_had(degree: int, samples: int, words: str) -> None:
    with pytest.raises(MotionError, match=words):
        Polynomial.fitted(np.zeros((samples, 2)), degree)


def test_values_that_are_none() -> None:
    with pytest.raises(MotionError, match="finite values"):
        Polynomial.fitted([[0.0], [np.nan], [1.0]], 1)
    with pytest.raises(MotionError, match="finite values"):
        Polynomial.fitted([0.0, 1.0], 1)


# -- as a curve --------------------------------------------------------------------------------------------------------


def parabola() -> PolynomialCurve:
    t = np.linspace(-1, 2, 50)
    return PolynomialCurve(Polynomial.fitted(np.stack([t, t**2], axis=-1), 2, (-1.0, 2.0)))


def test_a_parabola_has_its_length_heading_and_curvature() -> None:
    curve: Curve = parabola()

    def integral(t: float) -> float:
        return t / 2 * np.hypot(1, 2 * t) + np.arcsinh(2 * t) / 4

    assert curve.length == pytest.approx(integral(2) - integral(-1), rel=1e-9)
    vertex = integral(0) - integral(-1)
    assert curve.at(vertex) == pytest.approx([0, 0], abs=1e-8)
    assert curve.heading(vertex) == pytest.approx(np.pi / 2)
    # it comes from +Z, and goes +X and up +Z again: to the left of the way, which is towards −X from there
    assert curve.curvature(vertex) == pytest.approx(-2, rel=1e-6)
    assert curve.height([0.0, 1.0]).tolist() == [0, 0]


def test_curvature_is_the_change_of_the_heading() -> None:
    curve = PolynomialCurve(Polynomial.fitted(np.random.default_rng(4).normal(size=(200, 2)).cumsum(axis=0), 9))
    s = np.linspace(0.01, 0.99, 300) * curve.length
    step = 1e-5
    turn = curve.heading(s + step) - curve.heading(s - step)
    turn = (turn + np.pi) % (2 * np.pi) - np.pi
    assert curve.curvature(s) == pytest.approx(turn / (2 * step), rel=1e-3, abs=1e-4)
    ahead = (curve.at(s + step) - curve.at(s - step)) / (2 * step)
    assert ahead == pytest.approx(np.stack([np.sin(curve.heading(s)), np.cos(curve.heading(s))], -1), abs=1e-4)


def test_arc_length_and_its_inverse() -> None:
    curve = parabola()
    t = np.linspace(-1, 2, 500)
    assert curve.parameter(curve.lengths(t)) == pytest.approx(t, abs=1e-9)
    assert curve.at([-1.0, 99.0]) == pytest.approx(np.array([[-1, 1], [2, 4]]))


def test_where_it_turns_on_the_spot_it_has_no_curvature() -> None:
    t = np.linspace(-1, 1, 30)
    curve = PolynomialCurve(Polynomial.fitted(np.stack([t**2, t**3], axis=-1), 3, (-1.0, 1.0)))
    assert np.isfinite(curve.curvature(np.linspace(0, curve.length, 101))).all()


# -- on captured motion ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["143_04", "143_38"])
def test_degree_45_does_not_blow_up_between_the_frames_of_an_eight(cmu: Path, name: str) -> None:
    motion = kg.load(cmu / "bvh" / f"{name}.bvh")
    root = motion.root[:, [0, 2]]
    fitted = Polynomial.fitted(root, 45, (0.0, len(motion) - 1.0))
    fine = fitted.at(np.linspace(0, len(motion) - 1, 20 * (len(motion) - 1) + 1))
    assert np.hypot(*(fine[::20] - root).T).max() < 0.035
    # between two frames it goes no further than they are apart
    apart = np.hypot(*(fine[:-1].reshape(-1, 20, 2) - fine[:-1:20, None]).transpose(2, 0, 1))
    steps = np.hypot(*np.diff(fine[::20], axis=0).T)
    assert (apart.max(axis=1) <= 1.05 * steps + 1e-3).all()

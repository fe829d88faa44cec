from __future__ import annotations

from collections.abc import Callable

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kinegraph.strikes.kriging import Kriging
from kinegraph.strikes.local import LocalLinear
from kinegraph.strikes.space import Space
from kinegraph.strikes.trust import fitted

SEEDS = st.integers(0, 10_000)


@given(SEEDS, st.integers(2, 3), st.sampled_from([1e-6, 0.1, 1.0]))
def test_weights_sum_to_one_and_reproduce_planes(seed: int, dims: int, nugget: float) -> None:
    random = np.random.default_rng(seed)
    points = random.normal(size=(12, dims))
    target = random.normal(size=dims)
    slope, level = random.normal(size=dims), random.normal()
    for way in (Kriging(points, nugget), LocalLinear(points, 2.0)):
        weights = way.weights(target)
        assert abs(weights.sum() - 1) < 1e-9
        assert np.isclose(weights @ (points @ slope + level), target @ slope + level, atol=1e-2)


@given(SEEDS)
def test_without_a_nugget_an_example_is_given_back(seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(9, 2))
    kriging = Kriging(points, 1e-9)
    for index, point in enumerate(points):
        assert np.allclose(kriging.weights(point), np.eye(9)[index], atol=1e-4)
        assert kriging.variance(point) < 1e-4


def test_repeated_strikes_at_one_target_share_the_weight() -> None:
    points = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    for way in (Kriging(points, 1e-3), Kriging(points, 1.0), LocalLinear(points, 0.5)):
        weights = way.weights(np.zeros(2))
        assert np.isfinite(weights).all()
        assert abs(weights[0] - weights[1]) < 1e-6
        assert weights[0] > 0.3


def test_variance_grows_away_from_the_examples() -> None:
    points = np.random.default_rng(0).uniform(-1, 1, size=(15, 2))
    kriging = Kriging(points, 0.05)
    assert kriging.variance(np.array([8.0, 0.0])) > kriging.variance(np.array([2.0, 0.0])) > kriging.variance(points[0])


def test_far_away_local_weights_are_still_finite() -> None:
    points = np.random.default_rng(0).uniform(-1, 1, size=(15, 2))
    weights = LocalLinear(points, 0.2).weights(np.array([100.0, -50.0]))
    assert np.isfinite(weights).all()
    assert abs(weights.sum() - 1) < 1e-9


def test_the_expected_error_is_of_the_size_of_the_real_one(captured: Callable[[str], Space]) -> None:
    """Guess every kick from the others: what was expected and what came out agree within a third, on average."""
    examples = captured("kick 144_05 144_06").examples
    expected, real = [], []
    for index in range(len(examples)):
        others = examples.without(index)
        trust = fitted(others, 2)
        target = examples.hits[index, :2]
        expected.append(trust.expected(target) ** 2)
        difference = np.tensordot(trust.weights(target), others.turns, 1)
        from kinegraph.motion import rotation

        guess = rotation.multiply(others.mean, rotation.exp(difference))
        real.append(np.mean(rotation.angle_between(guess, examples.rotations[index]) ** 2))
    assert 0.67 < np.sqrt(np.mean(expected) / np.mean(real)) < 1.5


def test_a_target_that_is_struck_again_and_again_counts_once(punches: Space) -> None:
    """How far neighbours are apart must not shrink to the scatter of repeated strikes."""
    from kinegraph.strikes.trust import spacing_of

    points = punches.examples.hits[:, :2]
    again = np.concatenate([points + np.random.default_rng(k).normal(scale=0.004, size=points.shape) for k in range(6)])
    assert abs(spacing_of(again) - spacing_of(points)) < 0.2 * spacing_of(points)
